#include "ir/program/body_builder.h"

#include "ir/program/meaning.h"

namespace hone::ir {

ValueId BodyBuilder::input(const char* name, TensorType type) {
  ValueId id = program_.add_value({name, std::move(type), {}, {}});
  program_.inputs.push_back(id);
  return id;
}

Op& BodyBuilder::append(OpKind kind, std::vector<ValueId> inputs, TensorType type,
                        std::map<std::string, Attribute> attributes) {
  std::string name = fmt::format("{}_{}", name_of(kind), program_.ops.size());
  ValueId result = program_.add_value({name, std::move(type), {}, {}});
  program_.ops.push_back({kind, name, std::move(inputs), {result}, std::move(attributes), {}});
  return program_.ops.back();
}

ValueId BodyBuilder::add(OpKind kind, std::vector<ValueId> inputs, std::map<std::string, Attribute> attributes) {
  Op& op = append(kind, std::move(inputs), {}, std::move(attributes));
  auto types = infer_types(program_, op);
  HONE_CHECK(types.ok(), "in the body of {}: {}", program_.name, types.problem().message);
  program_.values[static_cast<size_t>(op.outputs[0])].type = (*types)[0];
  return op.outputs[0];
}

ValueId BodyBuilder::add_typed(OpKind kind, std::vector<ValueId> inputs, TensorType type,
                               std::map<std::string, Attribute> attributes) {
  Op& op = append(kind, std::move(inputs), std::move(type), std::move(attributes));
  auto types = infer_types(program_, op);
  HONE_CHECK(types.ok(), "in the body of {}: {}", program_.name, types.problem().message);
  return op.outputs[0];
}

Program BodyBuilder::finish(std::vector<ValueId> outputs) && {
  program_.outputs = std::move(outputs);
  return std::move(program_);
}

}  // namespace hone::ir
