// Operators that read images between their pixels.
#include <cmath>

#include "evaluated.h"

namespace hone::import {
namespace {

using Ints = std::vector<int64_t>;

// Plain loops over one image of height and width 4 and 3.
struct Plain {
  const char *mode, *padding;
  bool align;
  std::vector<double> image;

  static double folded(double x, double low, double high) {
    while (x < low || x > high) x = x < low ? 2 * low - x : 2 * high - x;
    return x;
  }
  double place(double x, int64_t size) const {
    x = align ? (x + 1) / 2 * static_cast<double>(size - 1) : ((x + 1) * static_cast<double>(size) - 1) / 2;
    if (std::string(mode) == "nearest") x = std::nearbyint(x);
    double low = align ? 0 : -0.5, high = static_cast<double>(size) - (align ? 1 : 0.5);
    if (x >= low && x <= high) return x;
    if (std::string(padding) == "border") return std::min(std::max(x, 0.0), static_cast<double>(size - 1));
    return std::string(padding) == "reflection" ? folded(x, low, high) : x;
  }
  double pixel(int64_t i, int64_t size) const {
    double low = align ? 0 : -0.5, high = static_cast<double>(size) - (align ? 1 : 0.5);
    if (std::string(padding) == "border")
      return std::min<double>(std::max<double>(static_cast<double>(i), 0), static_cast<double>(size - 1));
    return std::string(padding) == "reflection" ? folded(static_cast<double>(i), low, high) : static_cast<double>(i);
  }
  double weight(double s) const {
    s = std::abs(s);
    if (std::string(mode) == "nearest") return s < 0.5 ? 1 : 0;
    if (std::string(mode) == "linear") return std::max(0.0, 1 - s);
    const double a = -0.75;
    if (s <= 1) return ((a + 2) * s - (a + 3)) * s * s + 1;
    return s < 2 ? ((a * s - 5 * a) * s + 8 * a) * s - 4 * a : 0;
  }
  double at(double x, double y) const {
    x = place(x, 3), y = place(y, 4);
    const int64_t above = static_cast<int64_t>(std::floor(y)), left = static_cast<int64_t>(std::floor(x));
    double sum = 0;
    for (int64_t i = above - 1; i <= above + 2; ++i)
      for (int64_t j = left - 1; j <= left + 2; ++j) {
        double row = pixel(i, 4), column = pixel(j, 3);
        if (row < 0 || row > 3 || column < 0 || column > 2) continue;
        sum += weight(y - static_cast<double>(i)) * weight(x - static_cast<double>(j)) *
               image[static_cast<size_t>(row * 3 + column)];
      }
    return sum;
  }
};

TEST(GridSampleNode, EveryModeAgainstPlainLoops) {
  const std::vector<double> points = {0, 0, -1, -1, 1, 1, 0.3, -0.7, -1.4, 0.2, 2.6, -3.1, 0.9, 1.2, -0.99, 1.01};
  for (const char* mode : {"nearest", "linear", "cubic"})
    for (const char* padding : {"zeros", "border", "reflection"})
      for (bool align : {false, true}) {
        SCOPED_TRACE(std::string(mode) + " " + padding + (align ? " aligned" : ""));
        Model model(20);
        model.input("x", {"n", "1", "4", "w"});
        model.input("g", {"n", "2", "4", "2"});
        auto& node = model.node("GridSample", {"x", "g"}, {"y"});
        set(node, "mode", std::string(mode));
        set(node, "padding_mode", std::string(padding));
        set(node, "align_corners", int64_t{align});
        model.output("y");
        eval::Tensor image = some_floats({1, 1, 4, 3});
        Plain plain{mode, padding, align, eval::values_of(image)};
        std::vector<double> want;
        for (size_t i = 0; i < points.size(); i += 2) want.push_back(plain.at(points[i], points[i + 1]));
        expect_values(evaluated(model, {image, floats({1, 2, 4, 2}, points)})[0], {1, 1, 2, 4}, want, 1e-4);
      }
}

TEST(GridSampleNode, Volumes) {
  Model model(20);
  model.input("x", {"1", "2", "2", "2", "2"});
  model.input("g", {"1", "1", "1", "2", "3"});
  set(model.node("GridSample", {"x", "g"}, {"y"}), "align_corners", int64_t{1});
  model.output("y");
  eval::Tensor x = floats({1, 2, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
  expect_values(evaluated(model, {x, floats({1, 1, 1, 2, 3}, {0, 0, 0, 1, -1, 1})})[0], {1, 2, 1, 1, 2},
                {3.5, 5, 11.5, 13});
}

TEST(GridSampleNode, Refusals) {
  Model model(20);
  model.input("x", {"1", "1", "4", "4"}, onnx::TensorProto::INT32);
  model.input("g", {"1", "2", "2", "2"});
  auto& node = model.node("GridSample", {"x", "g"}, {"y"});
  model.output("y");
  expect_told(model.refusal(), "mode 'linear' on i32; floating-point tensors and mode nearest would work");
  set(node, "padding_mode", std::string("mirror"));
  expect_told(model.refusal(), "padding_mode 'mirror' is unknown");
  Model wide(20);
  wide.input("x", {"1", "1", "4", "4"});
  wide.input("g", {"1", "2", "2", "3"});
  wide.node("GridSample", {"x", "g"}, {"y"});
  wide.output("y");
  expect_told(wide.refusal(), "dimension 3 of input number 1 is 3 where 2 is needed");
}

TEST(AffineGridNode, Identity) {
  for (bool align : {false, true}) {
    Model model(20);
    model.input("t", {"n", "2", "3"});
    model.numbers("size", {1, 1, 2, 3});
    set(model.node("AffineGrid", {"t", "size"}, {"y"}), "align_corners", int64_t{align});
    model.output("y");
    double x = align ? 1 : 2.0 / 3, y = align ? 1 : 0.5;
    expect_values(evaluated(model, {floats({1, 2, 3}, {1, 0, 0, 0, 1, 0})})[0], {1, 2, 3, 2},
                  {-x, -y, 0, -y, x, -y, -x, y, 0, y, x, y});
  }
}

// Without offsets and with a mask of ones it is a convolution.
TEST(DeformConvNode, IsAConvolutionAtRest) {
  auto model = [](bool deformed) {
    Model m(19);
    m.input("x", {"n", "4", "h", "w"});
    m.input("w", {"6", "2", "2", "3"});
    m.input("o", {"k", "24", "p", "q"});
    m.input("b", {"6"});
    m.input("m", {"n", "12", "p", "q"});
    auto& node =
        deformed ? m.node("DeformConv", {"x", "w", "o", "b", "m"}, {"y"}) : m.node("Conv", {"x", "w", "b"}, {"y"});
    set(node, "group", int64_t{2});
    set(node, "pads", Ints{1, 1, 0, 0});
    set(node, "strides", Ints{2, 1});
    if (deformed) set(node, "offset_group", int64_t{2});
    m.output("y");
    return m;
  };
  std::vector<eval::Tensor> inputs = {some_floats({1, 4, 5, 6}), some_floats({6, 2, 2, 3}),
                                      eval::zeros(ir::DType::F32, {1, 24, 3, 5}), some_floats({6}),
                                      floats({1, 12, 3, 5}, std::vector<double>(180, 1))};
  eval::Tensor want = evaluated(model(false), inputs)[0];
  expect_values(evaluated(model(true), inputs)[0], want.shape, eval::values_of(want), 1e-4);
}

TEST(DeformConvNode, FollowsItsOffsets) {
  Model model(19);
  model.input("x", {"1", "1", "3", "3"});
  model.constant(tensor("w", {1, 1, 1, 1}, std::vector<float>{2}));
  model.input("o", {"1", "2", "3", "3"});
  model.node("DeformConv", {"x", "w", "o"}, {"y"});
  model.output("y");
  eval::Tensor x = floats({1, 1, 3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  std::vector<double> offsets(18, 0.5);
  expect_values(evaluated(model, {x, floats({1, 2, 3, 3}, offsets)})[0], {1, 1, 3, 3},
                {4, 6, 3.5, 10, 12, 6.5, 6.5, 7.5, 4});
}

TEST(RoiAlignNode, DefaultsOfOpsets) {
  for (int opset : {10, 16}) {
    Model model(opset);
    model.input("x", {"1", "1", "3", "3"});
    model.input("r", {"k", "4"});
    model.input("b", {"k"}, onnx::TensorProto::INT64);
    model.node("RoiAlign", {"x", "r", "b"}, {"y"});
    model.output("y");
    eval::Tensor x = floats({1, 1, 3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
    auto results = evaluated(model, {x, floats({1, 4}, {0, 0, 2, 2}), integers({1}, {0})});
    expect_values(results[0], {1, 1, 1, 1}, {opset == 10 ? 4.0 : 2.0});
  }
}

}  // namespace
}  // namespace hone::import
