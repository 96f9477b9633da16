#include <cmath>

#include "evaluated.h"

namespace hone::import {
namespace {

double cubic(double s, double a) {
  s = std::abs(s);
  if (s <= 1) return ((a + 2) * s - (a + 3)) * s * s + 1;
  return s < 2 ? ((a * s - 5 * a) * s + 8 * a) * s - 4 * a : 0;
}

struct Case {
  const char* mode;
  bool antialias, exclude_outside;
  float scale;
  double a;
};

// One row, half_pixel, summed over all pixels; those outside count as the nearest one inside.
std::vector<double> plain(const Case& c, const std::vector<double>& x) {
  const double size = static_cast<double>(x.size()),
               shrink = c.antialias ? std::min(1.0, static_cast<double>(c.scale)) : 1;
  std::vector<double> result;
  for (int64_t o = 0; o < static_cast<int64_t>(size * static_cast<double>(c.scale)); ++o) {
    double at = (static_cast<double>(o) + 0.5) / static_cast<double>(c.scale) - 0.5, sum = 0, total = 0;
    for (int64_t i = -20; i < static_cast<int64_t>(size) + 20; ++i) {
      double distance = (static_cast<double>(i) - at) * shrink;
      double weight = std::string(c.mode) == "cubic" ? cubic(distance, c.a) : std::max(0.0, 1 - std::abs(distance));
      bool outside = i < 0 || i >= static_cast<int64_t>(size);
      if (c.exclude_outside && outside) continue;
      sum += weight * x[static_cast<size_t>(std::min(std::max<int64_t>(i, 0), static_cast<int64_t>(size) - 1))];
      total += weight;
    }
    result.push_back(sum / total);
  }
  return result;
}

TEST(ResizeNode, WeightsAgainstPlainSums) {
  const Case cases[] = {
      {"cubic", false, false, 2, -0.75}, {"cubic", false, false, 0.5F, -0.5}, {"cubic", false, true, 1.5F, -0.5},
      {"linear", true, false, 0.4F, 0},  {"cubic", true, false, 0.4F, -0.75}, {"cubic", true, true, 0.5F, -0.75},
      {"linear", false, true, 1.75F, 0}, {"cubic", true, false, 2, -0.75},
  };
  for (const Case& c : cases)
    for (bool symbolic : {false, true}) {
      Model model(19);
      model.input("x", {"1", symbolic ? "w" : "8"});
      model.constant(tensor("scales", {2}, std::vector<float>{1, c.scale}));
      auto& node = model.node("Resize", {"x", "", "scales"}, {"y"});
      set(node, "mode", std::string(c.mode));
      set(node, "antialias", int64_t{c.antialias});
      set(node, "exclude_outside", int64_t{c.exclude_outside});
      set(node, "cubic_coeff_a", static_cast<float>(c.a));
      model.output("y");
      eval::Tensor x = some_floats({1, 8});
      std::vector<double> want = plain(c, eval::values_of(x));
      expect_values(evaluated(model, {x})[0], {1, static_cast<int64_t>(want.size())}, want, 1e-4);
    }
}

TEST(ResizeNode, KeepsTheAspectRatio) {
  for (bool larger : {false, true}) {
    Model model(19);
    model.input("x", {"1", "1", "2", "4"});
    model.numbers("sizes", {7, 8});
    auto& node = model.node("Resize", {"x", "", "", "sizes"}, {"y"});
    set(node, "axes", std::vector<int64_t>{2, 3});
    set(node, "keep_aspect_ratio_policy", std::string(larger ? "not_smaller" : "not_larger"));
    model.output("y");
    EXPECT_EQ(output_shape(model.imported()), larger ? "[1, 1, 7, 14]" : "[1, 1, 4, 8]");
  }
}

TEST(ResizeNode, SizesOfOtherTensors) {
  Model model(19);
  model.input("x", {"n", "h"});
  model.input("like", {"n", "g"});
  model.node("Shape", {"like"}, {"sizes"});
  set(model.node("Resize", {"x", "", "", "sizes"}, {"y"}), "mode", std::string("linear"));
  model.output("y");
  EXPECT_EQ(output_shape(model.imported()), "[n, g]");
  expect_values(evaluated(model, {floats({1, 4}, {1, 2, 3, 4}), floats({1, 2}, {0, 0})})[0], {1, 2}, {1.5, 3.5});
}

TEST(ResizeNode, CropsAndExtrapolates) {
  Model model(19);
  model.input("x", {"1", "5"});
  model.input("roi", {"2"});
  model.numbers("sizes", {4});
  auto& node = model.node("Resize", {"x", "roi", "", "sizes"}, {"y"});
  set(node, "axes", std::vector<int64_t>{1});
  set(node, "mode", std::string("linear"));
  set(node, "coordinate_transformation_mode", std::string("tf_crop_and_resize"));
  set(node, "extrapolation_value", 9.0F);
  model.output("y");
  eval::Tensor x = floats({1, 5}, {0, 1, 4, 9, 16});
  expect_values(evaluated(model, {x, floats({2}, {0.25, 1})})[0], {1, 4}, {1, 4, 9, 16});
  expect_values(evaluated(model, {x, floats({2}, {0.5, 1.25})})[0], {1, 4}, {4, 9, 16, 9});
}

TEST(ResizeNode, Refusals) {
  auto refusal = [](const char* attribute, const char* value) {
    Model model(19);
    model.input("x", {"1", "w"});
    model.constant(tensor("scales", {2}, std::vector<float>{1, 2}));
    set(model.node("Resize", {"x", "", "scales"}, {"y"}), attribute, std::string(value));
    model.output("y");
    return model.refusal();
  };
  expect_told(refusal("mode", "quintic"), "mode 'quintic' is not supported");
  expect_told(refusal("coordinate_transformation_mode", "elsewhere"),
              "coordinate transformation 'elsewhere' is not supported");
  expect_told(refusal("coordinate_transformation_mode", "tf_crop_and_resize"),
              "tf_crop_and_resize needs a roi of 4 numbers");
  Model data(19);
  data.input("x", {"1", "w"});
  data.input("scales", {"2"});
  data.node("Resize", {"x", "", "scales"}, {"y"});
  data.output("y");
  expect_told(data.refusal(), "its scales depend on data; constants would work");
}

TEST(ConvTransposeNode, FitsItsOutput) {
  auto shape = [](const char* auto_pad, std::vector<int64_t> wanted, const char* size) {
    Model model;
    model.input("x", {"1", "1", size});
    model.constant(tensor("w", {1, 1, 3}, std::vector<float>{1, 2, 3}));
    auto& node = model.node("ConvTranspose", {"x", "w"}, {"y"});
    set(node, "strides", std::vector<int64_t>{2});
    set(node, "auto_pad", std::string(auto_pad));
    if (!wanted.empty()) set(node, "output_shape", wanted);
    model.output("y");
    auto program = model.import();
    return program.ok() ? output_shape(*program) : program.problem().message;
  };
  EXPECT_EQ(shape("SAME_UPPER", {}, "5"), "[1, 1, 10]");
  EXPECT_EQ(shape("SAME_LOWER", {}, "n"), "[1, 1, 2*n]");
  EXPECT_EQ(shape("NOTSET", {9}, "5"), "[1, 1, 9]");
  EXPECT_EQ(shape("NOTSET", {13}, "5"), "[1, 1, 13]");
  expect_told(shape("NOTSET", {9}, "n"), "output_shape on the run-time size n; explicit pads would work");
}

}  // namespace
}  // namespace hone::import
