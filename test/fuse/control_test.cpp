#include "fuse/judge.h"
#include "fuse/program_builder.h"

namespace hone::fuse {
namespace {

using ir::DType;
using ir::OpKind;

TEST(Scan, CumSumOfEveryKind) {
  for (int64_t axis : {0, 1, 2})
    for (int64_t exclusive : {0, 1})
      for (int64_t reverse : {0, 1}) {
        ProgramBuilder b;
        auto x = b.input("x", {3, 4, 5});
        auto sum = b.add(OpKind::CumSum, {b.add(OpKind::Neg, {x})},
                         {{"axis", axis}, {"exclusive", exclusive}, {"reverse", reverse}});
        expect_same(b.finish({b.add(OpKind::Exp, {sum})}));
      }
}

TEST(Scan, CumProdFromItsFirstFactors) {
  for (int64_t axis : {0, 1, 2})
    for (int64_t exclusive : {0, 1})
      for (int64_t reverse : {0, 1}) {
        ProgramBuilder b;
        ir::Shape first{3, 4, 5};
        first.erase(first.begin() + axis);
        auto x = b.input("x", {3, 4, 5}), ones = b.input("first", first);
        auto product = b.add(OpKind::CumProd, {b.add(OpKind::Neg, {x}), ones},
                             {{"axis", axis}, {"exclusive", exclusive}, {"reverse", reverse}});
        expect_same(b.finish({b.add(OpKind::Exp, {product})}));
      }
}

struct LstmCase {
  const char* what;
  int64_t steps, batch, hidden;
  bool bias, states;
  const char* direction;
};

TEST(Scan, Lstm) {
  const LstmCase cases[] = {
      {"plain", 4, 2, 3, false, false, "forward"},
      {"with everything", 4, 2, 3, true, true, "forward"},
      {"backwards", 3, 2, 3, true, false, "reverse"},
      {"one step", 1, 1, 4, true, true, "forward"},
      {"one step from zero", 1, 2, 4, true, false, "forward"},
  };
  for (const LstmCase& one : cases) {
    SCOPED_TRACE(one.what);
    ProgramBuilder b;
    auto x = b.input("x", {one.steps, one.batch, 5}), w = b.input("w", {1, 4 * one.hidden, 5}),
         r = b.input("r", {1, 4 * one.hidden, one.hidden});
    auto bias = one.bias ? b.input("b", {1, 8 * one.hidden}) : ir::kAbsent;
    auto state = [&](const char* name) { return one.states ? b.input(name, {1, one.batch, one.hidden}) : ir::kAbsent; };
    auto h = state("h"), c = state("c");
    auto results = b.add_many(OpKind::Lstm, {x, w, r, bias, ir::kAbsent, h, c},
                              {{"hidden_size", one.hidden}, {"direction", std::string(one.direction)}});
    auto graph = expect_same(b.finish({b.add(OpKind::Relu, {results[0]}), results[1], results[2]}));
    EXPECT_LE(graph.calls.size(), 4u);
  }
}

TEST(Scan, LstmReadsItsOperandsThroughViews) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 5, 4}), w = b.input("w", {12, 5}), r = b.input("r", {12, 3}),
       state = b.input("state", {2, 2, 3});
  auto slice = [&](int64_t from) {
    return b.add_typed(OpKind::Slice, {state}, {DType::F32, {1, 2, 3}},
                       {{"starts", std::vector<int64_t>{from, 0, 0}}, {"steps", std::vector<int64_t>{1, 1, 1}}});
  };
  auto h = slice(0), c = slice(1);
  auto results = b.add_many(
      OpKind::Lstm,
      {b.transpose(x, {2, 0, 1}), b.reshape(w, {1, 12, 5}), b.reshape(r, {1, 12, 3}), ir::kAbsent, ir::kAbsent, h, c},
      {{"hidden_size", int64_t{3}}});
  auto graph = expect_same(b.finish({b.add(OpKind::Concat, {results[1], results[2]}, {{"axis", int64_t{0}}})}));
  EXPECT_LE(graph.calls.size(), 4u);
}

TEST(If, BothBodiesWriteTheSameResults) {
  ProgramBuilder then("then");
  auto x = then.input("x", {2, 3}), y = then.input("y", {2, 3});
  ir::Program first = then.finish({then.add(OpKind::Add, {x, y}), x});
  ProgramBuilder otherwise("else");
  auto u = otherwise.input("x", {2, 3}), v = otherwise.input("y", {2, 3});
  auto product = otherwise.add(OpKind::Mul, {u, v});
  ir::Program second = otherwise.finish({product, otherwise.add(OpKind::Neg, {product})});
  for (int64_t axis : {0, 1}) {
    ProgramBuilder b;
    auto a = b.input("a", {2, 3}), c = b.input("c", {3, 2});
    auto flags = b.input("flags", {2}, DType::Bool);
    auto flag = b.reshape(b.add_typed(OpKind::Slice, {flags}, {DType::Bool, {1}},
                                      {{"starts", std::vector<int64_t>{axis}}, {"steps", std::vector<int64_t>{1}}}),
                          {});
    auto results = b.add_many(OpKind::If, {flag, b.add(OpKind::Exp, {a}), b.transpose(c, {1, 0})}, {}, {first, second});
    expect_same(b.finish({b.add(OpKind::Relu, {results[0]}), results[1]}));
  }
}

}  // namespace
}  // namespace hone::fuse
