#include "import/attributes_internal.h"

#include "import/sizes_internal.h"

namespace hone::import {

using onnx::AttributeProto;

void Attributes::refuse(Error problem) {
  if (!problem_) problem_ = std::move(problem);
}

const AttributeProto* Attributes::find(const char* name) const {
  for (const AttributeProto& attribute : node_.attribute())
    if (attribute.name() == name) return &attribute;
  return nullptr;
}

const AttributeProto* Attributes::find(const char* name, AttributeProto::AttributeType type) {
  const AttributeProto* found = find(name);
  if (!found || found->type() == type) return found;
  // Files of the first ONNX versions leave the type out.
  if (found->type() == AttributeProto::UNDEFINED && found->ref_attr_name().empty()) return found;
  refuse(error("attribute '{}' is not of kind {}", name, AttributeProto::AttributeType_Name(type)));
  return nullptr;
}

int64_t Attributes::bounded(const char* name, int64_t value) {
  if (value > -kLargeNumber && value < kLargeNumber) return value;
  // Slice of old opsets says "to the end" with the largest number.
  const bool is_end = std::string_view(name) == "starts" || std::string_view(name) == "ends";
  if (is_end && (value == INT64_MAX || value == INT64_MIN || value == -INT64_MAX)) return value;
  refuse(error("attribute '{}' has the number {}, which is out of bounds", name, value));
  return 0;
}

int64_t Attributes::integer(const char* name, int64_t otherwise) {
  const AttributeProto* found = find(name, AttributeProto::INT);
  if (!found) return otherwise;
  if (found->i() <= -kLargeNumber || found->i() >= kLargeNumber) {
    refuse(error("attribute '{}' has the number {}, which is out of bounds", name, found->i()));
    return otherwise;
  }
  return found->i();
}

double Attributes::number(const char* name, double otherwise) {
  const AttributeProto* found = find(name, AttributeProto::FLOAT);
  return found ? static_cast<double>(found->f()) : otherwise;
}

std::string Attributes::text(const char* name, const std::string& otherwise) {
  const AttributeProto* found = find(name, AttributeProto::STRING);
  return found ? found->s() : otherwise;
}

std::vector<int64_t> Attributes::integers(const char* name, const std::vector<int64_t>& otherwise) {
  const AttributeProto* found = find(name, AttributeProto::INTS);
  if (!found) return otherwise;
  std::vector<int64_t> values;
  for (int64_t value : found->ints()) values.push_back(bounded(name, value));
  return values;
}

std::vector<double> Attributes::numbers(const char* name) {
  const AttributeProto* found = find(name, AttributeProto::FLOATS);
  if (!found) return {};
  return {found->floats().begin(), found->floats().end()};
}

std::vector<std::string> Attributes::texts(const char* name) {
  const AttributeProto* found = find(name, AttributeProto::STRINGS);
  if (!found) return {};
  return {found->strings().begin(), found->strings().end()};
}

const onnx::TensorProto* Attributes::tensor(const char* name) {
  const AttributeProto* found = find(name, AttributeProto::TENSOR);
  return found ? &found->t() : nullptr;
}

const onnx::GraphProto* Attributes::graph(const char* name) {
  const AttributeProto* found = find(name, AttributeProto::GRAPH);
  return found ? &found->g() : nullptr;
}

}  // namespace hone::import
