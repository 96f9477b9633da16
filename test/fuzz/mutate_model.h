// Changes the graph of a model and leaves it one: bytes changed blindly mostly end in a message that does not parse.
#pragma once

#include <onnx.pb.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/rng.h"

namespace hone::fuzz {

class GraphMutator {
 public:
  GraphMutator(onnx::GraphProto& graph, uint64_t seed) : graph_(graph), rng_(seed) {
    for (const onnx::ValueInfoProto& input : graph_.input()) names_.push_back(input.name());
    for (const onnx::TensorProto& tensor : graph_.initializer()) names_.push_back(tensor.name());
    for (const onnx::NodeProto& node : graph_.node())
      names_.insert(names_.end(), node.output().begin(), node.output().end());
  }

  void run() {
    for (int64_t changes = rng_.between(1, 3); changes > 0; --changes) change();
  }

 private:
  int pick(size_t count) { return static_cast<int>(rng_.below(static_cast<int64_t>(count))); }
  int pick(int count) { return static_cast<int>(rng_.below(count)); }

  int64_t number() {
    static constexpr int64_t kNumbers[] = {-1,
                                           0,
                                           1,
                                           2,
                                           3,
                                           7,
                                           64,
                                           -2,
                                           1 << 20,
                                           INT32_MAX,
                                           INT32_MIN,
                                           int64_t{1} << 32,
                                           INT64_MAX,
                                           INT64_MIN,
                                           INT64_MAX / 2,
                                           int64_t{1} << 60,
                                           -(int64_t{1} << 60)};
    return kNumbers[pick(std::size(kNumbers))];
  }

  // Of a value of the graph, or none.
  std::string name() {
    return names_.empty() || rng_.chance(0.1) ? "" : names_[static_cast<size_t>(pick(names_.size()))];
  }

  void change() {
    switch (pick(6)) {
      case 0:
        if (graph_.input_size() > 0) change_shape(*graph_.mutable_input(pick(graph_.input_size())));
        return;
      case 1:
        if (graph_.initializer_size() > 0) change_tensor(*graph_.mutable_initializer(pick(graph_.initializer_size())));
        return;
      case 2:
        if (graph_.node_size() > 0) *graph_.add_node() = onnx::NodeProto(graph_.node(pick(graph_.node_size())));
        return;
      default:
        if (graph_.node_size() > 0) change_node(*graph_.mutable_node(pick(graph_.node_size())));
    }
  }

  void change_shape(onnx::ValueInfoProto& input) {
    onnx::TypeProto::Tensor& type = *input.mutable_type()->mutable_tensor_type();
    if (rng_.chance(0.2)) type.set_elem_type(pick(24));
    onnx::TensorShapeProto& shape = *type.mutable_shape();
    if (shape.dim_size() == 0 || rng_.chance(0.1)) shape.add_dim();
    onnx::TensorShapeProto::Dimension& dim = *shape.mutable_dim(pick(shape.dim_size()));
    if (rng_.chance(0.5))
      dim.set_dim_value(number());
    else
      dim.set_dim_param(rng_.chance(0.5) ? "n" : "m");
  }

  void change_tensor(onnx::TensorProto& tensor) {
    if (rng_.chance(0.3) && tensor.dims_size() > 0) {
      tensor.set_dims(pick(tensor.dims_size()), number());
      return;
    }
    if (tensor.int64_data_size() > 0) tensor.set_int64_data(pick(tensor.int64_data_size()), number());
    if (tensor.raw_data().size() < sizeof(int64_t)) return;
    std::string& raw = *tensor.mutable_raw_data();
    int64_t value = number();
    size_t element = static_cast<size_t>(pick(raw.size() / sizeof(value)));
    std::memcpy(raw.data() + element * sizeof(value), &value, sizeof(value));
  }

  void change_node(onnx::NodeProto& node) {
    switch (pick(4)) {
      case 0:
        node.set_op_type(graph_.node(pick(graph_.node_size())).op_type());
        return;
      case 1:
        if (node.input_size() > 0) node.set_input(pick(node.input_size()), name());
        return;
      default:
        if (node.attribute_size() > 0) change_attribute(*node.mutable_attribute(pick(node.attribute_size())));
    }
  }

  void change_attribute(onnx::AttributeProto& attribute) {
    if (attribute.ints_size() > 0 && rng_.chance(0.8))
      attribute.set_ints(pick(attribute.ints_size()), number());
    else if (attribute.type() == onnx::AttributeProto::INTS)
      attribute.add_ints(number());
    else if (attribute.type() == onnx::AttributeProto::INT)
      attribute.set_i(number());
    else if (attribute.type() == onnx::AttributeProto::TENSOR)
      change_tensor(*attribute.mutable_t());
    else if (attribute.type() == onnx::AttributeProto::FLOAT)
      attribute.set_f(static_cast<float>(number()));
    else if (attribute.type() == onnx::AttributeProto::GRAPH)
      GraphMutator(*attribute.mutable_g(), rng_.next()).run();
  }

  onnx::GraphProto& graph_;
  Rng rng_;
  std::vector<std::string> names_;
};

}  // namespace hone::fuzz
