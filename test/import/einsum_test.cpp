#include "evaluated.h"

namespace hone::import {
namespace {

using Ints = std::vector<int64_t>;

eval::Tensor einsum(const std::string& equation, const std::vector<eval::Tensor>& operands, bool symbolic = false) {
  Model model;
  std::vector<std::string> names;
  for (size_t k = 0; k < operands.size(); ++k) {
    names.push_back("x" + std::to_string(k));
    Dims dims;
    for (size_t d = 0; d < operands[k].shape.size(); ++d)
      dims.push_back(symbolic ? names[k] + "d" + std::to_string(d) : std::to_string(operands[k].shape[d]));
    model.input(names[k], dims);
  }
  auto& node = model.node("Einsum", names, {"y"});
  set(node, "equation", equation);
  model.output("y");
  auto results = evaluated(model, operands);
  return results.empty() ? eval::Tensor{} : results[0];
}

TEST(Einsum, OfOneOperand) {
  eval::Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6}), square = floats({2, 2}, {1, 2, 3, 4});
  expect_values(einsum("ij->ji", {x}), {3, 2}, {1, 4, 2, 5, 3, 6});
  expect_values(einsum("ij -> i", {x}), {2}, {6, 15});
  expect_values(einsum("ij->", {x}), {}, {21});
  expect_values(einsum("ii->i", {square}), {2}, {1, 4});
  expect_values(einsum("ii", {square}), {}, {5});
  expect_values(einsum("ba", {x}), {3, 2}, {1, 4, 2, 5, 3, 6});
  expect_values(einsum("...j->...", {x}), {2}, {6, 15});
}

TEST(Einsum, OfTwoOperandsIsAProductOfMatrices) {
  eval::Tensor a = floats({2, 2}, {1, 2, 3, 4}), b = floats({2, 2}, {5, 6, 7, 8}), c = floats({2}, {10, 20});
  for (bool symbolic : {false, true}) {
    expect_values(einsum("ij,jk->ik", {a, b}, symbolic), {2, 2}, {19, 22, 43, 50});
    expect_values(einsum("ij,jk", {a, b}, symbolic), {2, 2}, {19, 22, 43, 50});
    expect_values(einsum("ij,kj->ki", {a, b}, symbolic), {2, 2}, {17, 39, 23, 53});
    expect_values(einsum("ij,ij->", {a, b}, symbolic), {}, {70});
    expect_values(einsum("i,j->ji", {c, c}, symbolic), {2, 2}, {100, 200, 200, 400});
    expect_values(einsum("ij,j->i", {a, c}, symbolic), {2}, {50, 110});
    expect_values(einsum("ij,kl->k", {a, b}, symbolic), {2}, {110, 150});
  }
}

TEST(Einsum, BatchesBroadcastAlongTheEllipsis) {
  eval::Tensor a = floats({2, 1, 2}, {1, 2, 3, 4}), b = floats({2, 1}, {10, 1}), one = floats({1, 2, 1}, {10, 1});
  expect_values(einsum("...ij,...jk->...ik", {a, b}), {2, 1, 1}, {12, 34});
  expect_values(einsum("...ij,...jk->...ik", {a, one}), {2, 1, 1}, {12, 34});
}

TEST(Einsum, OfThreeOperands) {
  eval::Tensor a = floats({2, 2}, {1, 2, 3, 4}), c = floats({2}, {10, 20});
  expect_values(einsum("i,ij,j->", {c, a, c}), {}, {100 + 400 + 600 + 1600});
  expect_values(einsum("ij,jk,k->ki", {a, a, c}), {2, 2}, {70, 150, 200, 440});
}

TEST(Einsum, RefusesEquationsThatDoNotFit) {
  struct Case {
    const char *equation, *reason;
  };
  for (const Case& c :
       {Case{"ij,jk->ik", "is for 2 operands, it has 1"}, Case{"ijk->i", "does not fit an operand of rank 2"},
        Case{"ij->k", "its result has 'k', which no operand has"}, Case{"ij->ii", "its result has 'i' twice"},
        Case{"i?->i", "the unexpected sign '?'"}}) {
    Model model;
    model.input("x", {"2", "3"});
    set(model.node("Einsum", {"x"}, {"y"}), "equation", std::string(c.equation));
    model.output("y");
    EXPECT_NE(model.refusal().find(c.reason), std::string::npos) << model.refusal();
  }
}

}  // namespace
}  // namespace hone::import
