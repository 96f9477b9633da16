#include "ir/program/body_builder.h"
#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

// CumSum, and CumProd, whose states begin at an operand: a state that is not given begins at zero.
ScanMeaning cumulative_meaning(const Program& program, const Op& op) {
  const bool product = op.kind == OpKind::CumProd;
  TensorType slice = input_type(program, op, 0);
  ScanMeaning scan;
  int axis = *axis_attribute(op, "axis", 0, slice.shape.size());
  bool reverse = op.integer("reverse", 0) != 0;
  slice.shape.erase(slice.shape.begin() + axis);
  BodyBuilder step(fmt::format("{}_step", name_of(op.kind)).c_str());
  ValueId before = step.input(product ? "product" : "sum", slice), x = step.input("x", slice);
  ValueId after = step.add(product ? OpKind::Mul : OpKind::Add, {before, x});
  bool exclusive = op.integer("exclusive", 0) != 0;
  scan.step = std::move(step).finish({after, exclusive ? before : after});
  scan.states_init = {product ? op.inputs[1] : kAbsent};
  scan.state_types = {slice};
  scan.scanned = {{0, axis, reverse}};
  scan.outputs = {{false, 0, axis, reverse}};
  return scan;
}

// One step of an LSTM. Gates stand in the order input, output, forget, cell, as ONNX has them in its weights.
class LstmStep {
 public:
  LstmStep(const Program& program, const Op& op)
      : step_("lstm_step"),
        x_(input_type(program, op, 0)),
        w_(input_type(program, op, 1)),
        r_(input_type(program, op, 2)),
        biased_(has_input(op, 3)) {}

  TensorType state_type() const { return {x_.dtype, {1, x_.shape[1], hidden()}}; }

  Program build(const TensorType* bias_type) {
    ValueId h = step_.input("h", state_type()), c = step_.input("c", state_type());
    ValueId x = step_.input("x", {x_.dtype, {x_.shape[1], x_.shape[2]}});
    ValueId w = step_.input("w", w_), r = step_.input("r", r_);
    ValueId bias = biased_ ? step_.input("b", *bias_type) : kAbsent;
    ValueId from_x = times_transposed(x, w, w_.shape[2], half_bias(bias, 0));
    ValueId from_h = times_transposed(step_.reshape(h, rows()), r, hidden(), half_bias(bias, 1));
    gates_ = step_.add(OpKind::Add, {from_x, from_h});
    ValueId input = step_.add(OpKind::Sigmoid, {gate(0)}), output = step_.add(OpKind::Sigmoid, {gate(1)});
    ValueId forget = step_.add(OpKind::Sigmoid, {gate(2)}), fresh = step_.add(OpKind::Tanh, {gate(3)});
    ValueId kept = times(forget, step_.reshape(c, rows()));
    ValueId cell = step_.add(OpKind::Add, {kept, times(input, fresh)});
    ValueId result = times(output, step_.add(OpKind::Tanh, {cell}));
    ValueId next_h = step_.reshape(result, state_type().shape), next_c = step_.reshape(cell, state_type().shape);
    return std::move(step_).finish({next_h, next_c, next_h});
  }

 private:
  Index hidden() const { return r_.shape[2]; }
  Shape rows() const { return {x_.shape[1], hidden()}; }
  ValueId times(ValueId a, ValueId b) { return step_.add(OpKind::Mul, {a, b}); }

  ValueId times_transposed(ValueId a, ValueId weight, const Index& depth, ValueId bias) {
    std::vector<ValueId> operands = {a, step_.reshape(weight, {hidden() * 4, depth})};
    if (bias != kAbsent) operands.push_back(bias);
    return step_.add(OpKind::Gemm, operands, {{"transB", int64_t{1}}});
  }

  // The bias is [1, 8H]: that of the input weights, then that of the recurrence.
  ValueId half_bias(ValueId bias, int64_t half) {
    if (bias == kAbsent) return kAbsent;
    ValueId halves = step_.reshape(bias, {2, hidden() * 4});
    ValueId row = step_.add_typed(OpKind::Slice, {halves}, {x_.dtype, {1, hidden() * 4}},
                                  {{"starts", std::vector<int64_t>{half, 0}}});
    return step_.reshape(row, {hidden() * 4});
  }

  ValueId gate(int64_t number) {
    if (!split_) split_ = step_.reshape(gates_, {x_.shape[1], 4, hidden()});
    ValueId part = step_.add_typed(OpKind::Slice, {*split_}, {x_.dtype, {x_.shape[1], 1, hidden()}},
                                   {{"starts", std::vector<int64_t>{0, number, 0}}});
    return step_.reshape(part, rows());
  }

  BodyBuilder step_;
  TensorType x_, w_, r_;
  bool biased_;
  ValueId gates_ = kAbsent;
  std::optional<ValueId> split_;
};

ScanMeaning lstm_meaning(const Program& program, const Op& op) {
  LstmStep step(program, op);
  ScanMeaning scan;
  scan.state_types = {step.state_type(), step.state_type()};
  scan.step = step.build(has_input(op, 3) ? &input_type(program, op, 3) : nullptr);
  for (size_t number : {5, 6}) scan.states_init.push_back(has_input(op, number) ? op.inputs[number] : kAbsent);
  bool reverse = op.text("direction", "forward") == "reverse";
  scan.scanned = {{0, 0, reverse}};
  scan.invariants = {1, 2};
  if (has_input(op, 3)) scan.invariants.push_back(3);
  scan.outputs = {{false, 0, 0, reverse}, {true, 0}, {true, 1}};
  return scan;
}

// The step is a body of the op.
ScanMeaning given_meaning(const Op& op) {
  ScanMeaning scan;
  scan.step = op.bodies[0];
  int states = static_cast<int>(op.integer("states", 0)), next = states;
  for (int s = 0; s < states; ++s) {
    scan.states_init.push_back(op.inputs[static_cast<size_t>(s)]);
    scan.state_types.push_back(scan.step.type(scan.step.inputs[static_cast<size_t>(s)]));
    scan.outputs.push_back({true, s});
  }
  std::vector<int64_t> axes = op.integers("axes"), reverse = op.integers("reverse");
  for (size_t k = 0; k < axes.size(); ++k) scan.scanned.push_back({next++, static_cast<int>(axes[k]), reverse[k] != 0});
  while (next < static_cast<int>(op.inputs.size())) scan.invariants.push_back(next++);
  std::vector<int64_t> out_axes = op.integers("out_axes"), out_reverse = op.integers("out_reverse");
  for (size_t k = 0; k < out_axes.size(); ++k)
    scan.outputs.push_back({false, static_cast<int>(k), static_cast<int>(out_axes[k]), out_reverse[k] != 0});
  return scan;
}

// S ← exp(decay) S + k ⊗ beta (v - k exp(decay) S), where beta and what it corrects may be absent; y = scale q S.
ScanMeaning linear_attention_meaning(const Program& program, const Op& op) {
  auto slice_type = [&](size_t number) {
    TensorType type = input_type(program, op, number);
    type.shape.erase(type.shape.begin() + 1);
    return type;
  };
  TensorType state_type = program.type(op.outputs[1]);
  const Index &batch = state_type.shape[0], &heads = state_type.shape[1], &depth = state_type.shape[2],
              &width = state_type.shape[3];
  BodyBuilder step("linear_attention_step");
  ValueId state = step.input("s", state_type), query = step.input("q", slice_type(0));
  ValueId key = step.input("k", slice_type(1)), value = step.input("v", slice_type(2));
  ValueId row = step.reshape(key, {batch, heads, 1, depth}), column = step.reshape(key, {batch, heads, depth, 1});
  ValueId written = step.reshape(value, {batch, heads, 1, width});
  ScanMeaning scan;
  scan.scanned = {{0, 1, false}, {1, 1, false}, {2, 1, false}};
  if (has_input(op, 4)) {
    ValueId decay = step.input("decay", slice_type(4));
    Shape per_row = {batch, heads, step.type(decay).shape[2], 1};
    state = step.add(OpKind::Mul, {state, step.add(OpKind::Exp, {step.reshape(decay, per_row)})});
    scan.scanned.push_back({4, 1, false});
  }
  if (has_input(op, 5)) {
    ValueId beta = step.input("beta", slice_type(5));
    ValueId missing = step.add(OpKind::Sub, {written, step.add(OpKind::MatMul, {row, state})});
    written = step.add(OpKind::Mul, {step.reshape(beta, {batch, step.type(beta).shape[1], 1, 1}), missing});
    scan.scanned.push_back({5, 1, false});
  }
  ValueId next = step.add(OpKind::Add, {state, step.add(OpKind::Mul, {column, written})});
  ValueId read = step.add(OpKind::MatMul, {query, next});
  ValueId result = step.add(OpKind::Mul, {read, step.number(state_type.dtype, op.number("scale", 1))});
  scan.step = std::move(step).finish({next, result});
  scan.states_init = {has_input(op, 3) ? op.inputs[3] : kAbsent};
  scan.state_types = {state_type};
  scan.outputs = {{false, 0, 1, false}, {true, 0}};
  return scan;
}

}  // namespace

ScanMeaning scan_meaning(const Program& program, const Op& op) {
  switch (op.kind) {
    case OpKind::CumSum:
    case OpKind::CumProd:
      return cumulative_meaning(program, op);
    case OpKind::Lstm:
      return lstm_meaning(program, op);
    case OpKind::LinearAttention:
      return linear_attention_meaning(program, op);
    case OpKind::Scan:
      return given_meaning(op);
    default:
      break;
  }
  HONE_CHECK(false, "{} is not a scan", name_of(op.kind));
}

}  // namespace hone::ir
