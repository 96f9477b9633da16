// Windows over the width, at sizes around a vector's: borders, strides and dilation bit for bit as the interpreter has them.
#include "base/rng.h"
#include "e2e/compare.h"
#include "fuse/program_builder.h"
#include "pipeline/compile.h"
#include "target/target.h"

namespace hone::e2e {
namespace {

using ir::OpKind;
using Sizes = std::vector<int64_t>;

constexpr int64_t kChannels = 3;
const Sizes kWidths = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 57};

struct Window {
  OpKind op;
  int64_t kernel, stride, dilation, pad;
  int64_t span() const { return dilation * (kernel - 1) + 1; }
};

const std::vector<Window> kWindows = {
    {OpKind::Conv, 3, 1, 1, 1},    {OpKind::Conv, 3, 2, 1, 1},    {OpKind::Conv, 5, 1, 1, 2},
    {OpKind::Conv, 5, 2, 1, 2},    {OpKind::Conv, 3, 3, 1, 0},    {OpKind::Conv, 3, 1, 2, 2},
    {OpKind::Conv, 7, 1, 1, 3},    {OpKind::MaxPool, 3, 1, 1, 1}, {OpKind::MaxPool, 3, 2, 1, 1},
    {OpKind::MaxPool, 2, 2, 1, 0},
};

ir::Program program_of(const Window& window, const ir::Index& height, const ir::Index& width, Rng& rng) {
  fuse::ProgramBuilder b("window");
  fuse::ProgramBuilder::Attributes attributes = {
      {"kernel_shape", Sizes{window.kernel, window.kernel}},
      {"strides", Sizes{window.stride, window.stride}},
      {"dilations", Sizes{window.dilation, window.dilation}},
      {"pads", Sizes{window.pad, window.pad, window.pad, window.pad}},
  };
  std::vector<ir::ValueId> inputs = {b.input("x", {1, kChannels, height, width})};
  if (window.op == OpKind::Conv) {
    std::vector<float> weights;
    for (int64_t i = 0; i < kChannels * window.kernel * window.kernel; ++i)
      weights.push_back(static_cast<float>(rng.between(-3, 3)));
    inputs.push_back(b.constant("w", {kChannels, 1, window.kernel, window.kernel}, weights));
    attributes["group"] = kChannels;
  }
  return b.finish({b.add(window.op, inputs, attributes)});
}

eval::Tensor image(int64_t height, int64_t width, Rng& rng) {
  std::vector<double> values;
  for (int64_t i = 0; i < kChannels * height * width; ++i) values.push_back(static_cast<double>(rng.between(-9, 9)));
  return eval::filled(ir::DType::F32, {1, kChannels, height, width}, values);
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (target::Isa isa : {target::Isa::X86_64, target::Isa::Avx2, target::Isa::Avx512})
    if (isa <= target::host_target().isa) names.push_back(target::name_of(isa));
  return names;
}

void check(const ir::Program& program, const pipeline::Options& options, const std::vector<eval::Tensor>& images) {
  auto model = pipeline::compile_program(program, options);
  ASSERT_TRUE(model.ok()) << model.problem().message;
  auto session = pipeline::load(*model, options);
  ASSERT_TRUE(session.ok()) << session.problem().message;
  for (const eval::Tensor& input : images) {
    auto want = eval::evaluate(program, {input});
    ASSERT_TRUE(want.ok()) << want.problem().message;
    auto got = (*session)->run(feeds_of({input}));
    ASSERT_TRUE(got.ok()) << got.problem().message;
    SCOPED_TRACE(fmt::format("{}, height {}, width {}", options.isa, input.shape[2], input.shape[3]));
    expect_same_bytes(*want, *got);
  }
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
    std::vector<eval::Tensor> images;
    for (size_t w = 0; w < kWidths.size(); ++w) {
      const int64_t width = kWidths[w], height = rng.between(1, 15);
      if (std::min(width, height) + 2 * window.pad < window.span()) continue;
      images.push_back(image(height, width, rng));
      if (w % 3 == number % 3) check(program_of(window, height, width, rng), options, {images.back()});
      if (testing::Test::HasFailure()) return;
    }
    check(program_of(window, any_height, any_width, rng), options, images);
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
