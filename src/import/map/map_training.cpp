// The optimisers of the domain ai.onnx.preview.training: one step for every tensor that is trained.
#include "import/node_internal.h"

namespace hone::import {
namespace {

// Builds a formula; what follows a refused operation builds nothing, and `problem` says why.
class Formula {
 public:
  Formula(Node& node, DType type) : node_(node), type_(type) {}

  ValueId apply(OpKind kind, Values inputs) { return kept(node_.emit(kind, std::move(inputs))); }
  ValueId number(double value) { return kept(node_.scalar(type_, value)); }
  ValueId cast(ValueId value) { return problem ? ir::kAbsent : kept(node_.cast(value, type_)); }
  ValueId plus(ValueId a, ValueId b) { return apply(OpKind::Add, {a, b}); }
  ValueId minus(ValueId a, ValueId b) { return apply(OpKind::Sub, {a, b}); }
  ValueId times(ValueId a, ValueId b) { return apply(OpKind::Mul, {a, b}); }
  ValueId times(double a, ValueId b) { return times(number(a), b); }
  ValueId over(ValueId a, ValueId b) { return apply(OpKind::Div, {a, b}); }
  ValueId root(ValueId a) { return apply(OpKind::Sqrt, {a}); }
  ValueId choose(ValueId condition, ValueId yes, ValueId no) { return apply(OpKind::Where, {condition, yes, no}); }

  std::optional<Error> problem;

 private:
  ValueId kept(Result<ValueId> value) {
    if (value && !problem) return *value;
    if (!problem) problem = value.problem();
    return ir::kAbsent;
  }
  Node& node_;
  DType type_;
};

// What one step sees of a tensor: itself, its gradient, and the states that the optimiser keeps of it.
struct Trained {
  ValueId rate, steps, x, gradient;
  Values states;
};

// The tensor after the step, and its states.
using Step = Values (*)(Node& node, Formula& f, const Trained& now);

// Inputs are the rate, the number of steps done, then all tensors, all gradients, all first states, …
Result<Values> step_all(Node& node, size_t states, Step step) {
  size_t given = node.input_count(), each = 2 + states;
  if (given < 2 + each || (given - 2) % each != 0)
    return error("it has {} inputs; 2 and {} per tensor would work", given, each);
  size_t tensors = (given - 2) / each;
  std::vector<Values> results(1 + states);
  for (size_t i = 0; i < tensors; ++i) {
    DType type = node.type(2 + i).dtype;
    Formula f(node, type);
    Trained now{f.cast(node.input(0)), node.input(1), node.input(2 + i), node.input(2 + tensors + i), {}};
    for (size_t s = 0; s < states; ++s) now.states.push_back(node.input(2 + (2 + s) * tensors + i));
    Values after = step(node, f, now);
    if (f.problem) return *f.problem;
    for (size_t k = 0; k < after.size(); ++k) results[k].push_back(after[k]);
  }
  Values all;
  for (const Values& group : results) all.insert(all.end(), group.begin(), group.end());
  return all;
}

// The gradient of the loss and of half the squared norm.
ValueId regularised(Node& node, Formula& f, const Trained& now) {
  return f.plus(f.times(node.attributes().number("norm_coefficient", 0), now.x), now.gradient);
}

Values adagrad(Node& node, Formula& f, const Trained& now) {
  Attributes& attributes = node.attributes();
  ValueId slowed = f.plus(f.number(1), f.times(attributes.number("decay_factor", 0), f.cast(now.steps)));
  ValueId rate = f.over(now.rate, slowed), gradient = regularised(node, f, now);
  ValueId squares = f.plus(now.states[0], f.times(gradient, gradient));
  ValueId adaptive = f.plus(f.root(squares), f.number(attributes.number("epsilon", 1e-6F)));
  return {f.minus(now.x, f.over(f.times(rate, gradient), adaptive)), squares};
}

Values adam(Node& node, Formula& f, const Trained& now) {
  Attributes& attributes = node.attributes();
  double alpha = attributes.number("alpha", 0.9F), beta = attributes.number("beta", 0.999F);
  ValueId gradient = regularised(node, f, now);
  ValueId mean = f.plus(f.times(alpha, now.states[0]), f.times(1 - alpha, gradient));
  ValueId square = f.plus(f.times(beta, now.states[1]), f.times(1 - beta, f.times(gradient, gradient)));
  ValueId scale = f.plus(f.root(square), f.number(attributes.number("epsilon", 1e-6F)));
  // Averages that began at zero are too small in the first steps.
  ValueId steps = f.cast(now.steps), one = f.number(1);
  auto missing = [&](double factor) { return f.minus(one, f.apply(OpKind::Pow, {f.number(factor), steps})); };
  ValueId corrected = f.over(f.times(now.rate, f.root(missing(beta))), missing(alpha));
  ValueId rate = f.choose(f.apply(OpKind::Greater, {steps, f.number(0)}), corrected, now.rate);
  ValueId moved = f.minus(now.x, f.over(f.times(rate, mean), scale));
  return {f.times(1 - attributes.number("norm_coefficient_post", 0), moved), mean, square};
}

Values momentum(Node& node, Formula& f, const Trained& now) {
  Attributes& attributes = node.attributes();
  double alpha = attributes.number("alpha", 0);
  ValueId gradient = regularised(node, f, now);
  ValueId first = f.apply(OpKind::Greater, {f.cast(now.steps), f.number(0)});
  ValueId beta = f.choose(first, f.number(attributes.number("beta", 0)), f.number(1));
  ValueId moving = f.plus(f.times(alpha, now.states[0]), f.times(beta, gradient));
  bool ahead = attributes.text("mode", "") == "nesterov";
  ValueId direction = ahead ? f.plus(gradient, f.times(alpha, moving)) : moving;
  return {f.minus(now.x, f.times(now.rate, direction)), moving};
}

}  // namespace

Result<Values> map_adagrad(Node& node) {
  return step_all(node, 1, adagrad);
}

Result<Values> map_adam(Node& node) {
  return step_all(node, 2, adam);
}

Result<Values> map_momentum(Node& node) {
  std::string mode = node.attributes().text("mode", "");
  if (mode != "standard" && mode != "nesterov") return error("its mode '{}' is neither standard nor nesterov", mode);
  return step_all(node, 1, momentum);
}

}  // namespace hone::import
