// Operands that a task makes ready for its products: gates of channels ahead of a convolution of single pixels, between windows, so
// that channels are last in memory, and alone; at odd sizes, bit for bit as the interpreter has them.
#include "base/rng.h"
#include "e2e/compare.h"
#include "fuse/program_builder.h"

namespace hone::e2e {
namespace {

using ir::OpKind;
using Sizes = std::vector<int64_t>;

eval::Tensor whole_numbers(const Sizes& shape, Rng& rng) {
  std::vector<double> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(static_cast<double>(rng.between(-4, 4)));
  return eval::filled(ir::DType::F32, shape, values);
}

ir::ValueId weights(fuse::ProgramBuilder& b, const char* name, const Sizes& shape, Rng& rng) {
  std::vector<float> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(static_cast<float>(rng.between(-3, 3)));
  return b.constant(name, {shape.begin(), shape.end()}, values);
}

// A window over each channel or none, a gate for each, the convolution.
ir::Program gated(bool windowed, int64_t batch, int64_t channels, int64_t outputs, const ir::Index& height,
                  const ir::Index& width, Rng& rng) {
  fuse::ProgramBuilder b("gated");
  ir::ValueId x = b.input("x", {batch, channels, height, width});
  const ir::ValueId gate = b.input("gate", {batch, channels, 1, 1});
  if (windowed)
    x = b.add(OpKind::Conv, {x, weights(b, "window", {channels, 1, 3, 3}, rng)},
              {{"group", channels}, {"pads", Sizes{1, 1, 1, 1}}});
  const ir::ValueId ready = b.add(OpKind::Mul, {gate, x});
  return b.finish({b.add(OpKind::Conv, {ready, weights(b, "w", {outputs, channels, 1, 1}, rng)})});
}

void check(bool windowed, int64_t batch, int64_t channels, int64_t outputs, const std::vector<Sizes>& images) {
  Rng rng(static_cast<uint64_t>(channels * 1000 + outputs));
  std::vector<std::vector<eval::Tensor>> sets;
  for (const Sizes& image : images)
    sets.push_back(
        {whole_numbers({batch, channels, image[0], image[1]}, rng), whole_numbers({batch, channels, 1, 1}, rng)});
  for (const std::string& isa : instruction_sets())
    for (int threads : {1, 2}) {
      pipeline::Options options;
      options.isa = isa;
      options.threads = threads;
      SCOPED_TRACE(fmt::format("{} channels to {}, {} threads", channels, outputs, threads));
      for (size_t k = 0; k < images.size(); ++k)
        expect_agreement(gated(windowed, batch, channels, outputs, images[k][0], images[k][1], rng), options,
                         {sets[k]});
      expect_agreement(gated(windowed, batch, channels, outputs, ir::Index::symbol("h"), ir::Index::symbol("w"), rng),
                       options, sets);
      if (testing::Test::HasFailure()) return;
    }
}

TEST(Prologue, GatesAheadOfAConvolutionOfSinglePixels) {
  check(true, 1, 19, 7, {{1, 1}, {3, 5}, {7, 7}, {13, 11}});
  check(true, 2, 33, 40, {{5, 9}, {1, 17}});
  check(false, 1, 5, 17, {{6, 7}, {2, 31}});
  check(false, 3, 16, 3, {{9, 1}});
}

TEST(Prologue, RowsOfSeveralTasks) {
  check(true, 1, 48, 16, {{61, 67}});
}

}  // namespace
}  // namespace hone::e2e
