#include <cmath>
#include <complex>
#include <numbers>

#include "evaluated.h"

namespace hone::import {
namespace {

using Complex = std::complex<double>;

Complex turn(int64_t k, int64_t n, int64_t length, bool inverse) {
  double angle = 2 * std::numbers::pi * static_cast<double>(k * n) / static_cast<double>(length);
  return std::polar(1.0, inverse ? angle : -angle);
}

struct Dft {
  int64_t rows, points, columns, parts;  // x is [rows, points, columns, parts]
  bool inverse, onesided;
  int64_t length;  // 0: not given
  bool symbolic;
};

void expect_transformed(const Dft& d) {
  Model model(20);
  model.input("x", {"rows", d.symbolic ? "points" : std::to_string(d.points), "columns", std::to_string(d.parts)});
  model.number("axis", -3);
  if (d.length > 0) model.number("length", d.length);
  auto& node = model.node("DFT", {"x", d.length > 0 ? "length" : "", "axis"}, {"y"});
  set(node, "inverse", int64_t{d.inverse});
  set(node, "onesided", int64_t{d.onesided});
  model.output("y");
  eval::Tensor x = some_floats({d.rows, d.points, d.columns, d.parts});
  bool to_real = d.inverse && d.onesided;
  int64_t length = d.length > 0 ? d.length : to_real ? 2 * (d.points - 1) : d.points;
  int64_t results = d.onesided && !d.inverse ? length / 2 + 1 : length;
  std::vector<double> want;
  for (int64_t r = 0; r < d.rows; ++r)
    for (int64_t k = 0; k < results; ++k)
      for (int64_t c = 0; c < d.columns; ++c) {
        Complex sum = 0;
        auto at = [&](int64_t n) {
          if (n >= d.points) return Complex(0);
          int64_t place = ((r * d.points + n) * d.columns + c) * d.parts;
          return Complex(eval::element(x, place), d.parts == 2 ? eval::element(x, place + 1) : 0);
        };
        for (int64_t n = 0; n < length; ++n) {
          // The other half of a symmetric spectrum mirrors the first.
          Complex value = to_real && n > length / 2 ? std::conj(at(length - n)) : at(n);
          if (to_real && (n == 0 || 2 * n == length)) value = value.real();
          sum += value * turn(k, n, length, d.inverse);
        }
        if (d.inverse) sum /= static_cast<double>(length);
        want.push_back(sum.real());
        if (!to_real) want.push_back(sum.imag());
      }
  expect_values(evaluated(model, {x})[0], {d.rows, results, d.columns, to_real ? 1 : 2}, want, 1e-3);
}

TEST(DftNode, EveryFormAgainstPlainSums) {
  for (bool symbolic : {false, true})
    for (bool inverse : {false, true})
      for (bool onesided : {false, true})
        for (int64_t length : {0, 4, 5, 9})
          for (int64_t parts : {1, 2}) expect_transformed({2, 6, 3, parts, inverse, onesided, length, symbolic});
  expect_transformed({1, 1, 1, 1, false, false, 0, false});
}

TEST(DftNode, Refusals) {
  Model model(17);
  model.input("x", {"2", "3", "1"});
  set(model.node("DFT", {"x"}, {"y"}), "axis", int64_t{2});
  model.output("y");
  expect_told(model.refusal(), "its axis is that of real and imaginary parts");
  Model parts(17);
  parts.input("x", {"2", "3"});
  parts.node("DFT", {"x"}, {"y"});
  parts.output("y");
  expect_told(parts.refusal(), "its axis is that of real and imaginary parts");
}

TEST(StftNode, FramesOfAWindow) {
  Model model(17);
  model.input("x", {"n", "length", "1"});
  model.number("step", 2);
  model.constant(tensor("w", {4}, std::vector<float>{1, 2, 3, 4}));
  model.node("STFT", {"x", "step", "w"}, {"y"});
  model.output("y");
  eval::Tensor x = some_floats({2, 9, 1});
  std::vector<double> want;
  for (int64_t r = 0; r < 2; ++r)
    for (int64_t frame = 0; frame < 3; ++frame)
      for (int64_t k = 0; k < 3; ++k) {
        Complex sum = 0;
        for (int64_t n = 0; n < 4; ++n)
          sum += eval::element(x, r * 9 + frame * 2 + n) * static_cast<double>(n + 1) * turn(k, n, 4, false);
        want.insert(want.end(), {sum.real(), sum.imag()});
      }
  expect_values(evaluated(model, {x})[0], {2, 3, 3, 2}, want, 1e-3);
}

TEST(WindowNodes, KnownValues) {
  auto window = [](const char* type, int64_t size, bool periodic) {
    Model model(17);
    model.number("size", size);
    set(model.node(type, {"size"}, {"y"}), "periodic", int64_t{periodic});
    model.output("y");
    return evaluated(model, {})[0];
  };
  expect_values(window("HannWindow", 4, true), {4}, {0, 0.5, 1, 0.5});
  expect_values(window("HannWindow", 3, false), {3}, {0, 1, 0});
  expect_values(window("HammingWindow", 3, false), {3}, {4.0 / 46, 1, 4.0 / 46});
  expect_values(window("BlackmanWindow", 5, false), {5}, {0, 0.34, 1, 0.34, 0});
}

TEST(WindowNodes, OfARunTimeSize) {
  Model model(17);
  model.input("x", {"n"});
  model.node("Size", {"x"}, {"s"});
  model.node("HannWindow", {"s"}, {"y"});
  model.output("y");
  EXPECT_EQ(output_shape(model.imported()), "[n]");
  expect_values(evaluated(model, {floats({4}, {1, 1, 1, 1})})[0], {4}, {0, 0.5, 1, 0.5});
}

TEST(MelNode, KnownValues) {
  Model model(17);
  model.number("bins", 2);
  model.number("points", 16);
  model.number("rate", 16);
  model.constant(tensor("low", {}, std::vector<float>{0}));
  model.constant(tensor("high", {}, std::vector<float>{8}));
  model.node("MelWeightMatrix", {"bins", "points", "rate", "low", "high"}, {"y"});
  model.output("y");
  // Edges at bins 0, 2, 4 and 6.
  expect_values(evaluated(model, {})[0], {9, 2}, {0, 0, 0.5, 0, 1, 0, 0.5, 0.5, 0, 1, 0, 0.5, 0, 0, 0, 0, 0, 0});
  Model data(17);
  data.input("bins", {}, onnx::TensorProto::INT64);
  data.number("n", 16);
  data.constant(tensor("f", {}, std::vector<float>{1}));
  data.node("MelWeightMatrix", {"bins", "n", "n", "f", "f"}, {"y"});
  data.output("y");
  expect_told(data.refusal(), "its operands depend on data; constants would work");
}

}  // namespace
}  // namespace hone::import
