// Reads a node's attributes. A wrong kind or a number out of bounds is remembered and refuses the node once its mapping
// returns, so that mappings can ask for values plainly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "onnx.pb.h"

namespace hone::import {

class Attributes {
 public:
  explicit Attributes(const onnx::NodeProto& node) : node_(node) {}

  bool has(const char* name) const { return find(name) != nullptr; }
  int64_t integer(const char* name, int64_t otherwise);
  double number(const char* name, double otherwise);
  std::string text(const char* name, const std::string& otherwise);
  std::vector<int64_t> integers(const char* name, const std::vector<int64_t>& otherwise = {});
  std::vector<double> numbers(const char* name);
  std::vector<std::string> texts(const char* name);
  const onnx::TensorProto* tensor(const char* name);
  const onnx::GraphProto* graph(const char* name);

  const std::optional<Error>& problem() const { return problem_; }
  // Remembers the first problem.
  void refuse(Error problem);

 private:
  const onnx::AttributeProto* find(const char* name) const;
  const onnx::AttributeProto* find(const char* name, onnx::AttributeProto::AttributeType type);
  int64_t bounded(const char* name, int64_t value);

  const onnx::NodeProto& node_;
  std::optional<Error> problem_;
};

}  // namespace hone::import
