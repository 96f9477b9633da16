#include "fuse/judge.h"
#include "fuse/program_builder.h"

namespace hone::fuse {
namespace {

using ir::OpKind;

TEST(Scans, LinearAttentionForAnyNumberOfSteps) {
  for (int64_t steps : {1, 4}) {
    ProgramBuilder b;
    ir::Index t = ir::Index::symbol("T");
    auto q = b.input("q", {2, t, 2, 3, 4}), k = b.input("k", {2, t, 2, 4}), v = b.input("v", {2, t, 2, 5}),
         s = b.input("s", {2, 2, 4, 5}), decay = b.input("decay", {2, t, 2, 1}), beta = b.input("beta", {2, t, 2});
    auto results = b.add_many(OpKind::LinearAttention, {q, k, v, s, decay, beta}, {{"scale", 0.5}});
    expect_same(b.finish(results), {{"T", steps}}, 1e-4);
  }
}

}  // namespace
}  // namespace hone::fuse
