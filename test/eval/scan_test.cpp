#include "eval/op_samples.h"

namespace hone::eval {
namespace {

using ir::OpKind;

TEST(CumSum, AllForms) {
  Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  auto sum = [&](int64_t axis, int64_t exclusive, int64_t reverse) {
    return run({OpKind::CumSum, {x}, {{"axis", axis}, {"exclusive", exclusive}, {"reverse", reverse}}});
  };
  expect_values(sum(1, 0, 0), {2, 3}, {1, 3, 6, 4, 9, 15});
  expect_values(sum(0, 0, 0), {2, 3}, {1, 2, 3, 5, 7, 9});
  expect_values(sum(-1, 1, 0), {2, 3}, {0, 1, 3, 0, 4, 9});
  expect_values(sum(1, 0, 1), {2, 3}, {6, 5, 3, 15, 11, 6});
  expect_values(sum(1, 1, 1), {2, 3}, {5, 3, 0, 11, 6, 0});
  expect_values(run({OpKind::CumSum, {floats({0}, {})}}), {0}, {});
}

TEST(CumProd, AllForms) {
  Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  auto product = [&](int64_t axis, int64_t exclusive, int64_t reverse) {
    int64_t rest = axis == 0 ? 3 : 2;
    Tensor ones = filled(ir::DType::F32, {rest}, std::vector<double>(static_cast<size_t>(rest), 1));
    return run({OpKind::CumProd, {x, ones}, {{"axis", axis}, {"exclusive", exclusive}, {"reverse", reverse}}});
  };
  expect_values(product(1, 0, 0), {2, 3}, {1, 2, 6, 4, 20, 120});
  expect_values(product(0, 0, 0), {2, 3}, {1, 2, 3, 4, 10, 18});
  expect_values(product(-1, 1, 0), {2, 3}, {1, 1, 2, 1, 4, 20});
  expect_values(product(1, 0, 1), {2, 3}, {6, 6, 3, 120, 30, 6});
  expect_values(product(1, 1, 1), {2, 3}, {6, 3, 1, 30, 6, 1});
  expect_values(run({OpKind::CumProd, {floats({0}, {}), floats({}, {1})}}), {0}, {});
}

std::vector<Tensor> lstm_inputs() {
  return {floats({3, 2, 2}, {0.5, 0.875, -0.375, -1, -0.625, 0.375, -0.625, -0.125, 0.125, -0.625, -0.375, -0.75}),
          floats({1, 8, 2},
                 {-0.5, -0.125, -0.25, 0, 0, 0.5, 0.25, -0.875, -0.25, -0.125, -0.125, 0.75, 0, -0.875, -0.375, 0.125}),
          floats({1, 8, 2},
                 {0.625, 0, 0.125, -0.5, -0.625, -1, -0.625, -0.375, 0.75, 0.875, 0.875, -1, -0.75, -0.625, 0, -0.875}),
          floats({1, 16}, {-0.625, 0.625, -0.625, -0.625, 0.75, -0.125, -1, -0.875, 0.125, 0.125, 0.875, -1, 0.875,
                           0.25, -0.5, -0.125}),
          absent(),
          floats({1, 2, 2}, {-0.625, 0.75, 0.375, -0.75}),
          floats({1, 2, 2}, {-0.125, 0.5, -0.75, -1})};
}

// The numbers are onnxruntime's.
TEST(Lstm, Forward) {
  auto results = run_all({OpKind::Lstm, lstm_inputs(), {}, {}, {}, 3});
  expect_values(results[0], {3, 1, 2, 2},
                {-0.180744, -0.033081, -0.382181, -0.217848, -0.367799, -0.066595, -0.48372, -0.138554, -0.337775,
                 -0.197108, -0.410617, -0.210292},
                2e-6);
  expect_values(results[1], {1, 2, 2}, {-0.337775, -0.197108, -0.410617, -0.210292}, 2e-6);
  expect_values(results[2], {1, 2, 2}, {-0.701131, -0.745235, -0.887219, -0.753551}, 2e-6);
}

TEST(Lstm, Reverse) {
  auto results = run_all({OpKind::Lstm, lstm_inputs(), {{"direction", std::string("reverse")}}, {}, {}, 3});
  expect_values(results[0], {3, 1, 2, 2},
                {-0.454729, -0.085961, -0.380981, -0.238504, -0.37871, -0.071113, -0.498257, -0.1411, -0.12481, -0.1198,
                 -0.426126, -0.189198},
                2e-6);
  expect_values(results[2], {1, 2, 2}, {-0.729568, -0.91301, -0.852012, -0.731077}, 2e-6);
}

TEST(Lstm, WithoutBiasAndStates) {
  std::vector<Tensor> inputs = lstm_inputs(), zeroed = inputs;
  zeroed[3] = zeros(ir::DType::F32, {1, 16});
  zeroed[5] = zeroed[6] = zeros(ir::DType::F32, {1, 2, 2});
  Tensor expected = run({OpKind::Lstm, zeroed});
  expect_values(run({OpKind::Lstm, {inputs[0], inputs[1], inputs[2]}}), {3, 1, 2, 2}, values_of(expected));
  EXPECT_NE(refusal_of({OpKind::Lstm, {inputs[0], inputs[2], inputs[0]}}).size(), 0u);
}

TEST(If, EvaluatesTheTakenBody) {
  auto body = [](OpKind kind) {
    ir::Program program;
    program.name = ir::name_of(kind);
    ir::TensorType type{ir::DType::F32, {2}};
    program.inputs = {program.add_value({"x", type, {}, {}})};
    program.outputs = {program.add_value({"y", type, {}, {}})};
    program.ops = {{kind, "body", program.inputs, program.outputs, {}, {}}};
    return program;
  };
  Tensor x = floats({2}, {1, -2});
  for (double condition : {1.0, 0.0}) {
    OneOp op{OpKind::If, {filled(ir::DType::Bool, {}, {condition}), x}, {}, {}, {body(OpKind::Neg), body(OpKind::Abs)}};
    expect_values(run(op), {2}, condition != 0 ? std::vector<double>{-1, 2} : std::vector<double>{1, 2});
  }
}

TEST(Scan, SlicesAndStacksAlongItsAxesInItsDirections) {
  OneOp op = sample_of(OpKind::Scan);
  op.inputs = {floats({3}, {1, 2, 3}), floats({3, 2}, {1, 10, 2, 20, 3, 30})};
  auto results = run_all(op);
  expect_values(results[0], {3}, {12, 24, 36});
  expect_values(results[1], {2, 3}, {1, 2, 3, 11, 22, 33});
  op.inputs[1] = zeros(ir::DType::F32, {3, 0});
  expect_values(run_all(op)[0], {3}, {1, 2, 3});
  op.attributes["axes"] = std::vector<int64_t>{2};
  EXPECT_EQ(refusal_of(op), "scan node 'it': scans input 1 along axis 2, it has rank 2");
}

TEST(Loop, EndsWithItsRoundsOrItsCondition) {
  OneOp op = sample_of(OpKind::Loop);
  auto result = [&](double rounds, double first, double bound, double condition = 1) {
    op.inputs = {integers({}, {rounds}), filled(ir::DType::Bool, {}, {condition}), floats({}, {first}),
                 floats({}, {bound})};
    return values_of(run(op))[0];
  };
  EXPECT_EQ(result(3, 1, 3), 4);
  EXPECT_EQ(result(3, 1, 100), 8);
  EXPECT_EQ(result(0, 1, 100), 1);
  EXPECT_EQ(result(-1, 1, 100), 1);
  EXPECT_EQ(result(3, 1, 100, 0), 1);
}

}  // namespace
}  // namespace hone::eval
