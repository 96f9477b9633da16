// Reductions across rows that are taken a few rows at a time, against the interpreter.
#include "base/rng.h"
#include "e2e/without_cache.h"
#include "fuse/program_builder.h"

namespace hone::e2e {
namespace {

using ir::OpKind;
using Sizes = std::vector<int64_t>;

void check(OpKind kind, const Sizes& shape, const Sizes& axes, const std::string& isa, Rng& rng) {
  SCOPED_TRACE(
      fmt::format("{} of {} over {} on {}", ir::name_of(kind), fmt::join(shape, " x "), fmt::join(axes, ", "), isa));
  fuse::ProgramBuilder b("columns");
  const ir::ValueId x = b.input("x", {shape.begin(), shape.end()});
  const ir::Program program = b.finish({b.add(kind, {x}, {{"axes", axes}, {"keepdims", int64_t{0}}})});
  expect_agreement_without_cache(program, isa, {small_whole_numbers(shape, rng)}, "so_far");
}

TEST(ColumnPasses, MeanTheSame) {
  Rng rng(5);
  for (const std::string& isa : instruction_sets())
    for (OpKind kind : {OpKind::ReduceSum, OpKind::ReduceMax, OpKind::ReduceMin}) {
      check(kind, {37, 131}, {0}, isa, rng);
      check(kind, {9, 2}, {0}, isa, rng);
      check(kind, {2, 67}, {0}, isa, rng);
      check(kind, {3, 17, 33}, {1}, isa, rng);
      check(kind, {5, 19, 65}, {0, 1}, isa, rng);
    }
}

// What the farther caches hold is passed over by more rows at a time.
TEST(ColumnPasses, OfCachedRowsMeanTheSame) {
  Rng rng(6);
  for (const std::string& isa : instruction_sets())
    for (const Sizes& shape : {Sizes{97, 331}, Sizes{32, 401}, Sizes{33, 1001}}) {
      fuse::ProgramBuilder b("columns");
      const ir::ValueId x = b.input("x", {shape.begin(), shape.end()});
      const ir::Program program =
          b.finish({b.add(OpKind::ReduceSum, {x}, {{"axes", Sizes{0}}, {"keepdims", int64_t{0}}})});
      pipeline::Options options;
      options.isa = isa;
      options.threads = 2;
      expect_agreement(program, options, {{small_whole_numbers(shape, rng)}});
    }
}

}  // namespace
}  // namespace hone::e2e
