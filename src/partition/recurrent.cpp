#include "partition/recurrent.h"

#include <cstring>

namespace hone::partition {
namespace {

using ir::Attribute;
using ir::Index;
using ir::kAbsent;
using ir::OpKind;
using ir::Program;
using ir::TensorType;
using ir::ValueId;

constexpr const char* kProjected = "projected";

class Appender {
 public:
  Appender(Program& program, std::string name) : program_(program), name_(std::move(name)) {}

  ValueId value(TensorType type) {
    ir::Value value;
    value.name = fmt::format("{}.{}", name_, program_.values.size());
    value.type = std::move(type);
    return program_.add_value(std::move(value));
  }

  ValueId add(OpKind kind, std::vector<ValueId> inputs, TensorType type,
              std::map<std::string, Attribute> attributes = {}) {
    ir::Op op;
    op.kind = kind;
    op.name = name_;
    op.inputs = std::move(inputs);
    op.outputs = {value(std::move(type))};
    op.attributes = std::move(attributes);
    program_.ops.push_back(std::move(op));
    return program_.ops.back().outputs[0];
  }

  ValueId reshape(ValueId x, ir::Shape shape) {
    return add(OpKind::Reshape, {x}, {program_.type(x).dtype, std::move(shape)});
  }

  ValueId slice(ValueId x, size_t dimension, int64_t begin) {
    TensorType type = program_.type(x);
    std::vector<int64_t> starts(type.shape.size(), 0);
    starts[dimension] = begin;
    type.shape[dimension] = 1;
    return add(OpKind::Slice, {x}, type, {{"starts", starts}, {"steps", std::vector<int64_t>(starts.size(), 1)}});
  }

 private:
  Program& program_;
  std::string name_;
};

ValueId operand(const ir::Op& op, size_t number) {
  return number < op.inputs.size() ? op.inputs[number] : kAbsent;
}

// Both halves of a constant bias, added up.
std::optional<ir::ConstantData> folded_bias(const ir::Value& bias) {
  if (!bias.constant || bias.type.dtype != ir::DType::F32) return std::nullopt;
  size_t half = bias.constant->bytes / sizeof(float) / 2;
  std::vector<float> all(2 * half);
  std::memcpy(all.data(), bias.constant->data, 2 * half * sizeof(float));
  auto sum = std::make_shared<std::vector<float>>(half);
  for (size_t i = 0; i < half; ++i) (*sum)[i] = all[i] + all[half + i];
  return ir::ConstantData{reinterpret_cast<const std::byte*>(sum->data()), half * sizeof(float), sum};
}

// The bias is [1, 8H]: that of the input weights, then that of the recurrence. Here: their sum, [1, 4H].
ValueId summed_bias(Program& into, Appender& append, ValueId bias) {
  TensorType type = into.type(bias);
  Index half = ir::floor_div(type.shape[1], 2);
  if (auto folded = folded_bias(into.values[static_cast<size_t>(bias)])) {
    ValueId sum = append.value({type.dtype, {1, half}});
    into.values[static_cast<size_t>(sum)].constant = std::move(folded);
    return sum;
  }
  ValueId halves = append.reshape(bias, {2, half});
  return append.add(OpKind::Add, {append.slice(halves, 0, 0), append.slice(halves, 0, 1)}, {type.dtype, {1, half}});
}

// (h, c, products of one step, r) → (h, c, h); gates stand in the order input, output, forget, cell.
Program lstm_step(const TensorType& state, const TensorType& products, const TensorType& weights) {
  Program step;
  step.name = "lstm_step";
  Appender append(step, "step");
  ValueId h = append.value(state), c = append.value(state), x = append.value(products), r = append.value(weights);
  step.inputs = {h, c, x, r};
  Index batch = state.shape[1], hidden = state.shape[2];
  TensorType rows{state.dtype, {batch, hidden}};
  ValueId gates = append.add(OpKind::Gemm, {append.reshape(h, rows.shape), append.reshape(r, {hidden * 4, hidden}), x},
                             {state.dtype, {batch, hidden * 4}}, {{"transB", int64_t{1}}});
  ValueId split = append.reshape(gates, {batch, 4, hidden});
  auto gate = [&](int64_t number, OpKind kind) {
    return append.add(kind, {append.reshape(append.slice(split, 1, number), rows.shape)}, rows);
  };
  ValueId input = gate(0, OpKind::Sigmoid), output = gate(1, OpKind::Sigmoid);
  ValueId forget = gate(2, OpKind::Sigmoid), fresh = gate(3, OpKind::Tanh);
  auto times = [&](ValueId a, ValueId b) { return append.add(OpKind::Mul, {a, b}, rows); };
  ValueId cell = append.add(OpKind::Add, {times(forget, append.reshape(c, rows.shape)), times(input, fresh)}, rows);
  ValueId result = times(output, append.add(OpKind::Tanh, {cell}, rows));
  ValueId next_h = append.reshape(result, state.shape), next_c = append.reshape(cell, state.shape);
  step.outputs = {next_h, next_c, next_h};
  return step;
}

// Appends the ops of `step` on the given inputs; gives its outputs.
std::vector<ValueId> append_step(Program& into, const Program& step, const std::vector<ValueId>& inputs) {
  std::vector<ValueId> ids(step.values.size(), kAbsent);
  for (size_t i = 0; i < inputs.size(); ++i) ids[static_cast<size_t>(step.inputs[i])] = inputs[i];
  for (size_t i = 0; i < ids.size(); ++i)
    if (ids[i] == kAbsent) ids[i] = into.add_value(step.values[i]);
  for (ir::Op op : step.ops) {
    for (auto* list : {&op.inputs, &op.outputs})
      for (ValueId& id : *list) id = ids[static_cast<size_t>(id)];
    into.ops.push_back(std::move(op));
  }
  std::vector<ValueId> outputs;
  for (ValueId id : step.outputs) outputs.push_back(ids[static_cast<size_t>(id)]);
  return outputs;
}

// A single step needs no loop: it is opened like a composite.
void append_single_step(Program& into, Appender& append, const ir::Op& op, ValueId products) {
  TensorType all = into.type(products), r = into.type(op.inputs[2]);
  TensorType state{all.dtype, {1, all.shape[1], r.shape[2]}}, row{all.dtype, {all.shape[1], all.shape[2]}};
  auto init = [&](size_t number) {
    ValueId given = operand(op, number);
    return given != kAbsent ? given : append.add(OpKind::Fill, {}, state, {{"value", 0.0}});
  };
  ValueId h = init(5), c = init(6);
  std::vector<ValueId> results =
      append_step(into, lstm_step(state, row, r), {h, c, append.reshape(products, row.shape), op.inputs[2]});
  for (size_t k = 0; k < op.outputs.size(); ++k) {
    if (op.outputs[k] == kAbsent) continue;
    ir::Op last;
    last.kind = OpKind::Reshape;
    last.name = op.name;
    last.inputs = {results[k == 2 ? 1 : 0]};
    last.outputs = {op.outputs[k]};
    into.ops.push_back(std::move(last));
  }
}

}  // namespace

void append_lstm(Program& into, const ir::Op& op) {
  Appender append(into, op.name);
  TensorType x = into.type(op.inputs[0]), w = into.type(op.inputs[1]);
  Index gates = w.shape[1];
  ValueId turned = append.add(OpKind::Transpose, {append.reshape(op.inputs[1], {gates, w.shape[2]})},
                              {w.dtype, {w.shape[2], gates}}, {{"perm", std::vector<int64_t>{1, 0}}});
  TensorType all{x.dtype, {x.shape[0], x.shape[1], gates}};
  ValueId products = append.add(OpKind::MatMul, {op.inputs[0], turned}, all);
  if (operand(op, 3) != kAbsent)
    products = append.add(OpKind::Add, {products, summed_bias(into, append, op.inputs[3])}, all);
  if (x.shape[0].is(1)) return append_single_step(into, append, op, products);
  ir::Op recurrence = op;
  recurrence.inputs = {products, op.inputs[2], operand(op, 5), operand(op, 6)};
  recurrence.attributes[kProjected] = int64_t{1};
  into.ops.push_back(std::move(recurrence));
}

ir::ScanMeaning scan_of(const Program& program, const ir::Op& op) {
  if (op.kind != OpKind::Lstm || op.integer(kProjected, 0) == 0) return ir::scan_meaning(program, op);
  TensorType products = program.type(op.inputs[0]), r = program.type(op.inputs[1]);
  TensorType state{products.dtype, {1, products.shape[1], r.shape[2]}};
  ir::ScanMeaning scan;
  scan.step = lstm_step(state, {products.dtype, {products.shape[1], products.shape[2]}}, r);
  scan.states_init = {op.inputs[2], op.inputs[3]};
  scan.state_types = {state, state};
  bool reverse = op.text("direction", "forward") == "reverse";
  scan.scanned = {{0, 0, reverse}};
  scan.invariants = {1};
  scan.outputs = {{false, 0, 0, reverse}, {true, 0}, {true, 1}};
  return scan;
}

}  // namespace hone::partition
