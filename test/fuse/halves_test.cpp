// Sums of halves are formed in f32 in kernels too: the results are the interpreter's to the last bit.
#include "fuse/judge.h"
#include "fuse/program_builder.h"

namespace hone::fuse {
namespace {

using ir::DType;
using ir::OpKind;
using Numbers = std::vector<int64_t>;

TEST(Halves, ContractionsWithEpiloguesAreRoundedOnce) {
  for (DType type : {DType::F16, DType::BF16}) {
    ProgramBuilder b;
    auto x = b.input("x", {1, 3, 6, 5}, type), w = b.input("w", {4, 3, 3, 3}, type), bias = b.input("bias", {4}, type);
    auto conv = b.add(OpKind::Conv, {x, w, bias}, {{"pads", Numbers{1, 1, 1, 1}}});
    auto graph = expect_same(b.finish({b.add(OpKind::Relu, {conv})}), {}, 0);
    EXPECT_NE(
        ir::text_of(graph.kernels[0]).find("s0 = sum cast:f32(x0[0, c, i + u - 1, j + v - 1]{fill 0}) * cast:f32(x1["),
        std::string::npos)
        << ir::text_of(graph.kernels[0]);
  }
}

TEST(Halves, RowsAreWorkedOutInF32) {
  for (DType type : {DType::F16, DType::BF16})
    for (OpKind kind : {OpKind::Softmax, OpKind::LogSoftmax}) {
      ProgramBuilder b;
      auto x = b.input("x", {3, 17}, type);
      expect_same(b.finish({b.add(kind, {x}, {{"axis", int64_t{1}}})}), {}, 0);
    }
}

}  // namespace
}  // namespace hone::fuse
