// Random programs: whatever the rules make of them must compute the same.
#include "fuse/judge.h"
#include "fuse/random_program.h"

namespace hone::fuse {
namespace {

TEST(RandomPrograms, ComputeTheSame) {
  for (uint64_t seed = 1; seed <= 300 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    expect_same(random_program(seed, Numbers::Float, Extents::Tiny, steps_of(seed)), {}, 1e-4);
  }
}

}  // namespace
}  // namespace hone::fuse
