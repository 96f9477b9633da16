// Reductions of long rows whose vectors begin at whole lines, wherever the rows do, against the interpreter.
#include "base/rng.h"
#include "e2e/without_cache.h"
#include "fuse/program_builder.h"

namespace hone::e2e {
namespace {

using ir::OpKind;
using Sizes = std::vector<int64_t>;

void check(OpKind kind, const Sizes& shape, const std::string& isa, Rng& rng, bool aligned = true) {
  SCOPED_TRACE(fmt::format("{} of {} on {}", ir::name_of(kind), fmt::join(shape, " x "), isa));
  fuse::ProgramBuilder b("rows");
  const ir::ValueId x = b.input("x", {shape.begin(), shape.end()});
  const Sizes last = {static_cast<int64_t>(shape.size()) - 1};
  const ir::Program program = b.finish({b.add(kind, {x}, {{"axes", last}, {"keepdims", int64_t{0}}})});
  auto nothing_is_near = [](target::Target& target) { target.l1_bytes = 0; };
  expect_agreement_with_caches(nothing_is_near, program, isa, {small_whole_numbers(shape, rng)},
                               aligned ? "align " : "plan ");
}

TEST(AlignedRows, MeanTheSameWhereverARowBegins) {
  Rng rng(7);
  for (const std::string& isa : instruction_sets())
    for (OpKind kind : {OpKind::ReduceSum, OpKind::ReduceMax, OpKind::ReduceMin})
      for (int64_t width : {257, 258, 271, 319, 335, 362}) check(kind, {19, width}, isa, rng);
}

TEST(AlignedRows, AreThoseOfEveryDimension) {
  Rng rng(8);
  for (const std::string& isa : instruction_sets()) {
    check(OpKind::ReduceSum, {3, 5, 301}, isa, rng);
    check(OpKind::ReduceSum, {19, 320}, isa, rng, false);
  }
}

}  // namespace
}  // namespace hone::e2e
