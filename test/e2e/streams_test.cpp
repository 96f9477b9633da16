// Outputs that are stored past the caches, against the interpreter: rows that begin at multiples of a vector and rows that do not.
#include "base/rng.h"
#include "e2e/without_cache.h"
#include "fuse/program_builder.h"

namespace hone::e2e {
namespace {

using Sizes = std::vector<int64_t>;

TEST(Streams, MeanTheSame) {
  if (target::host_target().isa < target::Isa::Avx512) return;  // only there a vector is a whole line
  Rng rng(7);
  for (const Sizes& shape : {Sizes{64, 48}, Sizes{37, 131}, Sizes{16, 16}, Sizes{129, 33}}) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(shape, " x ")));
    fuse::ProgramBuilder turned("turned"), plain("plain");
    const ir::ValueId x = turned.input("x", {shape.begin(), shape.end()});
    const ir::Program transpose = turned.finish({turned.transpose(x, {1, 0})});
    expect_agreement_without_cache(transpose, "avx512", {small_whole_numbers(shape, rng)}, "stream");
    const ir::ValueId y = plain.input("x", {shape.begin(), shape.end()});
    const ir::Program relu = plain.finish({plain.add(ir::OpKind::Relu, {y})});
    expect_agreement_without_cache(relu, "avx512", {small_whole_numbers(shape, rng)}, "stream");
  }
}

}  // namespace
}  // namespace hone::e2e
