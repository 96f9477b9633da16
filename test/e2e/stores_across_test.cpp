// Results whose channels lie far apart while pixels follow each other: turned in registers where four pixels meet, else lane by lane.
#include "base/rng.h"
#include "e2e/compare.h"
#include "e2e/without_cache.h"
#include "fuse/program_builder.h"

namespace hone::e2e {
namespace {

using ir::OpKind;
using Sizes = std::vector<int64_t>;

// A first layer: so few channels that they are read as they lie, and a result in the order of the caller.
ir::Program first_layer(int64_t filters, const Sizes& image, int64_t stride, Rng& rng) {
  fuse::ProgramBuilder b("first");
  const Sizes shape = {filters, 3, 3, 3};
  std::vector<float> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(static_cast<float>(rng.between(-3, 3)));
  const ir::ValueId x = b.input("x", {1, 3, image[0], image[1]}), w = b.constant("w", {filters, 3, 3, 3}, values);
  const ir::ValueId y = b.add(OpKind::Conv, {x, w}, {{"strides", Sizes{stride, stride}}, {"pads", Sizes{1, 1, 1, 1}}});
  return b.finish({b.add(OpKind::Relu, {y})});
}

TEST(StoresAcross, MeanTheSameAtEveryWidth) {
  Rng rng(11);
  for (const std::string& isa : instruction_sets())
    for (int64_t filters : {8, 16, 20, 33})
      for (int64_t width : {1, 3, 4, 5, 8, 13, 27}) {
        pipeline::Options options;
        options.isa = isa;
        options.threads = 2;
        const Sizes image = {7, width};
        SCOPED_TRACE(fmt::format("{} filters, {} wide", filters, width));
        expect_agreement(first_layer(filters, image, 1 + width % 2, rng), options,
                         {{small_whole_numbers({1, 3, image[0], image[1]}, rng)}});
      }
}

}  // namespace
}  // namespace hone::e2e
