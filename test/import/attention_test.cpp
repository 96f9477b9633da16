// Attention and its kin, against plain loops.
#include <cmath>
#include <limits>

#include "evaluated.h"

namespace hone::import {
namespace {

const double kInfinity = std::numeric_limits<double>::infinity();

// Heads of one batch element as rows.
struct Sizes {
  int64_t batch, query_heads, heads, queries, keys, depth, width;
};

using Bias = std::function<double(int64_t b, int64_t h, int64_t i, int64_t j)>;  // added to a score

std::vector<double> plain_attention(const Sizes& s, const eval::Tensor& q, const eval::Tensor& k, const eval::Tensor& v,
                                    const Bias& bias) {
  std::vector<double> result;
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t h = 0; h < s.query_heads; ++h)
      for (int64_t i = 0; i < s.queries; ++i) {
        int64_t shared = b * s.heads + h / (s.query_heads / s.heads);
        std::vector<double> weights;
        double sum = 0;
        for (int64_t j = 0; j < s.keys; ++j) {
          double score = 0;
          for (int64_t d = 0; d < s.depth; ++d)
            score += eval::element(q, ((b * s.query_heads + h) * s.queries + i) * s.depth + d) *
                     eval::element(k, (shared * s.keys + j) * s.depth + d);
          weights.push_back(std::exp(score / std::sqrt(static_cast<double>(s.depth)) + bias(b, h, i, j)));
          sum += weights.back();
        }
        for (int64_t e = 0; e < s.width; ++e) {
          double value = 0;
          for (int64_t j = 0; j < s.keys; ++j)
            value += weights[static_cast<size_t>(j)] / sum * eval::element(v, (shared * s.keys + j) * s.width + e);
          result.push_back(value);
        }
      }
  return result;
}

double no_bias(int64_t, int64_t, int64_t, int64_t) {
  return 0;
}

TEST(Attention, GroupsOfQueryHeadsShareAKeyHead) {
  Sizes s{2, 4, 2, 3, 5, 4, 3};
  Model model(23);
  model.input("q", {"b", "4", "l", "4"});
  model.input("k", {"b", "2", "s", "4"});
  model.input("v", {"b", "2", "s", "3"});
  model.node("Attention", {"q", "k", "v"}, {"y"});
  model.output("y");
  eval::Tensor q = random_floats({2, 4, 3, 4}, 1), k = random_floats({2, 2, 5, 4}, 2),
               v = random_floats({2, 2, 5, 3}, 3);
  expect_values(evaluated(model, {q, k, v})[0], {2, 4, 3, 3}, plain_attention(s, q, k, v, no_bias), 1e-5);
}

TEST(Attention, CausalAfterThePastWithAMask) {
  Sizes s{2, 2, 2, 3, 5, 4, 4};
  Model model(23);
  model.input("q", {"b", "2", "3", "4"});
  model.input("k", {"b", "2", "3", "4"});
  model.input("v", {"b", "2", "3", "4"});
  model.input("mask", {"3", "5"});
  model.input("past_k", {"b", "2", "p", "4"});
  model.input("past_v", {"b", "2", "p", "4"});
  auto& node = model.node("Attention", {"q", "k", "v", "mask", "past_k", "past_v"}, {"y", "pk", "pv", "qk"});
  set(node, "is_causal", int64_t{1});
  set(node, "qk_matmul_output_mode", int64_t{2});
  for (const char* name : {"y", "pk", "pv", "qk"}) model.output(name);
  eval::Tensor q = random_floats({2, 2, 3, 4}, 1), k = random_floats({2, 2, 5, 4}, 2),
               v = random_floats({2, 2, 5, 4}, 3), mask = random_floats({3, 5}, 4);
  auto part = [](const eval::Tensor& all, int64_t begin, int64_t end) {
    eval::Tensor cut = eval::zeros(ir::DType::F32, {2, 2, end - begin, 4});
    for (int64_t i = 0; i < eval::count_of(cut.shape); ++i) {
      int64_t head = i / ((end - begin) * 4), rest = i % ((end - begin) * 4);
      eval::set_element(cut, i, eval::element(all, head * 20 + begin * 4 + rest));
    }
    return cut;
  };
  auto results = evaluated(model, {q, part(k, 2, 5), part(v, 2, 5), mask, part(k, 0, 2), part(v, 0, 2)});
  Bias bias = [&](int64_t, int64_t, int64_t i, int64_t j) {
    return j > i + 2 ? -kInfinity : eval::element(mask, i * 5 + j);
  };
  expect_values(results[0], {2, 2, 3, 4}, plain_attention(s, q, k, v, bias), 1e-5);
  EXPECT_EQ(results[1].bytes, k.bytes);
  EXPECT_EQ(results[2].bytes, v.bytes);
  EXPECT_EQ(eval::element(results[3], 3), -kInfinity);
}

TEST(Attention, PackedHeadsAndLengthsOfABatch) {
  Sizes s{2, 2, 2, 1, 4, 3, 3};
  Model model(24);
  model.input("q", {"2", "1", "6"});
  model.input("k", {"2", "4", "6"});
  model.input("v", {"2", "4", "6"});
  model.input("mask", {"1", "3"}, onnx::TensorProto::BOOL);
  model.input("lengths", {"2"}, onnx::TensorProto::INT64);
  auto& node = model.node("Attention", {"q", "k", "v", "mask", "", "", "lengths"}, {"y"});
  set(node, "q_num_heads", int64_t{2});
  set(node, "kv_num_heads", int64_t{2});
  model.output("y");
  eval::Tensor q = random_floats({2, 1, 6}, 1), k = random_floats({2, 4, 6}, 2), v = random_floats({2, 4, 6}, 3);
  auto apart = [](const eval::Tensor& packed, int64_t length) {
    eval::Tensor split = eval::zeros(ir::DType::F32, {2, 2, length, 3});
    for (int64_t i = 0; i < eval::count_of(split.shape); ++i) {
      int64_t batch = i / (6 * length), head = i / (3 * length) % 2, place = i / 3 % length;
      eval::set_element(split, i, eval::element(packed, (batch * length + place) * 6 + head * 3 + i % 3));
    }
    return split;
  };
  Bias bias = [](int64_t b, int64_t, int64_t, int64_t j) {
    bool seen = (j == 0 || j == 2) && j < (b == 0 ? 1 : 3);
    return seen ? 0 : -kInfinity;
  };
  auto results = evaluated(model, {q, k, v, eval::filled(ir::DType::Bool, {1, 3}, {1, 0, 1}), integers({2}, {1, 3})});
  expect_values(results[0], {2, 1, 6}, plain_attention(s, apart(q, 1), apart(k, 4), apart(v, 4), bias), 1e-5);
}

std::string attention_refusal(const std::vector<std::vector<std::string>>& shapes,
                              const std::vector<std::string>& inputs,
                              const std::function<void(onnx::NodeProto&)>& change = nullptr) {
  Model model(23);
  const char* names[] = {"q", "k", "v", "past"};
  for (size_t i = 0; i < shapes.size(); ++i) model.input(names[i], shapes[i]);
  auto& node = model.node("Attention", inputs, {"y"});
  if (change) change(node);
  model.output("y");
  return model.refusal();
}

TEST(Attention, RefusesWhatDoesNotFit) {
  auto says = [](const std::string& refusal, const char* text) { return refusal.find(text) != std::string::npos; };
  std::vector<std::string> packed = {"1", "2", "6"}, whole = {"1", "3", "2", "4"}, two = {"1", "2", "2", "4"};
  EXPECT_TRUE(says(attention_refusal({packed, packed, packed}, {"q", "k", "v"}),
                   "operands of rank 3 need the attribute q_num_heads"));
  EXPECT_TRUE(says(attention_refusal({whole, two, two}, {"q", "k", "v"}), "3 query heads do not divide among 2 heads"));
  EXPECT_TRUE(says(attention_refusal({two, two, two, two}, {"q", "k", "v", "", "past"}),
                   "past_key and past_value must be given together"));
  EXPECT_TRUE(says(attention_refusal({two, two, packed}, {"q", "k", "v"}), "its operands have ranks 4, 4 and 3"));
  EXPECT_TRUE(says(attention_refusal({two, two, two}, {"q", "k", "v"},
                                     [](auto& node) { set(node, "qk_matmul_output_mode", int64_t{4}); }),
                   "qk_matmul_output_mode is 4; 0 to 3 are known"));
}

// Sizes that must be equal get one name, whichever stands first in the model.
TEST(Attention, ManyNamesForOneSize) {
  Sizes s{2, 1, 1, 3, 4, 2, 2};
  Model model(23);
  model.input("mask", {"mb", "1", "ml", "ms"});
  model.input("v", {"vb", "1", "vs", "2"});
  model.input("k", {"kb", "1", "ks", "2"});
  model.input("q", {"qb", "1", "ql", "2"});
  model.node("Attention", {"q", "k", "v", "mask"}, {"y"});
  model.output("y");
  EXPECT_EQ(output_shape(model.imported()), "[mb, 1, ml, 2]");
  eval::Tensor q = random_floats({2, 1, 3, 2}, 1), k = random_floats({2, 1, 4, 2}, 2),
               v = random_floats({2, 1, 4, 2}, 3), mask = random_floats({2, 1, 3, 4}, 4);
  Bias bias = [&](int64_t b, int64_t, int64_t i, int64_t j) { return eval::element(mask, (b * 3 + i) * 4 + j); };
  expect_values(evaluated(model, {mask, v, k, q})[0], {2, 1, 3, 2}, plain_attention(s, q, k, v, bias), 1e-5);
}

TEST(FlexAttention, GraphsChangeScoresAndProbabilities) {
  Sizes s{1, 2, 2, 2, 3, 4, 4};
  Model model(24);
  auto* preview = model.model().add_opset_import();
  preview->set_domain("ai.onnx.preview");
  preview->set_version(1);
  model.input("q", {"1", "2", "2", "4"});
  model.input("k", {"1", "2", "3", "4"});
  model.input("v", {"1", "2", "3", "4"});
  model.input("bias", {"2", "3"});
  auto& node = model.node("FlexAttention", {"q", "k", "v"}, {"y"});
  node.set_domain("ai.onnx.preview");
  Graph scores = branch(node, "score_mod");
  set_shape(*scores.proto().add_input(), "x", {"1", "2", "2", "3"}, onnx::TensorProto::FLOAT);
  scores.node("Add", {"x", "bias"}, {"z"});
  scores.output("z");
  Graph probabilities = branch(node, "prob_mod");
  set_shape(*probabilities.proto().add_input(), "x", {"1", "2", "2", "3"}, onnx::TensorProto::FLOAT);
  probabilities.node("Neg", {"x"}, {"z"});
  probabilities.output("z");
  model.output("y");
  eval::Tensor q = random_floats({1, 2, 2, 4}, 1), k = random_floats({1, 2, 3, 4}, 2),
               v = random_floats({1, 2, 3, 4}, 3), bias = random_floats({2, 3}, 4);
  std::vector<double> expected = plain_attention(
      s, q, k, v, [&](int64_t, int64_t, int64_t i, int64_t j) { return eval::element(bias, i * 3 + j); });
  for (double& value : expected) value = -value;
  expect_values(evaluated(model, {q, k, v, bias})[0], {1, 2, 2, 4}, expected, 1e-5);
}

TEST(FlexAttention, TellsWhatItsGraphsCannotDo) {
  Model model(24);
  model.input("q", {"1", "2", "2", "4"});
  auto& node = model.node("FlexAttention", {"q", "q", "q"}, {"y"});
  node.set_domain("ai.onnx.preview");
  Graph scores = branch(node, "score_mod");
  set_shape(*scores.proto().add_input(), "x", {"1", "2", "2", "2"}, onnx::TensorProto::FLOAT);
  scores.node("NoSuchOperator", {"x"}, {"z"});
  scores.output("z");
  model.output("y");
  EXPECT_NE(model.refusal().find("NoSuchOperator: this operator is not supported"), std::string::npos)
      << model.refusal();
  node.set_domain("com.example");
  EXPECT_NE(model.refusal().find("com.example.FlexAttention: this operator is not supported; operators of ONNX itself"),
            std::string::npos);
}

TEST(Rotary, TurnsPairsOfAPartOfTheWidth) {
  for (int64_t interleaved : {0, 1}) {
    Model model(23);
    model.input("x", {"b", "1", "l", "6"});
    model.input("cos", {"5", "2"});
    model.input("sin", {"5", "2"});
    model.input("at", {"b", "l"}, onnx::TensorProto::INT64);
    auto& node = model.node("RotaryEmbedding", {"x", "cos", "sin", "at"}, {"y"});
    set(node, "rotary_embedding_dim", int64_t{4});
    set(node, "interleaved", interleaved);
    model.output("y");
    eval::Tensor x = random_floats({1, 1, 2, 6}, 1), cosine = random_floats({5, 2}, 2), sine = random_floats({5, 2}, 3);
    std::vector<double> expected = eval::values_of(x);
    const int64_t at[] = {4, 1};
    for (int64_t l = 0; l < 2; ++l)
      for (int64_t pair = 0; pair < 2; ++pair) {
        size_t a = static_cast<size_t>(l * 6 + (interleaved ? 2 * pair : pair));
        size_t b = a + (interleaved ? 1 : 2);
        double c = eval::element(cosine, at[l] * 2 + pair), d = eval::element(sine, at[l] * 2 + pair);
        double real = expected[a] * c - expected[b] * d;
        expected[b] = expected[a] * d + expected[b] * c;
        expected[a] = real;
      }
    expect_values(evaluated(model, {x, cosine, sine, integers({1, 2}, {4, 1})})[0], {1, 1, 2, 6}, expected, 1e-5);
  }
}

TEST(Rotary, RefusesAnOddWidth) {
  Model model(23);
  model.input("x", {"1", "1", "2", "5"});
  model.input("cache", {"1", "2", "2"});
  model.node("RotaryEmbedding", {"x", "cache", "cache"}, {"y"});
  model.output("y");
  EXPECT_NE(model.refusal().find("5 of 5 elements of a head cannot turn in pairs"), std::string::npos);
}

}  // namespace
}  // namespace hone::import
