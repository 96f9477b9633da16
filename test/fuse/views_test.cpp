#include "fuse/judge.h"
#include "fuse/program_builder.h"

namespace hone::fuse {
namespace {

using ir::OpKind;
using Numbers = std::vector<int64_t>;

ir::ValueId slice(ProgramBuilder& b, ir::ValueId x, Numbers starts, Numbers steps, ir::Shape shape) {
  return b.add_typed(OpKind::Slice, {x}, {ir::DType::F32, std::move(shape)},
                     {{"starts", std::move(starts)}, {"steps", std::move(steps)}});
}

TEST(Views, ElementWiseChainsReadThroughThem) {
  ProgramBuilder b;
  auto x = b.input("x", {3, 4, 5}), y = b.input("y", {5, 12});
  auto turned = b.transpose(b.reshape(x, {12, 5}), {1, 0});
  auto graph = expect_same(b.finish({b.add(OpKind::Exp, {b.add(OpKind::Mul, {turned, y})})}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Views, ChannelShuffle) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 6, 3, 3}), w = b.input("w", {6, 1, 3, 3});
  auto relu = b.add(OpKind::Relu, {x});
  auto shuffled = b.reshape(b.transpose(b.reshape(relu, {2, 2, 3, 3, 3}), {0, 2, 1, 3, 4}), {2, 6, 3, 3});
  auto conv = b.add(OpKind::Conv, {shuffled, w}, {{"group", int64_t{6}}, {"pads", Numbers{1, 1, 1, 1}}});
  expect_same(b.finish({conv}));
}

TEST(Views, OutputsAndRepeatedOutputs) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 6});
  auto relu = b.add(OpKind::Relu, {x});
  auto view = b.reshape(relu, {3, 4});
  expect_same(b.finish({view, relu, x, view, b.transpose(x, {1, 0})}));
}

TEST(Views, SlicesOfOneProduct) {
  ProgramBuilder b;
  auto x = b.input("x", {3, 4}), w = b.input("w", {4, 12});
  auto all = b.add(OpKind::MatMul, {x, w});
  auto part = [&](int64_t from) { return slice(b, all, {0, from}, {1, 1}, {3, 4}); };
  auto graph = expect_same(b.finish({b.add(OpKind::Add, {b.add(OpKind::Mul, {part(0), part(4)}), part(8)})}));
  EXPECT_EQ(graph.calls.size(), 2u);
}

TEST(Views, SlicesFromTheEndAndBackwards) {
  ProgramBuilder b;
  auto x = b.input("x", {5, 7});
  auto s = slice(b, x, {-1, 6}, {-2, -3}, {3, 2});
  expect_same(b.finish({b.add(OpKind::Neg, {s})}));
}

TEST(Views, ConcatTakesItsPiecesInPlace) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 3, 4, 4}), w = b.input("w", {5, 3, 1, 1});
  auto left = b.add(OpKind::Relu, {b.add(OpKind::Conv, {x, w})}), right = b.add(OpKind::Sigmoid, {x});
  auto graph = expect_same(b.finish({b.add(OpKind::Concat, {left, right}, {{"axis", int64_t{1}}})}));
  EXPECT_EQ(graph.calls.size(), 2u);
}

TEST(Views, ConcatCopiesWhatOthersReadOrNobodyComputes) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 3});
  auto y = b.add(OpKind::Relu, {x});
  auto inner = b.add(OpKind::Concat, {y, x, y}, {{"axis", int64_t{0}}});
  auto outer = b.add(OpKind::Concat, {inner, b.add(OpKind::Exp, {y})}, {{"axis", int64_t{0}}});
  expect_same(b.finish({b.add(OpKind::Neg, {outer}), y}));
}

TEST(Views, NestedConcatsAreFilledOnce) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 3});
  auto inner = b.add(OpKind::Concat, {b.add(OpKind::Exp, {x}), b.add(OpKind::Abs, {x})}, {{"axis", int64_t{1}}});
  auto graph = expect_same(b.finish(
      {b.add(OpKind::Concat, {b.add(OpKind::Neg, {x}), b.transpose(x, {0, 1}), inner}, {{"axis", int64_t{1}}})}));
  EXPECT_LE(graph.calls.size(), 4u);
}

TEST(Views, BordersStopAtViewsThatChangeThem) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 9, 4}), w = b.input("w", {3, 4, 3, 3});
  auto image = b.reshape(b.transpose(x, {0, 2, 1}), {2, 4, 3, 3});
  expect_same(b.finish({b.add(OpKind::Conv, {image, w}, {{"pads", Numbers{1, 1, 1, 1}}})}));
}

TEST(Views, BordersGoThroughTransposes) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 5, 6, 3}), w = b.input("w", {4, 3, 3, 3});
  auto graph =
      expect_same(b.finish({b.add(OpKind::Conv, {b.transpose(x, {0, 3, 1, 2}), w}, {{"pads", Numbers{1, 1, 1, 1}}})}));
  EXPECT_EQ(graph.calls.size(), 1u);
}

TEST(Views, PadsOfEveryMode) {
  for (const char* mode : {"constant", "reflect", "edge", "wrap"}) {
    ProgramBuilder b;
    auto x = b.input("x", {3, 5});
    auto padded = b.add(OpKind::Pad, {b.add(OpKind::Exp, {x})},
                        {{"pads", Numbers{1, 2, 2, 1}}, {"mode", std::string(mode)}, {"value", 0.5}});
    expect_same(b.finish({b.add(OpKind::Neg, {padded})}));
  }
}

TEST(Views, ExpandAndSymbolicMerges) {
  ProgramBuilder b;
  ir::Index n = ir::Index::symbol("N"), s = ir::Index::symbol("S");
  auto x = b.input("x", {n, s, 4}), w = b.input("w", {4, 3}), y = b.input("y", {n, 1, 3});
  auto product = b.reshape(b.add(OpKind::MatMul, {b.reshape(x, {n * s, 4}), w}), {n, s, 3});
  auto wide = b.add_typed(OpKind::Expand, {y}, {ir::DType::F32, {n, s, 3}});
  expect_same(b.finish({b.add(OpKind::Add, {product, wide})}), {{"N", 3}, {"S", 4}});
}

TEST(Views, LiteralsVanishIntoTheirReaders) {
  ProgramBuilder b;
  auto x = b.input("x", {2, 4});
  auto ones = b.add_typed(OpKind::Fill, {}, {ir::DType::F32, {2, 4}}, {{"value", 1.0}, {"dtype", std::string("f32")}});
  auto range = b.add_typed(OpKind::Range, {}, {ir::DType::F32, {4}},
                           {{"start", 0.5}, {"delta", 2.0}, {"dtype", std::string("f32")}});
  auto graph = expect_same(b.finish({b.add(OpKind::Mul, {b.add(OpKind::Add, {x, ones}), range})}));
  EXPECT_EQ(graph.calls.size(), 1u);
  EXPECT_EQ(graph.calls[0].edges.size(), 2u);
  ProgramBuilder c;
  auto alone = c.add_typed(OpKind::Fill, {}, {ir::DType::F32, {3}}, {{"value", 2.0}, {"dtype", std::string("f32")}});
  expect_same(c.finish({alone, c.reshape(alone, {1, 3})}));
}

}  // namespace
}  // namespace hone::fuse
