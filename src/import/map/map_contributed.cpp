// Operators of the domain com.microsoft that optimised models carry.
#include "import/map/contributed_internal.h"

namespace hone::import {
namespace {

Result<ValueId> sum_of(Node& node, ValueId a, ValueId b) {
  Values values{a, b};
  HONE_PASS(node.match_broadcast(values));
  return node.emit(OpKind::Add, values);
}

Result<ValueId> turned(Node& node, ValueId value) {
  size_t rank = node.type_of(value).shape.size();
  if (rank < 2) return value;
  std::vector<int64_t> perm;
  for (size_t d = 0; d < rank; ++d) perm.push_back(static_cast<int64_t>(d));
  std::swap(perm[rank - 1], perm[rank - 2]);
  return node.emit(OpKind::Transpose, {value}, {{"perm", perm}});
}

Result<ValueId> activated(Node& node, ValueId x) {
  std::string name = node.attributes().text("activation", "");
  std::vector<double> numbers = node.attributes().numbers("activation_params");
  auto need = [&](size_t count) -> Status {
    if (numbers.size() == count) return Done{};
    return error("activation '{}' needs {} activation_params, has {}", name, count, numbers.size());
  };
  if (name.empty()) return x;
  if (name == "Relu") return node.emit(OpKind::Relu, {x});
  if (name == "Tanh") return node.emit(OpKind::Tanh, {x});
  if (name == "Sigmoid") return node.emit(OpKind::Sigmoid, {x});
  if (name == "LeakyRelu") {
    HONE_PASS(need(1));
    return node.emit(OpKind::LeakyRelu, {x}, {{"alpha", numbers[0]}});
  }
  if (name == "Clip") {
    HONE_PASS(need(2));
    return node.emit(OpKind::Clip, {x}, {{"min", numbers[0]}, {"max", numbers[1]}});
  }
  if (name == "HardSigmoid") {
    HONE_PASS(need(2));
    return node.emit(OpKind::HardSigmoid, {x}, {{"alpha", numbers[0]}, {"beta", numbers[1]}});
  }
  return error("activation '{}' is not supported; Relu, Tanh, Sigmoid, LeakyRelu, Clip and HardSigmoid would work",
               name);
}

}  // namespace

Result<Values> map_bias_gelu(Node& node) {
  ValueId x = node.input(0);
  if (node.has(1)) {
    HONE_TRY(x, sum_of(node, x, node.input(1)));
  }
  std::string form = node.op_type() == "FastGelu" ? "tanh" : "none";
  return Node::single(node.emit(OpKind::Gelu, {x}, {{"approximate", form}}));
}

// x · sigmoid(α x)
Result<Values> map_quick_gelu(Node& node) {
  HONE_TRY(ValueId alpha, node.scalar(node.type(0).dtype, node.attributes().number("alpha", 1.702F)));
  HONE_TRY(ValueId inner, node.emit(OpKind::Mul, {node.input(0), alpha}));
  HONE_TRY(ValueId gate, node.emit(OpKind::Sigmoid, {inner}));
  return Node::single(node.emit(OpKind::Mul, {node.input(0), gate}));
}

// Conv, then a sum with the fourth input, then the activation.
Result<Values> map_fused_conv(Node& node) {
  HONE_TRY(Values values, map_conv(node));
  ValueId result = values[0];
  if (node.has(3)) {
    HONE_TRY(result, sum_of(node, result, node.input(3)));
  }
  return Node::single(activated(node, result));
}

Result<Values> map_fused_matmul(Node& node) {
  Attributes& attributes = node.attributes();
  if (attributes.integer("transBatchA", 0) != 0 || attributes.integer("transBatchB", 0) != 0)
    return error("transBatchA and transBatchB are not supported; a Transpose before it would work");
  if (node.rank(0) == 0 || node.rank(1) == 0) return error("it takes no scalars");
  ValueId a = node.input(0), b = node.input(1);
  if (attributes.integer("transA", 0) != 0) {
    HONE_TRY(a, turned(node, a));
  }
  if (attributes.integer("transB", 0) != 0) {
    HONE_TRY(b, turned(node, b));
  }
  size_t rank_a = node.rank(0), rank_b = node.rank(1);
  HONE_PASS(node.match(b, rank_b == 1 ? 0 : rank_b - 2, a, rank_a - 1));
  HONE_TRY(ValueId product, node.emit(OpKind::MatMul, {a, b}));
  double alpha = attributes.number("alpha", 1);
  if (alpha == 1) return Values{product};
  HONE_TRY(ValueId factor, node.scalar(node.type_of(product).dtype, alpha));
  return Node::single(node.emit(OpKind::Mul, {product, factor}));
}

// (x + skip + bias), normalised; the sum is the last of four results.
Result<Values> map_skip_norm(Node& node) {
  bool simple = node.kind() == OpKind::RMSNormalization;
  size_t bias = simple ? 3 : 4;
  if (node.wants(1) || node.wants(2)) return error("its mean and deviation are not supported as results");
  HONE_TRY(ValueId sum, sum_of(node, node.input(0), node.input(1)));
  if (node.has(bias)) {
    HONE_TRY(sum, sum_of(node, sum, node.input(bias)));
  }
  Values inputs{sum, node.input(2)};
  if (!simple && node.has(3)) inputs.push_back(node.input(3));
  size_t rank = node.type_of(sum).shape.size();
  if (rank == 0) return error("it takes no scalars");
  AttributeMap map{{"axis", static_cast<int64_t>(rank) - 1}, {"epsilon", node.attributes().number("epsilon", 1e-12F)}};
  HONE_TRY(ValueId result, node.emit(node.kind(), inputs, map));
  return Values{result, result, result, sum};
}

}  // namespace hone::import
