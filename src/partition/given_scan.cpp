#include "partition/given_scan.h"

#include <algorithm>

namespace hone::partition {
namespace {

using ir::Attribute;
using ir::DType;
using ir::Index;
using ir::OpKind;
using ir::Program;
using ir::TensorType;
using ir::ValueId;

bool is_tile_program(const Program& step) {
  Flow flow = flow_of(step);
  return std::all_of(flow.program.ops.begin(), flow.program.ops.end(), [](const ir::Op& op) {
    ir::MeaningKind kind = ir::meaning_kind(op.kind);
    return kind == ir::MeaningKind::Indexed || (kind == ir::MeaningKind::View && op.kind != OpKind::Concat);
  });
}

void lift_constants(Program& into, ir::Op& op) {
  Program& step = op.bodies[0];
  for (size_t v = 0; v < step.values.size(); ++v) {
    ir::Value& value = step.values[v];
    if (!value.constant || ir::product(value.type.shape).is(1)) continue;
    op.inputs.push_back(into.add_value(value));
    value.constant.reset();
    step.inputs.push_back(static_cast<ValueId>(v));
  }
}

// Ops added to a program one by one.
class Appender {
 public:
  Appender(Program& program, std::string name) : program_(program), name_(std::move(name)) {}

  ValueId value(TensorType type, std::optional<ir::ConstantData> constant = std::nullopt) {
    std::string name = fmt::format("{}.{}", name_, program_.values.size());
    return program_.add_value({std::move(name), std::move(type), std::move(constant), std::nullopt});
  }
  ValueId add(OpKind kind, std::vector<ValueId> inputs, TensorType type,
              std::map<std::string, Attribute> attributes = {}) {
    ValueId to = value(std::move(type));
    add_to(to, kind, std::move(inputs), std::move(attributes));
    return to;
  }
  void add_to(ValueId to, OpKind kind, std::vector<ValueId> inputs, std::map<std::string, Attribute> attributes = {}) {
    program_.ops.push_back({kind, name_, std::move(inputs), {to}, std::move(attributes), {}});
  }
  template <typename T>
  ValueId constant(DType type, T number) {
    auto held = std::make_shared<T>(number);
    return value({type, {}}, ir::ConstantData{reinterpret_cast<const std::byte*>(held.get()), sizeof(T), held});
  }
  // The size as a number of the data: a sum of ones.
  ValueId size(const Index& size) {
    if (auto number = size.constant()) return constant<int64_t>(DType::I64, *number);
    ValueId ones = add(OpKind::Fill, {}, {DType::I64, {size}}, {{"value", int64_t{1}}, {"dtype", std::string("i64")}});
    return add(OpKind::ReduceSum, {ones}, {DType::I64, {}},
               {{"axes", std::vector<int64_t>{0}}, {"keepdims", int64_t{0}}});
  }

 private:
  Program& program_;
  std::string name_;
};

// A round gathers its slices by the number of the round, then does what the step does.
class LoopOfScan {
 public:
  LoopOfScan(Program& into, const ir::Op& op)
      : into_(into), op_(op), meaning_(ir::scan_meaning(into, op)), append_(into, op.name) {
    const auto& first = meaning_.scanned[0];
    steps_ = into.type(op.inputs[static_cast<size_t>(first.number)]).shape[static_cast<size_t>(first.axis)];
  }

  void append() {
    ValueId steps = append_.size(steps_), go = append_.constant<bool>(DType::Bool, true);
    ir::Op loop{OpKind::Loop, op_.name, {steps, go}, {}, {}, {}};
    size_t states = meaning_.state_types.size();
    for (size_t s = 0; s < states; ++s) loop.inputs.push_back(initial(s));
    loop.inputs.push_back(steps);
    for (const auto& one : meaning_.scanned) loop.inputs.push_back(op_.inputs[static_cast<size_t>(one.number)]);
    for (int number : meaning_.invariants) loop.inputs.push_back(op_.inputs[static_cast<size_t>(number)]);
    loop.attributes["carried"] = static_cast<int64_t>(states);
    loop.bodies = {body()};
    std::vector<std::pair<ValueId, size_t>> stacked;  // what the loop stacks, and the output it becomes
    for (size_t k = 0; k < op_.outputs.size(); ++k) {
      bool as_it_is = op_.outputs[k] == ir::kAbsent || meaning_.outputs[k].is_state || is_plain(k);
      loop.outputs.push_back(as_it_is ? op_.outputs[k] : append_.value(stack_type(k)));
      if (!as_it_is) stacked.push_back({loop.outputs.back(), k});
    }
    into_.ops.push_back(std::move(loop));
    for (auto [stack, k] : stacked) place(stack, k);
  }

 private:
  ValueId initial(size_t s) {
    if (meaning_.states_init[s] != ir::kAbsent) return meaning_.states_init[s];
    const TensorType& type = meaning_.state_types[s];
    return append_.add(OpKind::Fill, {}, type, {{"value", 0.0}, {"dtype", std::string(ir::name_of(type.dtype))}});
  }

  // (round, condition, states…, steps, scanned…, invariants…) -> (condition, states…, slices…)
  Program body() const {
    Program body = meaning_.step;
    Appender append(body, op_.name);
    TensorType number{DType::I64, {}};
    ValueId round = append.value(number), go = append.value({DType::Bool, {}}), steps = append.value(number);
    size_t states = meaning_.state_types.size();
    std::vector<ValueId> inputs{round, go};
    inputs.insert(inputs.end(), body.inputs.begin(), body.inputs.begin() + static_cast<std::ptrdiff_t>(states));
    inputs.push_back(steps);
    std::vector<ir::Op> after = std::move(body.ops);
    body.ops.clear();
    ValueId last = append.add(OpKind::Sub, {steps, append.constant<int64_t>(DType::I64, 1)}, number);
    ValueId backwards = append.add(OpKind::Sub, {last, round}, number);
    for (size_t k = 0; k < meaning_.scanned.size(); ++k) {
      const auto& one = meaning_.scanned[k];
      ValueId all = append.value(into_.type(op_.inputs[static_cast<size_t>(one.number)]));
      inputs.push_back(all);
      append.add_to(body.inputs[states + k], OpKind::Gather, {all, one.reverse ? backwards : round},
                    {{"axis", int64_t{one.axis}}});
    }
    size_t first = states + meaning_.scanned.size();
    inputs.insert(inputs.end(), body.inputs.begin() + static_cast<std::ptrdiff_t>(first), body.inputs.end());
    body.inputs = std::move(inputs);
    body.ops.insert(body.ops.end(), std::make_move_iterator(after.begin()), std::make_move_iterator(after.end()));
    body.outputs.insert(body.outputs.begin(), append.add(OpKind::Identity, {go}, {DType::Bool, {}}));
    return body;
  }

  bool is_plain(size_t k) const { return meaning_.outputs[k].axis == 0 && !meaning_.outputs[k].reverse; }

  TensorType stack_type(size_t k) const {
    TensorType type = into_.type(op_.outputs[k]);
    auto along = type.shape.begin() + meaning_.outputs[k].axis;
    type.shape.erase(along);
    type.shape.insert(type.shape.begin(), steps_);
    return type;
  }

  // Turns the stack round and moves its first dimension to where the output has it.
  void place(ValueId stack, size_t k) {
    const auto& output = meaning_.outputs[k];
    TensorType type = into_.type(stack);
    if (output.reverse) {
      std::vector<int64_t> starts(type.shape.size(), 0), steps(type.shape.size(), 1);
      starts[0] = steps_.constant() ? *steps_.constant() - 1 : -1;
      steps[0] = -1;
      stack = append_.add(OpKind::Slice, {stack}, type, {{"starts", starts}, {"steps", steps}});
    }
    std::vector<int64_t> perm;
    for (int64_t d = 1; d < static_cast<int64_t>(type.shape.size()); ++d) perm.push_back(d);
    perm.insert(perm.begin() + output.axis, 0);
    append_.add_to(op_.outputs[k], OpKind::Transpose, {stack}, {{"perm", perm}});
  }

  Program& into_;
  const ir::Op& op_;
  ir::ScanMeaning meaning_;
  Appender append_;
  Index steps_;
};

}  // namespace

void append_scan(Program& into, ir::Op op) {
  lift_constants(into, op);
  if (is_tile_program(op.bodies[0])) {
    into.ops.push_back(std::move(op));
    return;
  }
  LoopOfScan(into, op).append();
}

}  // namespace hone::partition
