#include <cmath>
#include <limits>

#include "eval/one_op.h"

namespace hone::eval {
namespace {

using ir::DType;
using ir::OpKind;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Case {
  OpKind kind;
  DType type;
  std::vector<double> x, y;  // y empty: unary
  std::vector<double> expected;
  Attributes attributes = {};
};

class Elementwise : public testing::TestWithParam<Case> {};

TEST_P(Elementwise, KnownValues) {
  const Case& c = GetParam();
  int64_t n = static_cast<int64_t>(c.x.size());
  OneOp op{c.kind, {filled(c.type, {n}, c.x)}, c.attributes};
  if (!c.y.empty()) op.inputs.push_back(filled(c.type, {n}, c.y));
  expect_values(run(op), {n}, c.expected, ir::is_float(c.type) ? 2e-6 : 0);
}

const std::vector<Case> kCases = {
    {OpKind::Add, DType::F32, {1, kNan, kInf}, {2, 1, -kInf}, {3, kNan, kNan}},
    {OpKind::Add, DType::I8, {100, -100}, {100, -100}, {-56, 56}},
    {OpKind::Add, DType::U8, {200}, {100}, {44}},
    {OpKind::Sub, DType::I64, {3, -3}, {5, 4}, {-2, -7}},
    {OpKind::Mul, DType::I32, {65536}, {65536}, {0}},
    {OpKind::Div, DType::F32, {1, -1, 0}, {0, 0, 0}, {kInf, -kInf, kNan}},
    {OpKind::Div, DType::I64, {7, -7, 7, -7}, {2, 2, -2, -2}, {3, -3, -3, 3}},
    {OpKind::Pow, DType::F32, {2, 9, 4}, {3, 0.5, -1}, {8, 3, 0.25}},
    {OpKind::Pow, DType::I64, {2, -3, 5, -1}, {10, 3, 0, -3}, {1024, -27, 1, -1}},
    {OpKind::Min, DType::F32, {1, kNan, 2}, {2, 1, kNan}, {1, kNan, kNan}},
    {OpKind::Max, DType::F32, {1, kNan, 2}, {2, 1, kNan}, {2, kNan, kNan}},
    {OpKind::Max, DType::U64, {1, 5}, {2, 3}, {2, 5}},
    {OpKind::Mod, DType::I64, {5, -5, 5, -5}, {3, 3, -3, -3}, {2, 1, -1, -2}},
    {OpKind::Mod, DType::I64, {5, -5, 5, -5}, {3, 3, -3, -3}, {2, -2, 2, -2}, {{"fmod", int64_t{1}}}},
    {OpKind::Mod, DType::F32, {5.5, -5.5}, {3, 3}, {2.5, -2.5}, {{"fmod", int64_t{1}}}},
    {OpKind::Equal, DType::F32, {1, kNan}, {1, kNan}, {1, 0}},
    {OpKind::Less, DType::F32, {1, 2, kNan}, {2, 2, 1}, {1, 0, 0}},
    {OpKind::LessOrEqual, DType::I64, {1, 2, 3}, {2, 2, 2}, {1, 1, 0}},
    {OpKind::Greater, DType::F32, {1, 3, kNan}, {2, 2, 1}, {0, 1, 0}},
    {OpKind::GreaterOrEqual, DType::F32, {1, 2, kNan}, {2, 2, 1}, {0, 1, 0}},
    {OpKind::And, DType::Bool, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 0, 0, 1}},
    {OpKind::Or, DType::Bool, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 1}},
    {OpKind::Xor, DType::Bool, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0}},
    {OpKind::Not, DType::Bool, {0, 1}, {}, {1, 0}},
    {OpKind::Neg, DType::I32, {3, -4}, {}, {-3, 4}},
    {OpKind::Abs, DType::F32, {-2.5, 3}, {}, {2.5, 3}},
    {OpKind::Sign, DType::F32, {-2, 0, 7, kNan}, {}, {-1, 0, 1, kNan}},
    {OpKind::Exp, DType::F32, {0, 1, -kInf}, {}, {1, std::exp(1.0), 0}},
    {OpKind::Log, DType::F32, {1, 0, -1}, {}, {0, -kInf, kNan}},
    {OpKind::Sqrt, DType::F32, {4, 2, -1}, {}, {2, std::sqrt(2.0), kNan}},
    {OpKind::Reciprocal, DType::F32, {4, -0.5}, {}, {0.25, -2}},
    {OpKind::Tanh, DType::F32, {0, 1, kInf}, {}, {0, std::tanh(1.0), 1}},
    {OpKind::Erf, DType::F32, {0, 0.5}, {}, {0, std::erf(0.5)}},
    {OpKind::NormalCdf, DType::F32, {0, -3, 1, -kInf, kInf}, {}, {0.5, 0.00134989803, 0.841344746, 0, 1}},
    {OpKind::Sigmoid, DType::F32, {0, -200, 200}, {}, {0.5, 0, 1}},
    {OpKind::Sin, DType::F32, {0.5}, {}, {std::sin(0.5)}},
    {OpKind::Cos, DType::F32, {0.5}, {}, {std::cos(0.5)}},
    {OpKind::Floor, DType::F32, {1.5, -1.5}, {}, {1, -2}},
    {OpKind::Ceil, DType::F32, {1.5, -1.5}, {}, {2, -1}},
    {OpKind::Round, DType::F32, {0.5, 1.5, 2.5, -0.5, -1.5}, {}, {0, 2, 2, 0, -2}},
    {OpKind::IsNaN, DType::F32, {1, kNan, kInf}, {}, {0, 1, 0}},
    {OpKind::Relu, DType::F32, {-1, 2, kNan}, {}, {0, 2, kNan}},
    {OpKind::LeakyRelu, DType::F32, {-1, 2}, {}, {-0.25, 2}, {{"alpha", 0.25}}},
    {OpKind::Elu, DType::F32, {-1, 2}, {}, {2 * (std::exp(-1.0) - 1), 2}, {{"alpha", 2.0}}},
    {OpKind::HardSigmoid, DType::F32, {-10, 1, 10}, {}, {0, 0.7, 1}},
    {OpKind::HardSwish, DType::F32, {-4, 1, 5}, {}, {0, 4.0 / 6, 5}},
    {OpKind::Softplus, DType::F32, {0, 100, -100}, {}, {std::log(2.0), 100, 0}},
    {OpKind::Clip, DType::F32, {-5, 0.5, 7}, {}, {-1, 0.5, 6}, {{"min", -1.0}, {"max", 6.0}}},
    {OpKind::Clip, DType::I64, {-5, 7}, {}, {-5, 6}, {{"max", int64_t{6}}}},
    {OpKind::Cast, DType::F32, {1.9, -1.9, 300, kNan}, {}, {1, -1, 127, 0}, {{"to", std::string("i8")}}},
    {OpKind::Cast, DType::F32, {0, -0.5, 2}, {}, {0, 1, 1}, {{"to", std::string("bool")}}},
    {OpKind::Cast, DType::I64, {300, -1}, {}, {44, 255}, {{"to", std::string("u8")}}},
    {OpKind::Cast,
     DType::F32,
     {2049, 1e6, 6e-8},
     {},
     {2048, kInf, 5.9604644775390625e-08},
     {{"to", std::string("f16")}}},
    {OpKind::Cast, DType::F32, {257, 258.9}, {}, {256, 258}, {{"to", std::string("bf16")}}},
};

INSTANTIATE_TEST_SUITE_P(Table, Elementwise, testing::ValuesIn(kCases), [](const auto& tested) {
  return fmt::format("{}_{}_{}", ir::name_of(tested.param.kind), ir::name_of(tested.param.type), tested.index);
});

TEST(ElementwiseShapes, Broadcasting) {
  expect_values(run({OpKind::Add, {floats({2, 1}, {10, 20}), floats({3}, {1, 2, 3})}}), {2, 3},
                {11, 12, 13, 21, 22, 23});
  expect_values(run({OpKind::Mul, {floats({}, {3}), floats({1, 2}, {1, 2})}}), {1, 2}, {3, 6});
  expect_values(run({OpKind::Add, {floats({0, 3}, {}), floats({3}, {1, 2, 3})}}), {0, 3}, {});
  EXPECT_NE(refusal_of({OpKind::Add, {floats({2}, {1, 2}), floats({3}, {1, 2, 3})}}).find("[2] and [3]"),
            std::string::npos);
  EXPECT_NE(refusal_of({OpKind::Add, {floats({1}, {1}), integers({1}, {1})}}).find("f32 and i64"), std::string::npos);
}

TEST(ElementwiseShapes, SizesThatMayBeOne) {
  OneOp op{OpKind::Add, {floats({1}, {5}), floats({3}, {1, 2, 3})}};
  ir::Program program = program_of(op, [](size_t, size_t) { return true; });
  auto one = evaluate(program, op.inputs);
  ASSERT_TRUE(one.ok()) << one.problem().message;
  expect_values((*one)[0], {3}, {6, 7, 8});
  auto same = evaluate(program, {floats({3}, {10, 20, 30}), op.inputs[1]});
  ASSERT_TRUE(same.ok()) << same.problem().message;
  expect_values((*same)[0], {3}, {11, 22, 33});
}

TEST(ElementwiseShapes, WhereAndPRelu) {
  Tensor condition = filled(DType::Bool, {2, 1}, {1, 0});
  expect_values(run({OpKind::Where, {condition, floats({2}, {1, 2}), floats({}, {9})}}), {2, 2}, {1, 2, 9, 9});
  expect_values(run({OpKind::PRelu, {floats({2, 2}, {-1, 2, -3, -4}), floats({2, 1}, {0.5, 2})}}), {2, 2},
                {-0.5, 2, -6, -8});
}

}  // namespace
}  // namespace hone::eval
