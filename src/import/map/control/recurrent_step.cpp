#include "import/map/control/recurrent_internal.h"

namespace hone::import {
namespace {

// Inside a step: h and c are the states, x the products of the input of one step.
class CellStep {
 public:
  CellStep(Node& node, const Cell& cell, const CellOperands& operands)
      : cell_(cell), step_(node.importer(), node.op_type()), gates_(gates_of(cell.kind)) {
    const ir::TensorType products = node.type_of(operands.products), weights = node.type_of(operands.weights);
    batch_ = products.shape[1];
    hidden_ = weights.shape[1];
    dtype_ = products.dtype;
    ir::TensorType state{dtype_, {batch_, hidden_}};
    h_ = step_.input("h", state);
    if (cell.kind == CellKind::Lstm) c_ = step_.input("c", state);
    x_ = step_.input("x", {dtype_, {batch_, products.shape[2]}});
    if (operands.active != ir::kAbsent) active_ = step_.input("active", {ir::DType::Bool, {batch_, 1}});
    weights_ = step_.input("r", weights);
    if (operands.bias != ir::kAbsent) bias_ = step_.input("b", node.type_of(operands.bias));
    if (operands.peepholes != ir::kAbsent) peepholes_ = step_.input("p", node.type_of(operands.peepholes));
  }

  // (states…, slice)
  Result<ir::Program> build() && {
    Values next = cell_.kind == CellKind::Rnn ? rnn() : cell_.kind == CellKind::Gru ? gru() : lstm();
    ValueId shown = next[0];
    if (active_ != ir::kAbsent) {
      shown = step_.add(OpKind::Where, {active_, next[0], step_.number(dtype_, 0)});
      Values old{h_, c_};
      for (size_t s = 0; s < next.size(); ++s) next[s] = step_.add(OpKind::Where, {active_, next[s], old[s]});
    }
    next.push_back(shown);
    return std::move(step_).finish(next);
  }

 private:
  Values rnn() { return {activate(0, sum(x_, recurrence(h_, 0, 1)))}; }

  Values gru() {
    // h' = (1 - z) · fresh + z · h
    ValueId both = cell_.linear_before_reset ? recurrence(h_, 0, 3) : recurrence(h_, 0, 2);
    int64_t of = cell_.linear_before_reset ? 3 : 2;
    ValueId update = activate(0, sum(gate(x_, 3, 0), gate(both, of, 0)));
    ValueId reset = activate(0, sum(gate(x_, 3, 1), gate(both, of, 1)));
    ValueId inner = cell_.linear_before_reset ? product(reset, gate(both, 3, 2)) : recurrence(product(reset, h_), 2, 1);
    ValueId fresh = activate(1, sum(gate(x_, 3, 2), inner));
    ValueId rest = step_.add(OpKind::Sub, {step_.number(dtype_, 1), update});
    return {sum(product(rest, fresh), product(update, h_))};
  }

  // Gates stand in the order input, output, forget, cell; peepholes in the order input, output, forget.
  Values lstm() {
    ValueId all = sum(x_, recurrence(h_, 0, 4));
    ValueId input = activate(0, peeped(gate(all, 4, 0), 0, c_));
    ValueId forget = cell_.input_forget ? step_.add(OpKind::Sub, {step_.number(dtype_, 1), input})
                                        : activate(0, peeped(gate(all, 4, 2), 2, c_));
    ValueId fresh = activate(1, gate(all, 4, 3));
    ValueId cell = sum(product(forget, c_), product(input, fresh));
    ValueId output = activate(0, peeped(gate(all, 4, 1), 1, cell));
    // Only gates are clipped, as onnxruntime reads the standard.
    return {product(output, apply(step_, cell_.activations[2], cell)), cell};
  }

  ValueId sum(ValueId a, ValueId b) { return step_.add(OpKind::Add, {a, b}); }
  ValueId product(ValueId a, ValueId b) { return step_.add(OpKind::Mul, {a, b}); }

  ValueId activate(size_t number, ValueId x) {
    if (cell_.clip) x = step_.add(OpKind::Clip, {x}, {{"min", -*cell_.clip}, {"max", *cell_.clip}});
    return apply(step_, cell_.activations[number], x);
  }

  ValueId peeped(ValueId x, int64_t number, ValueId cell) {
    if (peepholes_ == ir::kAbsent) return x;
    ValueId row = step_.reshape(step_.slice(peepholes_, 0, number, 1), {hidden_});
    return sum(x, product(row, cell));
  }

  // Part `number` of `count` along the last dimension.
  ValueId gate(ValueId all, int64_t count, int64_t number) {
    if (count == 1) return all;
    ValueId split = step_.reshape(all, {batch_, count, hidden_});
    return step_.reshape(step_.slice(split, 1, number, 1), {batch_, hidden_});
  }

  // state · Rᵀ + b for the gates from `first` on.
  ValueId recurrence(ValueId state, int64_t first, int64_t count) {
    Values operands{state, rows(weights_, first, count, {hidden_})};
    if (bias_ != ir::kAbsent) operands.push_back(rows(bias_, first, count, {}));
    return step_.add(OpKind::Gemm, operands, {{"transB", int64_t{1}}});
  }

  ValueId rows(ValueId value, int64_t first, int64_t count, const ir::Shape& rest) {
    if (count == gates_) return value;
    ir::Shape split{gates_, hidden_}, joined{hidden_ * count};
    split.insert(split.end(), rest.begin(), rest.end());
    joined.insert(joined.end(), rest.begin(), rest.end());
    return step_.reshape(step_.slice(step_.reshape(value, split), 0, first, count), joined);
  }

  const Cell& cell_;
  StepBuilder step_;
  const int64_t gates_;
  Index batch_, hidden_;
  ir::DType dtype_{};
  ValueId h_ = ir::kAbsent, c_ = ir::kAbsent, x_ = ir::kAbsent, active_ = ir::kAbsent;
  ValueId weights_ = ir::kAbsent, bias_ = ir::kAbsent, peepholes_ = ir::kAbsent;
};

}  // namespace

Result<Values> emit_recurrence(Node& node, const Cell& cell, const CellOperands& operands, bool reverse) {
  HONE_TRY(ir::Program step, CellStep(node, cell, operands).build());
  Values inputs = operands.states;
  inputs.push_back(operands.products);
  if (operands.active != ir::kAbsent) inputs.push_back(operands.active);
  size_t states = operands.states.size(), scanned = inputs.size() - states;
  inputs.push_back(operands.weights);
  for (ValueId id : {operands.bias, operands.peepholes})
    if (id != ir::kAbsent) inputs.push_back(id);
  int64_t backwards = reverse ? 1 : 0;
  AttributeMap attributes{{"states", static_cast<int64_t>(states)},
                          {"axes", std::vector<int64_t>(scanned, 0)},
                          {"reverse", std::vector<int64_t>(scanned, backwards)},
                          {"out_axes", std::vector<int64_t>{0}},
                          {"out_reverse", std::vector<int64_t>{backwards}}};
  HONE_TRY(Values made, node.emit_many(OpKind::Scan, inputs, attributes, {std::move(step)},
                                       std::vector<ir::TensorType>(states + 1)));
  Values results{made.back()};
  results.insert(results.end(), made.begin(), made.end() - 1);
  return results;
}

}  // namespace hone::import
