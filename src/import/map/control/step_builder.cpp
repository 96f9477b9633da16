#include "import/map/control/step_builder_internal.h"

namespace hone::import {

ValueId StepBuilder::input(const std::string& name, ir::TensorType type) {
  ir::Program& program = frame_.program;
  ValueId id = program.add_value({importer_.unique_name(frame_, name), std::move(type), std::nullopt, std::nullopt});
  program.inputs.push_back(id);
  return id;
}

ValueId StepBuilder::add(OpKind kind, Values inputs, AttributeMap attributes, const ir::TensorType& type) {
  if (problem_) return ir::kAbsent;
  ir::Op op{kind, frame_.program.name, std::move(inputs), {}, std::move(attributes), {}};
  auto made = importer_.emit(frame_, {std::move(op), {type}, "step"});
  if (made) return (*made)[0];
  problem_ = made.problem();
  return ir::kAbsent;
}

ValueId StepBuilder::number(ir::DType type, double value) {
  return add(OpKind::Fill, {}, {{"value", value}, {"dtype", std::string(name_of(type))}}, {type, {}});
}

ValueId StepBuilder::reshape(ValueId value, ir::Shape shape) {
  return add(OpKind::Reshape, {value}, {}, {type(value).dtype, std::move(shape)});
}

ValueId StepBuilder::slice(ValueId value, size_t axis, int64_t first, const ir::Index& count) {
  if (problem_) return ir::kAbsent;
  ir::TensorType part = type(value);
  part.shape[axis] = count;
  std::vector<int64_t> starts(part.shape.size(), 0);
  starts[axis] = first;
  return add(OpKind::Slice, {value}, {{"starts", starts}}, part);
}

Result<ir::Program> StepBuilder::finish(Values outputs) && {
  if (problem_) return *problem_;
  frame_.program.outputs = std::move(outputs);
  return std::move(frame_.program);
}

}  // namespace hone::import
