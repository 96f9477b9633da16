// Small ONNX models, put together in the test.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "import/import.h"
#include "onnx.pb.h"

namespace hone::import {

using Dims = std::vector<std::string>;  // "3": a number, "?": nothing said, else a name

inline onnx::TensorProto tensor(const std::string& name, const std::vector<int64_t>& dims,
                                const std::vector<int64_t>& values) {
  onnx::TensorProto proto;
  proto.set_name(name);
  proto.set_data_type(onnx::TensorProto::INT64);
  for (int64_t dim : dims) proto.add_dims(dim);
  for (int64_t value : values) proto.add_int64_data(value);
  return proto;
}

inline onnx::TensorProto tensor(const std::string& name, const std::vector<int64_t>& dims,
                                const std::vector<float>& values) {
  onnx::TensorProto proto;
  proto.set_name(name);
  proto.set_data_type(onnx::TensorProto::FLOAT);
  for (int64_t dim : dims) proto.add_dims(dim);
  proto.set_raw_data(values.data(), values.size() * sizeof(float));
  return proto;
}

inline void set_shape(onnx::ValueInfoProto& info, const std::string& name, const Dims& dims, int type) {
  info.set_name(name);
  info.mutable_type()->mutable_tensor_type()->set_elem_type(type);
  auto* shape = info.mutable_type()->mutable_tensor_type()->mutable_shape();
  for (const std::string& dim : dims) {
    auto* added = shape->add_dim();
    if (dim == "?") continue;
    if (std::isdigit(static_cast<unsigned char>(dim[0])))
      added->set_dim_value(std::stoll(dim));
    else
      added->set_dim_param(dim);
  }
}

// Nodes of a graph; also a branch of an If.
class Graph {
 public:
  explicit Graph(onnx::GraphProto& graph) : graph_(graph) {}

  onnx::NodeProto& node(const std::string& type, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
    onnx::NodeProto& added = *graph_.add_node();
    added.set_op_type(type);
    added.set_name(type + "_" + std::to_string(graph_.node_size() - 1));
    for (const std::string& name : inputs) added.add_input(name);
    for (const std::string& name : outputs) added.add_output(name);
    return added;
  }
  void constant(const onnx::TensorProto& value) { *graph_.add_initializer() = value; }
  void numbers(const std::string& name, const std::vector<int64_t>& values) {
    constant(tensor(name, {static_cast<int64_t>(values.size())}, values));
  }
  void number(const std::string& name, int64_t value) { constant(tensor(name, {}, std::vector<int64_t>{value})); }
  void output(const std::string& name) { graph_.add_output()->set_name(name); }
  onnx::GraphProto& proto() { return graph_; }

 private:
  onnx::GraphProto& graph_;
};

struct ModelHolder {
  std::shared_ptr<onnx::ModelProto> held = std::make_shared<onnx::ModelProto>();
};

class Model : private ModelHolder, public Graph {
 public:
  explicit Model(int opset = 18) : Graph(*held->mutable_graph()) {
    held->set_ir_version(8);
    held->add_opset_import()->set_version(opset);
    proto().set_name("test");
  }
  void input(const std::string& name, const Dims& dims, int type = onnx::TensorProto::FLOAT) {
    set_shape(*proto().add_input(), name, dims, type);
  }
  onnx::ModelProto& model() { return *held; }

  Result<ir::Program> import(const std::filesystem::path& folder = {}, const ImportOptions& options = {}) const {
    std::string bytes = held->SerializeAsString();
    return import_model(std::as_bytes(std::span(bytes.data(), bytes.size())), folder, options);
  }
  ir::Program imported(const ImportOptions& options = {}) const {
    auto program = import({}, options);
    EXPECT_TRUE(program.ok()) << program.problem().message;
    if (!program.ok()) return {};
    auto valid = ir::validate(*program);
    EXPECT_TRUE(valid.ok()) << valid.problem().message;
    return *program;
  }
  std::string refusal(const std::filesystem::path& folder = {}) const {
    auto program = import(folder);
    return program.ok() ? "imported" : program.problem().message;
  }
};

inline void set(onnx::NodeProto& node, const std::string& name, int64_t value) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(value);
}
inline void set(onnx::NodeProto& node, const std::string& name, float value) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::FLOAT);
  attribute->set_f(value);
}
inline void set(onnx::NodeProto& node, const std::string& name, const std::string& value) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::STRING);
  attribute->set_s(value);
}
inline void set(onnx::NodeProto& node, const std::string& name, const std::vector<int64_t>& values) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INTS);
  for (int64_t value : values) attribute->add_ints(value);
}
inline Graph branch(onnx::NodeProto& node, const std::string& name) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::GRAPH);
  return Graph(*attribute->mutable_g());
}

// "add reshape …": the ops of a Program, in order.
inline std::string kinds(const ir::Program& program) {
  std::string text;
  for (const ir::Op& op : program.ops) text += (text.empty() ? "" : " ") + std::string(name_of(op.kind));
  return text;
}
inline std::string shape_text(const ir::Program& program, ir::ValueId id) {
  std::string text;
  for (const ir::Index& dim : program.type(id).shape) text += (text.empty() ? "" : ", ") + dim.text();
  return "[" + text + "]";
}
inline std::string input_shape(const ir::Program& program, size_t k = 0) {
  return shape_text(program, program.inputs.at(k));
}
inline std::string output_shape(const ir::Program& program, size_t k = 0) {
  return shape_text(program, program.outputs.at(k));
}

}  // namespace hone::import
