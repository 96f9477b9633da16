#include <cmath>

#include "eval/interpreter.h"
#include "model_builder.h"

namespace hone::import {
namespace {

using eval::Tensor;

std::vector<double> numbers(size_t count, uint64_t seed) {
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) values.push_back(static_cast<double>((i * 7919 + seed * 104729) % 31) / 16 - 1);
  return values;
}

struct Given {
  std::string name;
  std::vector<int64_t> shape;
};

// A node on inputs that are all given by number, with results of the interpreter.
struct Recurrent {
  Model model;
  std::vector<std::vector<double>> data;
  std::vector<Tensor> tensors;

  onnx::NodeProto& node(const std::string& type, const std::vector<Given>& inputs,
                        const std::vector<std::string>& outputs) {
    std::vector<std::string> names;
    for (const Given& given : inputs) {
      names.push_back(given.name);
      data.emplace_back();
      if (given.name.empty()) continue;
      Dims dims;
      int64_t count = 1;
      for (int64_t size : given.shape) {
        dims.push_back(std::to_string(size));
        count *= size;
      }
      bool lengths = given.name == "lengths";
      model.input(given.name, dims, lengths ? onnx::TensorProto::INT32 : onnx::TensorProto::FLOAT);
      data.back() = lengths ? std::vector<double>{2, 3} : numbers(static_cast<size_t>(count), data.size());
      tensors.push_back(eval::filled(lengths ? ir::DType::I32 : ir::DType::F32, given.shape, data.back()));
    }
    for (const std::string& name : outputs)
      if (!name.empty()) model.output(name);
    return model.node(type, names, outputs);
  }

  std::vector<Tensor> run() const {
    auto results = eval::evaluate(model.imported(), tensors);
    EXPECT_TRUE(results.ok()) << results.problem().message;
    return results.ok() ? *results : std::vector<Tensor>{};
  }
};

constexpr int64_t T = 3, B = 2, I = 4, H = 2;

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// One direction, written as plain loops. x · w, h · r and both biases of a gate.
struct Plain {
  const std::vector<double>&x, &w, &r, &b;
  int64_t gates;

  double from_input(int64_t t, int64_t n, int64_t row) const {
    double sum = b.empty() ? 0 : b[static_cast<size_t>(row)];
    for (int64_t i = 0; i < I; ++i)
      sum += x[static_cast<size_t>((t * B + n) * I + i)] * w[static_cast<size_t>(row * I + i)];
    return sum;
  }
  double from_state(const std::vector<double>& h, int64_t n, int64_t row) const {
    double sum = b.empty() ? 0 : b[static_cast<size_t>(gates * H + row)];
    for (int64_t j = 0; j < H; ++j) sum += h[static_cast<size_t>(n * H + j)] * r[static_cast<size_t>(row * H + j)];
    return sum;
  }
};

void expect_near(const Tensor& tensor, const std::vector<int64_t>& shape, const std::vector<double>& want) {
  ASSERT_EQ(tensor.shape, shape);
  for (size_t i = 0; i < want.size(); ++i)
    EXPECT_NEAR(eval::element(tensor, static_cast<int64_t>(i)), want[i], 1e-5) << i;
}

TEST(Recurrent, RnnStopsWhereASequenceEnds) {
  Recurrent one;
  auto& node = one.node(
      "RNN",
      {{"x", {T, B, I}}, {"w", {1, H, I}}, {"r", {1, H, H}}, {"b", {1, 2 * H}}, {"lengths", {B}}, {"h", {1, B, H}}},
      {"y", "last"});
  set(node, "hidden_size", H);
  std::vector<double> h = one.data[5], all;
  Plain plain{one.data[0], one.data[1], one.data[2], one.data[3], 1};
  for (int64_t t = 0; t < T; ++t) {
    std::vector<double> next = h;
    for (int64_t n = 0; n < B; ++n)
      for (int64_t j = 0; j < H; ++j) {
        double value = std::tanh(plain.from_input(t, n, j) + plain.from_state(h, n, j));
        bool active = t < (n == 0 ? 2 : 3);
        if (active) next[static_cast<size_t>(n * H + j)] = value;
        all.push_back(active ? value : 0);
      }
    h = next;
  }
  auto results = one.run();
  expect_near(results[0], {T, 1, B, H}, all);
  expect_near(results[1], {1, B, H}, h);
}

void expect_gru(bool linear_before_reset, bool batch_first) {
  Recurrent one;
  auto shape = [&](int64_t a, int64_t b, int64_t c) {
    return batch_first ? std::vector<int64_t>{b, a, c} : std::vector<int64_t>{a, b, c};
  };
  auto& node = one.node("GRU", {{"x", shape(T, B, I)}, {"w", {1, 3 * H, I}}, {"r", {1, 3 * H, H}}, {"b", {1, 6 * H}}},
                        {"y", "last"});
  set(node, "linear_before_reset", int64_t{linear_before_reset});
  set(node, "layout", int64_t{batch_first});
  std::vector<double> x(one.data[0].size());
  for (int64_t t = 0; t < T; ++t)
    for (int64_t n = 0; n < B; ++n)
      for (int64_t i = 0; i < I; ++i)
        x[static_cast<size_t>((t * B + n) * I + i)] =
            one.data[0][static_cast<size_t>(batch_first ? (n * T + t) * I + i : (t * B + n) * I + i)];
  Plain plain{x, one.data[1], one.data[2], one.data[3], 3};
  std::vector<double> h(B * H, 0);
  for (int64_t t = 0; t < T; ++t) {
    std::vector<double> next, gated, z(B * H), r(B * H);
    for (int64_t n = 0; n < B; ++n)
      for (int64_t j = 0; j < H; ++j) {
        size_t at = static_cast<size_t>(n * H + j);
        z[at] = sigmoid(plain.from_input(t, n, j) + plain.from_state(h, n, j));
        r[at] = sigmoid(plain.from_input(t, n, H + j) + plain.from_state(h, n, H + j));
      }
    for (size_t i = 0; i < h.size(); ++i) gated.push_back(r[i] * h[i]);
    for (int64_t n = 0; n < B; ++n)
      for (int64_t j = 0; j < H; ++j) {
        size_t at = static_cast<size_t>(n * H + j);
        double inner =
            linear_before_reset ? r[at] * plain.from_state(h, n, 2 * H + j) : plain.from_state(gated, n, 2 * H + j);
        next.push_back((1 - z[at]) * std::tanh(plain.from_input(t, n, 2 * H + j) + inner) + z[at] * h[at]);
      }
    h = next;
  }
  expect_near(one.run()[1], batch_first ? std::vector<int64_t>{B, 1, H} : std::vector<int64_t>{1, B, H}, h);
}

TEST(Recurrent, GruInAllItsForms) {
  for (bool linear_before_reset : {false, true})
    for (bool batch_first : {false, true}) expect_gru(linear_before_reset, batch_first);
}

TEST(Recurrent, LstmWithPeepholesClipAndCoupledGates) {
  for (bool coupled : {false, true}) {
    Recurrent one;
    auto& node = one.node("LSTM",
                          {{"x", {T, B, I}},
                           {"w", {1, 4 * H, I}},
                           {"r", {1, 4 * H, H}},
                           {"b", {1, 8 * H}},
                           {"", {}},
                           {"h", {1, B, H}},
                           {"c", {1, B, H}},
                           {"p", {1, 3 * H}}},
                          {"y", "last", "cell"});
    set(node, "clip", 0.5F);
    set(node, "input_forget", int64_t{coupled});
    std::vector<double> h = one.data[5], c = one.data[6];
    const std::vector<double>& p = one.data[7];
    Plain plain{one.data[0], one.data[1], one.data[2], one.data[3], 4};
    auto clip = [](double x) { return std::max(-0.5, std::min(0.5, x)); };
    for (int64_t t = 0; t < T; ++t) {
      std::vector<double> next_h, next_c;
      for (int64_t n = 0; n < B; ++n)
        for (int64_t j = 0; j < H; ++j) {
          size_t at = static_cast<size_t>(n * H + j), k = static_cast<size_t>(j);
          auto gate = [&](int64_t g) { return plain.from_input(t, n, g * H + j) + plain.from_state(h, n, g * H + j); };
          double input = sigmoid(clip(gate(0) + p[k] * c[at]));
          double forget = coupled ? 1 - input : sigmoid(clip(gate(2) + p[2 * H + k] * c[at]));
          double cell = forget * c[at] + input * std::tanh(clip(gate(3)));
          double output = sigmoid(clip(gate(1) + p[H + k] * cell));
          next_c.push_back(cell);
          next_h.push_back(output * std::tanh(cell));
        }
      h = next_h;
      c = next_c;
    }
    auto results = one.run();
    expect_near(results[1], {1, B, H}, h);
    expect_near(results[2], {1, B, H}, c);
  }
}

// Both directions are what each gives alone.
TEST(Recurrent, BothDirections) {
  auto last = [](const char* direction, int64_t count) {
    Recurrent one;
    auto& node = one.node("RNN", {{"x", {T, B, I}}, {"w", {count, H, I}}, {"r", {count, H, H}}}, {"", "last"});
    set(node, "direction", std::string(direction));
    auto* activations = node.add_attribute();
    activations->set_name("activations");
    activations->set_type(onnx::AttributeProto::STRINGS);
    for (int64_t d = 0; d < count; ++d) activations->add_strings(d == 0 ? "Softsign" : "Affine");
    return eval::values_of(one.run()[0]);
  };
  std::vector<double> both = last("bidirectional", 2), forward = last("forward", 1);
  ASSERT_EQ(both.size(), 2u * B * H);
  EXPECT_EQ(std::vector<double>(both.begin(), both.begin() + B * H), forward);
}

TEST(Recurrent, WhatDoesNotFitIsToldByNumber) {
  Recurrent one;
  one.node("GRU", {{"x", {T, B, I}}, {"w", {1, 3 * H, I}}, {"r", {1, 2 * H, H}}}, {"y"});
  EXPECT_NE(one.model.refusal().find("dimension 1 of input number 2 is 4, not 6"), std::string::npos)
      << one.model.refusal();
  Recurrent other;
  auto& node = other.node("RNN", {{"x", {T, B, I}}, {"w", {1, H, I}}, {"r", {1, H, H}}}, {"y"});
  auto* activations = node.add_attribute();
  activations->set_name("activations");
  activations->set_type(onnx::AttributeProto::STRINGS);
  activations->add_strings("ScaledTanh");
  EXPECT_NE(other.model.refusal().find("activation 'ScaledTanh' needs activation_alpha and activation_beta"),
            std::string::npos);
}

}  // namespace
}  // namespace hone::import
