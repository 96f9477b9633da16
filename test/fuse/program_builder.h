// Writes small programs for the tests of fuse.
#pragma once

#include <cstring>

#include "ir/program/meaning.h"

namespace hone::fuse {

class ProgramBuilder {
 public:
  using Attributes = std::map<std::string, ir::Attribute>;

  explicit ProgramBuilder(std::string name = "test") { program_.name = std::move(name); }

  ir::ValueId input(std::string name, ir::Shape shape, ir::DType dtype = ir::DType::F32) {
    ir::Value value;
    value.name = std::move(name);
    value.type = {dtype, std::move(shape)};
    ir::ValueId id = program_.add_value(std::move(value));
    program_.inputs.push_back(id);
    return id;
  }

  ir::ValueId constant(std::string name, ir::Shape shape, const std::vector<float>& elements) {
    auto bytes = std::make_shared<std::vector<float>>(elements);
    ir::Value value;
    value.name = std::move(name);
    value.type = {ir::DType::F32, std::move(shape)};
    value.constant = {reinterpret_cast<const std::byte*>(bytes->data()), bytes->size() * sizeof(float), bytes};
    return program_.add_value(std::move(value));
  }

  ir::ValueId add(ir::OpKind kind, std::vector<ir::ValueId> inputs, Attributes attributes = {}) {
    return add_many(kind, std::move(inputs), std::move(attributes))[0];
  }

  std::vector<ir::ValueId> add_many(ir::OpKind kind, std::vector<ir::ValueId> inputs, Attributes attributes = {},
                                    std::vector<ir::Program> bodies = {}) {
    ir::Op op = make(kind, std::move(inputs), std::move(attributes));
    op.bodies = std::move(bodies);
    auto types = ir::infer_types(program_, op);
    HONE_CHECK(types.ok(), "{}", types.problem().message);
    for (const ir::TensorType& type : *types) op.outputs.push_back(value_of(op, type));
    program_.ops.push_back(op);
    return op.outputs;
  }

  std::vector<ir::ValueId> add_many_typed(ir::OpKind kind, std::vector<ir::ValueId> inputs,
                                          const std::vector<ir::TensorType>& types, Attributes attributes = {}) {
    ir::Op op = make(kind, std::move(inputs), std::move(attributes));
    for (const ir::TensorType& type : types) op.outputs.push_back(value_of(op, type));
    program_.ops.push_back(op);
    return op.outputs;
  }

  // For ops whose result's type is not inferred.
  ir::ValueId add_typed(ir::OpKind kind, std::vector<ir::ValueId> inputs, ir::TensorType type,
                        Attributes attributes = {}) {
    ir::Op op = make(kind, std::move(inputs), std::move(attributes));
    op.outputs = {value_of(op, std::move(type))};
    program_.ops.push_back(op);
    return op.outputs[0];
  }

  // The types of a loop's results say how many rounds it stacks.
  std::vector<ir::ValueId> add_loop(std::vector<ir::ValueId> inputs, int64_t carried, ir::Program body,
                                    const std::vector<ir::TensorType>& types) {
    ir::Op op = make(ir::OpKind::Loop, std::move(inputs), {{"carried", carried}});
    op.bodies = {std::move(body)};
    for (const ir::TensorType& type : types) op.outputs.push_back(value_of(op, type));
    program_.ops.push_back(op);
    return op.outputs;
  }

  ir::ValueId reshape(ir::ValueId x, ir::Shape shape) {
    return add_typed(ir::OpKind::Reshape, {x}, {program_.type(x).dtype, std::move(shape)});
  }

  ir::ValueId transpose(ir::ValueId x, std::vector<int64_t> perm) {
    return add(ir::OpKind::Transpose, {x}, {{"perm", std::move(perm)}});
  }

  ir::Program finish(std::vector<ir::ValueId> outputs) {
    program_.outputs = std::move(outputs);
    return program_;
  }

 private:
  ir::Op make(ir::OpKind kind, std::vector<ir::ValueId> inputs, Attributes attributes) {
    ir::Op op;
    op.kind = kind;
    op.name = fmt::format("{}_{}", ir::name_of(kind), program_.ops.size());
    op.inputs = std::move(inputs);
    op.attributes = std::move(attributes);
    return op;
  }

  ir::ValueId value_of(const ir::Op& op, ir::TensorType type) {
    ir::Value value;
    value.name = fmt::format("{}:{}", op.name, op.outputs.size());
    value.type = std::move(type);
    return program_.add_value(std::move(value));
  }

  ir::Program program_;
};

}  // namespace hone::fuse
