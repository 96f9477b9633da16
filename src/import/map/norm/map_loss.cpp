#include <numeric>

#include "import/map/steps_internal.h"

namespace hone::import {

namespace {

// Operands of a loss: scores [N, C, …], labels [N, …], and perhaps a weight for each of the C classes.
struct Loss {
  ValueId labels, weights;
  ir::Shape scores, samples;
  std::string reduction;
};

Result<Loss> loss_of(Node& node) {
  size_t rank = node.rank(0);
  if (rank < 2) return error("its scores have rank {}; at least 2 is needed", rank);
  if (node.rank(1) + 1 != rank) return error("its labels have rank {}, its scores {}", node.rank(1), rank);
  if (node.has(2) && node.rank(2) != 1) return error("its weights have rank {}, not 1", node.rank(2));
  ir::DType type = node.type(1).dtype;
  if (type != ir::DType::I32 && type != ir::DType::I64)
    return error("its labels are {}, not i32 or i64", name_of(type));
  Loss loss{node.input(1), node.input(2), {}, {}, node.attributes().text("reduction", "mean")};
  if (loss.reduction != "mean" && loss.reduction != "sum" && loss.reduction != "none")
    return error("its reduction '{}' is unknown; none, sum and mean are known", loss.reduction);
  for (size_t d = 0; d + 1 < rank; ++d) HONE_PASS(node.match(node.input(0), d == 0 ? 0 : d + 1, loss.labels, d));
  if (node.has(2)) HONE_PASS(node.match(node.input(0), 1, loss.weights, 0));
  loss.scores = node.shape(0);
  loss.samples = node.type_of(loss.labels).shape;
  return loss;
}

ValueId reduced(Steps& steps, OpKind kind, ValueId samples, const Loss& loss) {
  std::vector<int64_t> axes(loss.samples.size());
  std::iota(axes.begin(), axes.end(), 0);
  return steps.reduce(kind, samples, axes, false);
}

// -weight[label] * log_probability[label] for each sample; zero where the label is the ignored one.
ValueId loss_value(Node& node, Steps& steps, ValueId log_probability, const Loss& loss) {
  ir::DType type = node.type(0).dtype;
  ValueId zero = steps.number(type, 0), labels = loss.labels, ignored = ir::kAbsent;
  if (node.attributes().has("ignore_index")) {
    ir::DType index = node.type(1).dtype;
    double number = static_cast<double>(node.attributes().integer("ignore_index", 0));
    ignored = steps.op(OpKind::Equal, {labels, steps.number(index, number)});
    labels = steps.where(ignored, steps.number(index, 0), labels);
  }
  auto unless_ignored = [&](ValueId value) {
    return ignored == ir::kAbsent ? value : steps.where(ignored, zero, value);
  };
  ir::Shape one_class = loss.scores;
  one_class[1] = 1;
  ValueId picked =
      steps.op(OpKind::GatherElements, {log_probability, steps.reshape(labels, one_class)}, {{"axis", int64_t{1}}});
  ValueId each = steps.op(OpKind::Neg, {steps.reshape(picked, loss.samples)});
  ValueId weight = ir::kAbsent;
  if (loss.weights != ir::kAbsent) {
    weight = unless_ignored(steps.op(OpKind::Gather, {loss.weights, labels}, {{"axis", int64_t{0}}}));
    each = steps.mul(each, weight);
  } else if (ignored != ir::kAbsent) {
    weight = steps.where(ignored, zero, steps.number(type, 1));
  }
  each = unless_ignored(each);
  if (loss.reduction == "none") return each;
  if (loss.reduction == "mean" && weight == ir::kAbsent) return reduced(steps, OpKind::ReduceMean, each, loss);
  ValueId sum = reduced(steps, OpKind::ReduceSum, each, loss);
  return loss.reduction == "sum" ? sum : steps.div(sum, reduced(steps, OpKind::ReduceSum, weight, loss));
}

}  // namespace

Result<Values> map_negative_log_likelihood(Node& node) {
  HONE_TRY(Loss loss, loss_of(node));
  Steps steps(node);
  return steps.done({loss_value(node, steps, node.input(0), loss)});
}

Result<Values> map_softmax_cross_entropy(Node& node) {
  HONE_TRY(Loss loss, loss_of(node));
  Steps steps(node);
  ValueId log_probability = steps.op(OpKind::LogSoftmax, {node.input(0)}, {{"axis", int64_t{1}}});
  return steps.done({loss_value(node, steps, log_probability, loss), log_probability});
}

}  // namespace hone::import
