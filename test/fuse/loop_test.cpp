#include "fuse/judge.h"
#include "fuse/program_builder.h"

namespace hone::fuse {
namespace {

using ir::DType;
using ir::OpKind;
using Ints = std::vector<int64_t>;

ProgramBuilder::Attributes scan_attributes(int64_t states, Ints axes, Ints reverse, Ints out_axes, Ints out_reverse) {
  return {{"states", states},
          {"axes", std::move(axes)},
          {"reverse", std::move(reverse)},
          {"out_axes", std::move(out_axes)},
          {"out_reverse", std::move(out_reverse)}};
}

// Two states that change places, a product with a constant, slices along several axes in both directions.
TEST(Scan, OfABodyIsOneKernel) {
  ProgramBuilder step("step");
  auto a = step.input("a", {2, 3}), b = step.input("b", {2, 3}), x = step.input("x", {2, 3}), y = step.input("y", {2});
  auto w = step.constant("w", {3, 3}, {1, 2, 0, -1, 0.5, 3, 0.25, 1, -2});
  auto product = step.add(OpKind::MatMul, {b, w});
  auto column = step.reshape(y, {2, 1});
  auto next = step.add(OpKind::Tanh, {step.add(OpKind::Add, {product, step.add(OpKind::Mul, {x, column})})});
  ir::Program body = step.finish({next, a, step.add(OpKind::Exp, {a}), next});
  for (int64_t length : {1, 4}) {
    ProgramBuilder p;
    auto first = p.input("first", {2, 3}), xs = p.input("xs", {2, length, 3}), ys = p.input("ys", {length, 2});
    auto results = p.add_many(OpKind::Scan, {first, ir::kAbsent, xs, ys},
                              scan_attributes(2, {1, 0}, {1, 0}, {2, 0}, {0, 1}), {body});
    auto graph = expect_same(p.finish({results[0], results[1], results[2], p.add(OpKind::Neg, {results[3]})}));
    EXPECT_LE(graph.calls.size(), 2u);
  }
}

// Clusters of several phases: an operand in the making, and a norm between products.
TEST(Scan, KeepsWhatOnePhaseLeavesForTheNext) {
  ProgramBuilder step("step");
  auto h = step.input("h", {3, 4}), x = step.input("x", {3, 4}), w = step.input("w", {4, 4});
  auto gate = step.add(OpKind::Sigmoid, {step.add(OpKind::Add, {x, step.add(OpKind::MatMul, {h, w})})});
  auto inner = step.add(OpKind::MatMul, {step.add(OpKind::Mul, {gate, h}), w});
  auto fresh = step.add(OpKind::Tanh, {step.add(OpKind::Add, {x, inner})});
  auto mixed = step.add(OpKind::Add, {step.add(OpKind::Mul, {gate, fresh}), h});
  auto soft = step.add(OpKind::Softmax, {mixed}, {{"axis", int64_t{1}}});
  ir::Program body = step.finish({soft, mixed});
  ProgramBuilder p;
  auto first = p.input("first", {3, 4}), xs = p.input("xs", {2, 3, 4}), weight = p.input("w", {4, 4});
  auto results = p.add_many(OpKind::Scan, {first, xs, weight}, scan_attributes(1, {0}, {0}, {0}, {0}), {body});
  expect_same(p.finish({results[0], results[1]}));
}

// A concatenation is no tile program: the scan becomes a loop over the same step.
TEST(Scan, OfAnyOtherBodyIsALoop) {
  for (int64_t reverse : {0, 1}) {
    ProgramBuilder step("step");
    auto s = step.input("s", {4}), x = step.input("x", {3}), w = step.input("w", {4});
    auto head = step.add_typed(OpKind::Slice, {x}, {DType::F32, {1}}, {{"starts", Ints{1}}});
    auto tail = step.add_typed(OpKind::Slice, {s}, {DType::F32, {3}}, {{"starts", Ints{0}}});
    auto next = step.add(OpKind::Concat, {head, tail}, {{"axis", int64_t{0}}});
    ir::Program body = step.finish({next, step.add(OpKind::Mul, {next, w})});
    ProgramBuilder p;
    auto s0 = p.input("s0", {4}), xs = p.input("xs", {3, ir::Index::symbol("n")}), weight = p.input("w", {4});
    auto results =
        p.add_many(OpKind::Scan, {s0, xs, weight}, scan_attributes(1, {1}, {reverse}, {1}, {reverse}), {body});
    ir::Program program = p.finish({results[0], p.add(OpKind::Neg, {results[1]})});
    for (int64_t n : {0, 1, 5}) {
      auto graph = expect_same(program, {{"n", n}});
      EXPECT_TRUE(std::any_of(graph.calls.begin(), graph.calls.end(),
                              [](const ir::Call& call) { return call.kind == ir::Call::Kind::Loop; }));
      EXPECT_TRUE(ir::validate(graph).ok()) << ir::validate(graph).problem().message;
    }
  }
}

// Symbols that are called as axes of a product and of a scan are.
TEST(Fuse, SymbolsAreNotTakenForAxes) {
  auto size = [](const char* name) { return ir::Index::symbol(name); };
  ProgramBuilder p;
  auto x = p.input("x", {size("m"), size("k")}), w = p.input("w", {size("k"), size("n")});
  auto turned = p.add_typed(OpKind::Slice, {x}, {DType::F32, {size("m"), size("k")}},
                            {{"starts", Ints{0, -1}}, {"steps", Ints{1, -1}}});
  expect_same(p.finish({p.add(OpKind::MatMul, {turned, w})}), {{"m", 3}, {"k", 4}, {"n", 5}});
  ProgramBuilder q;
  auto y = q.input("y", {size("t"), size("u")});
  expect_same(q.finish({q.add(OpKind::CumSum, {y}, {{"axis", int64_t{0}}, {"reverse", int64_t{1}}})}),
              {{"t", 4}, {"u", 3}});
}

ir::Program doubling_body() {
  ProgramBuilder body("body");
  auto round = body.input("round", {}, DType::I64);
  body.input("go", {}, DType::Bool);
  auto x = body.input("x", {3}), y = body.input("y", {3}), bound = body.input("bound", {});
  auto sum = body.add(OpKind::Add, {x, y});
  auto weight = body.add(OpKind::Cast, {round}, {{"to", std::string("f32")}});
  auto largest = body.add(OpKind::ReduceMax, {sum}, {{"axes", Ints{0}}, {"keepdims", int64_t{0}}});
  return body.finish({body.add(OpKind::Less, {largest, bound}), body.add(OpKind::Mul, {sum, weight}), x, sum});
}

TEST(Loop, CarriesAndStacks) {
  for (int64_t rounds : {0, 1, 4}) {
    ProgramBuilder p;
    auto flag = p.input("flag", {}, DType::Bool), x = p.input("x", {3}), y = p.input("y", {3}),
         bound = p.input("bound", {});
    auto count = p.add_typed(OpKind::Fill, {}, {DType::I64, {}}, {{"value", rounds}, {"dtype", std::string("i64")}});
    auto results = p.add_loop({count, flag, x, p.add(OpKind::Neg, {y}), bound}, 2, doubling_body(),
                              {{DType::F32, {3}}, {DType::F32, {3}}, {DType::F32, {rounds, 3}}});
    ir::Program program = p.finish({p.add(OpKind::Neg, {results[0]}), results[1], results[2]});
    ASSERT_TRUE(ir::validate(program).ok()) << ir::validate(program).problem().message;
    auto graph = expect_same(program);
    EXPECT_TRUE(ir::validate(graph).ok()) << ir::validate(graph).problem().message;
    auto again = ir::parse_kernel_graph(ir::text_of(graph));
    ASSERT_TRUE(again.ok()) << again.problem().message;
    EXPECT_EQ(ir::text_of(*again), ir::text_of(graph));
  }
}

}  // namespace
}  // namespace hone::fuse
