// Windows over the width, at sizes around a vector's: borders, strides and dilation bit for bit as the interpreter has them.
#include "base/rng.h"
#include "e2e/compare.h"
#include "fuse/program_builder.h"

namespace hone::e2e {
namespace {

using ir::OpKind;
using Sizes = std::vector<int64_t>;

constexpr int64_t kChannels = 3, kInnerChannels = 11;
const Sizes kWidths = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 33, 34, 56, 57};

struct Window {
  OpKind op;
  int64_t kernel, stride, dilation, pad;
  int64_t span() const { return dilation * (kernel - 1) + 1; }
};

const std::vector<Window> kWindows = {
    {OpKind::Conv, 3, 1, 1, 1},    {OpKind::Conv, 3, 2, 1, 1},    {OpKind::Conv, 5, 1, 1, 2},
    {OpKind::Conv, 5, 2, 1, 2},    {OpKind::Conv, 3, 2, 1, 0},    {OpKind::Conv, 3, 3, 1, 0},
    {OpKind::Conv, 3, 1, 2, 2},    {OpKind::Conv, 7, 1, 1, 3},    {OpKind::MaxPool, 3, 1, 1, 1},
    {OpKind::MaxPool, 3, 2, 1, 1}, {OpKind::MaxPool, 2, 2, 1, 0},
};

ir::ValueId weights(fuse::ProgramBuilder& b, const char* name, const Sizes& shape, Rng& rng) {
  std::vector<float> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(static_cast<float>(rng.between(-3, 3)));
  return b.constant(name, {shape.begin(), shape.end()}, values);
}

ir::ValueId mix_channels(fuse::ProgramBuilder& b, ir::ValueId x, const char* name, int64_t to, int64_t from, Rng& rng) {
  const Sizes ones = {1, 1};
  return b.add(OpKind::Conv, {x, weights(b, name, {to, from, 1, 1}, rng)},
               {{"kernel_shape", ones}, {"strides", ones}, {"dilations", ones}, {"pads", Sizes{0, 0, 0, 0}}});
}

enum class Place { Alone, BetweenConvolutions };  // between convolutions, channels are last in memory

ir::Program program_of(const Window& window, Place place, const ir::Index& height, const ir::Index& width, Rng& rng) {
  fuse::ProgramBuilder b("window");
  const bool inner = place == Place::BetweenConvolutions;
  const int64_t channels = inner ? kInnerChannels : kChannels;
  fuse::ProgramBuilder::Attributes attributes = {
      {"kernel_shape", Sizes{window.kernel, window.kernel}},
      {"strides", Sizes{window.stride, window.stride}},
      {"dilations", Sizes{window.dilation, window.dilation}},
      {"pads", Sizes{window.pad, window.pad, window.pad, window.pad}},
  };
  ir::ValueId x = b.input("x", {1, kChannels, height, width});
  if (inner) x = mix_channels(b, x, "before", channels, kChannels, rng);
  std::vector<ir::ValueId> inputs = {x};
  if (window.op == OpKind::Conv) {
    inputs.push_back(weights(b, "w", {channels, 1, window.kernel, window.kernel}, rng));
    attributes["group"] = channels;
  }
  ir::ValueId y = b.add(window.op, inputs, attributes);
  return b.finish({inner ? mix_channels(b, y, "behind", kChannels, channels, rng) : y});
}

eval::Tensor image(int64_t height, int64_t width, Rng& rng) {
  std::vector<double> values;
  for (int64_t i = 0; i < kChannels * height * width; ++i) values.push_back(static_cast<double>(rng.between(-9, 9)));
  return eval::filled(ir::DType::F32, {1, kChannels, height, width}, values);
}

// Every width with code for any; every third, another third for each window, with code for that width alone.
void check_window(size_t number) {
  const Window& window = kWindows[number];
  SCOPED_TRACE(fmt::format("{} of {} by {}, dilation {}, pad {}", ir::name_of(window.op), window.kernel, window.stride,
                           window.dilation, window.pad));
  Rng rng(static_cast<uint64_t>(window.kernel * 100 + window.stride * 10 + window.dilation));
  const ir::Index any_height = ir::Index::symbol("h"), any_width = ir::Index::symbol("w");
  for (const std::string& isa : instruction_sets()) {
    pipeline::Options options;
    options.isa = isa;
    std::vector<std::vector<eval::Tensor>> images;
    for (size_t w = 0; w < kWidths.size(); ++w) {
      const int64_t width = kWidths[w], height = rng.between(1, 15);
      if (std::min(width, height) + 2 * window.pad < window.span()) continue;
      images.push_back({image(height, width, rng)});
      if (w % 3 != number % 3) continue;
      for (Place place : {Place::Alone, Place::BetweenConvolutions})
        expect_agreement(program_of(window, place, height, width, rng), options, {images.back()});
      if (testing::Test::HasFailure()) return;
    }
    for (Place place : {Place::Alone, Place::BetweenConvolutions})
      expect_agreement(program_of(window, place, any_height, any_width, rng), options, images);
  }
}

TEST(Window, AlongTheWidthOfEverySize) {
  for (size_t number = 0; number < kWindows.size(); ++number) {
    check_window(number);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace hone::e2e
