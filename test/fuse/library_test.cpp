// Calls of library functions between kernels: operands in memory, results that anything may read.
#include "fuse/judge.h"
#include "fuse/program_builder.h"

namespace hone::fuse {
namespace {

using ir::DType;
using ir::OpKind;

std::vector<ir::ValueId> top_k(ProgramBuilder& b, ir::ValueId x, ir::Shape shape, int64_t axis) {
  return b.add_many_typed(OpKind::TopK, {x}, {{DType::F32, shape}, {DType::I64, shape}}, {{"axis", axis}});
}

size_t library_calls(const ir::KernelGraph& graph) {
  size_t count = 0;
  for (const ir::Call& call : graph.calls) count += call.kind == ir::Call::Kind::Library ? 1 : 0;
  return count;
}

TEST(LibraryCall, BetweenKernels) {
  ProgramBuilder b;
  ir::Index n = ir::Index::symbol("n");
  auto x = b.input("x", {n, 5});
  auto chosen = top_k(b, b.add(OpKind::Exp, {x}), {n, 2}, 1);
  auto back = b.add(OpKind::GatherElements, {x, chosen[1]}, {{"axis", int64_t{1}}});
  auto graph = expect_same(b.finish({b.add(OpKind::Neg, {chosen[0]}), back}), {{"n", 3}});
  EXPECT_EQ(library_calls(graph), 1u);
}

TEST(LibraryCall, ReadsViewsAndIsReadThroughThem) {
  ProgramBuilder b;
  auto x = b.input("x", {4, 3});
  auto chosen = top_k(b, b.transpose(x, {1, 0}), {3, 2}, 1);
  auto y = b.add(OpKind::Concat, {b.transpose(chosen[0], {1, 0}), x}, {{"axis", int64_t{0}}});
  expect_same(b.finish({y, chosen[1]}));
}

TEST(LibraryCall, ResultsThatNobodyTakes) {
  ProgramBuilder b;
  auto x = b.input("x", {4, 3});
  auto chosen = top_k(b, x, {4, 1}, 1);
  ir::Program program = b.finish({chosen[1]});
  program.ops.back().outputs[0] = ir::kAbsent;
  expect_same(program);
}

TEST(LibraryCall, PrintsAndReads) {
  ProgramBuilder b;
  auto x = b.input("x", {ir::Index::symbol("n"), 3}), u = b.input("u", {2, 3});
  auto at = b.input("at", {2, 3}, DType::I64);
  auto y = b.add(OpKind::ScatterElements, {x, at, u}, {{"reduction", std::string("mul")}});
  ir::KernelGraph graph = fused(b.finish({y}));
  std::string text = ir::text_of(graph);
  EXPECT_NE(text.find("library scatter_elements(x, at, u) -> ("), std::string::npos) << text;
  auto again = ir::parse_kernel_graph(text);
  ASSERT_TRUE(again.ok()) << again.problem().message;
  EXPECT_EQ(ir::text_of(*again), text);
  Status valid = ir::validate(*again);
  EXPECT_TRUE(valid.ok()) << valid.problem().message;
}

}  // namespace
}  // namespace hone::fuse
