// RNN, GRU, LSTM: operands are brought to layout 0 and one direction each. A plain LSTM is an operator of the Program,
// everything else a Scan.
#include "import/map/control/recurrent_internal.h"

namespace hone::import {
namespace {

enum Operand : size_t { kX, kW, kR, kB, kLengths, kH, kC, kP };

class Recurrence {
 public:
  explicit Recurrence(Node& node) : node_(node) {
    kind_ = node.op_type() == "RNN" ? CellKind::Rnn : node.op_type() == "GRU" ? CellKind::Gru : CellKind::Lstm;
  }

  Result<Values> run() {
    HONE_PASS(read_attributes());
    HONE_PASS(read_operands());
    std::vector<Values> results;
    for (size_t d = 0; d < directions_; ++d) {
      bool reverse = direction_ == "reverse" || d == 1;
      HONE_TRY(Values one, is_plain_lstm() ? plain_lstm(d, reverse) : general(d, reverse));
      results.push_back(one);
    }
    Values joined;
    for (size_t k = 0; k < results[0].size(); ++k) {
      HONE_TRY(ValueId value, join(results, k));
      joined.push_back(value);
    }
    return joined;
  }

 private:
  Status read_attributes() {
    Attributes& attributes = node_.attributes();
    direction_ = attributes.text("direction", "forward");
    if (direction_ != "forward" && direction_ != "reverse" && direction_ != "bidirectional")
      return error("direction '{}' is unknown", direction_);
    directions_ = direction_ == "bidirectional" ? 2 : 1;
    batch_first_ = attributes.integer("layout", 0) != 0;
    std::vector<std::string> defaults{"Tanh"};
    if (kind_ == CellKind::Gru) defaults = {"Sigmoid", "Tanh"};
    if (kind_ == CellKind::Lstm) defaults = {"Sigmoid", "Tanh", "Tanh"};
    HONE_TRY(activations_, read_activations(node_, directions_, defaults));
    if (attributes.has("clip")) clip_ = attributes.number("clip", 0);
    if (clip_ && *clip_ < 0) return error("clip is {}, below zero", *clip_);
    input_forget_ = kind_ == CellKind::Lstm && attributes.integer("input_forget", 0) != 0;
    linear_before_reset_ = kind_ == CellKind::Gru && attributes.integer("linear_before_reset", 0) != 0;
    return Done{};
  }

  Status read_operands() {
    for (size_t k = 0; k < node_.input_count(); ++k) operands_.push_back(node_.input(k));
    operands_.resize(kP + 1, ir::kAbsent);
    for (size_t k : {kX, kW, kR, kH, kC})
      if (given(k) && node_.rank(k) != 3) return error("input number {} has rank {}, not 3", k, node_.rank(k));
    for (size_t k : {kX, kH, kC}) {
      if (!batch_first_ || !given(k)) continue;
      HONE_TRY(operands_[k], swapped(operands_[k], {1, 0, 2}));
    }
    if (auto wanted = node_.attributes().integer("hidden_size", 0); wanted != 0 && surely_not(hidden(), wanted))
      return error("hidden_size is {}, but its recurrence has {}", wanted, hidden().text());
    Index gates = Index(gates_of(kind_)), directions(static_cast<int64_t>(directions_));
    HONE_PASS(expect(kR, [&] { return ir::Shape{directions, hidden() * gates, hidden()}; }));
    HONE_PASS(expect(kW, [&] { return ir::Shape{directions, hidden() * gates, width()}; }));
    HONE_PASS(expect(kB, [&] { return ir::Shape{directions, hidden() * gates * 2}; }));
    HONE_PASS(expect(kLengths, [&] { return ir::Shape{batch()}; }));
    HONE_PASS(expect(kH, [&] { return ir::Shape{directions, batch(), hidden()}; }));
    HONE_PASS(expect(kC, [&] { return ir::Shape{directions, batch(), hidden()}; }));
    return expect(kP, [&] { return ir::Shape{directions, hidden() * 3}; });
  }

  bool given(size_t k) const { return operands_[k] != ir::kAbsent; }
  Index steps() const { return node_.type_of(operands_[kX]).shape[0]; }
  Index batch() const { return node_.type_of(operands_[kX]).shape[1]; }
  Index width() const { return node_.type_of(operands_[kX]).shape[2]; }
  Index hidden() const { return node_.type_of(operands_[kR]).shape[2]; }
  static bool surely_not(const Index& size, int64_t number) { return size.constant() && !size.is(number); }

  // Sizes are asked for again each time: making two equal may replace a symbol in all of them.
  template <typename Shape>
  Status expect(size_t k, Shape wanted) {
    if (!given(k)) return Done{};
    auto have = [&] { return node_.type_of(operands_[k]).shape; };
    if (have().size() != wanted().size())
      return error("input number {} has rank {}, not {}", k, have().size(), wanted().size());
    for (size_t d = 0; d < wanted().size(); ++d) {
      if (provably_different(have()[d], wanted()[d]))
        return error("dimension {} of input number {} is {}, not {}", d, k, have()[d].text(), wanted()[d].text());
      node_.importer().equate(wanted()[d], have()[d]);
    }
    HONE_TRY(operands_[k], node_.reshape(operands_[k], wanted()));
    return Done{};
  }

  Result<ValueId> swapped(ValueId value, std::vector<int64_t> perm) {
    return node_.emit(OpKind::Transpose, {value}, {{"perm", std::move(perm)}});
  }

  // Row `first` of the first dimension, which is kept.
  Result<ValueId> row(ValueId value, int64_t first) {
    if (value == ir::kAbsent) return value;
    ir::TensorType type = node_.type_of(value);
    if (type.shape[0].is(1)) return value;
    type.shape[0] = 1;
    std::vector<int64_t> starts(type.shape.size(), 0);
    starts[0] = first;
    return node_.emit(OpKind::Slice, {value}, {{"starts", starts}}, type);
  }

  Result<ValueId> row_as(ValueId value, size_t first, const ir::Shape& shape) {
    HONE_TRY(ValueId part, row(value, static_cast<int64_t>(first)));
    return part == ir::kAbsent ? Result<ValueId>(part) : node_.reshape(part, shape);
  }

  bool is_plain_lstm() const {
    if (kind_ != CellKind::Lstm || given(kLengths) || given(kP) || clip_ || input_forget_) return false;
    for (const auto& list : activations_)
      if (list[0].name != "sigmoid" || list[1].name != "tanh" || list[2].name != "tanh") return false;
    return true;
  }

  Result<Values> plain_lstm(size_t direction, bool reverse) {
    Values inputs{operands_[kX]};
    for (size_t k = kW; k <= kC; ++k) {
      HONE_TRY(ValueId part, row(operands_[k], static_cast<int64_t>(direction)));
      inputs.push_back(part);
    }
    AttributeMap map{{"direction", std::string(reverse ? "reverse" : "forward")}};
    if (auto number = hidden().constant()) map["hidden_size"] = *number;
    return node_.emit_many(OpKind::Lstm, inputs, map, {}, std::vector<ir::TensorType>(3));
  }

  // Results as plain_lstm has them: [T, 1, B, H], [1, B, H], …
  Result<Values> general(size_t direction, bool reverse) {
    Cell cell{kind_, activations_[direction], clip_, input_forget_, linear_before_reset_};
    HONE_TRY(CellOperands operands, cell_operands(direction));
    HONE_TRY(Values results, emit_recurrence(node_, cell, operands, reverse));
    HONE_TRY(results[0], node_.reshape(results[0], {steps(), 1, batch(), hidden()}));
    for (size_t k = 1; k < results.size(); ++k) {
      HONE_TRY(results[k], node_.reshape(results[k], {1, batch(), hidden()}));
    }
    return results;
  }

  Result<CellOperands> cell_operands(size_t d) {
    CellOperands operands;
    Index rows = hidden() * gates_of(kind_);
    HONE_TRY(ValueId weights, row_as(operands_[kW], d, {rows, width()}));
    HONE_TRY(weights, swapped(weights, {1, 0}));
    HONE_TRY(operands.products, node_.emit(OpKind::MatMul, {operands_[kX], weights}));
    HONE_TRY(operands.weights, row_as(operands_[kR], d, {rows, hidden()}));
    if (given(kB)) {
      HONE_TRY(ValueId halves, row_as(operands_[kB], d, {2, rows}));
      HONE_TRY(ValueId input_bias, row_as(halves, 0, {rows}));
      HONE_TRY(operands.products, node_.emit(OpKind::Add, {operands.products, input_bias}));
      HONE_TRY(operands.bias, row_as(halves, 1, {rows}));
    }
    if (given(kLengths)) {
      HONE_TRY(operands.active, active());
    }
    HONE_TRY(operands.peepholes, row_as(operands_[kP], d, {3, hidden()}));
    HONE_TRY(ValueId h, row_as(operands_[kH], d, {batch(), hidden()}));
    operands.states = {h};
    if (kind_ != CellKind::Lstm) return operands;
    HONE_TRY(ValueId c, row_as(operands_[kC], d, {batch(), hidden()}));
    operands.states.push_back(c);
    return operands;
  }

  // Where time < length: [T, B, 1].
  Result<ValueId> active() {
    ir::DType type = node_.type_of(operands_[kLengths]).dtype;
    HONE_TRY(ValueId time,
             node_.emit(OpKind::Range, {},
                        {{"start", int64_t{0}}, {"delta", int64_t{1}}, {"dtype", std::string(name_of(type))}},
                        {type, {steps()}}));
    HONE_TRY(time, node_.reshape(time, {steps(), 1, 1}));
    HONE_TRY(ValueId lengths, node_.reshape(operands_[kLengths], {1, batch(), 1}));
    return node_.emit(OpKind::Less, {time, lengths});
  }

  // Both directions side by side, in the layout of the model.
  Result<ValueId> join(const std::vector<Values>& results, size_t k) {
    ValueId value = results[0][k];
    if (directions_ == 2) {
      HONE_TRY(value, node_.emit(OpKind::Concat, {results[0][k], results[1][k]}, {{"axis", int64_t{k == 0 ? 1 : 0}}}));
    }
    if (!batch_first_) return value;
    return swapped(value, k == 0 ? std::vector<int64_t>{2, 0, 1, 3} : std::vector<int64_t>{1, 0, 2});
  }

  Node& node_;
  CellKind kind_{};
  std::string direction_;
  size_t directions_ = 1;
  bool batch_first_ = false, input_forget_ = false, linear_before_reset_ = false;
  std::optional<double> clip_;
  std::vector<std::vector<Activation>> activations_;
  Values operands_;
};

}  // namespace

Result<Values> map_recurrent(Node& node) {
  return Recurrence(node).run();
}

}  // namespace hone::import
