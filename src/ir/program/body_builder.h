// Writes the body of a composite or the step of a scan. Every op it adds gets the type that infer_types gives.
// Private to this folder.
#pragma once

#include "ir/program/program.h"

namespace hone::ir {

class BodyBuilder {
 public:
  explicit BodyBuilder(std::string name) { program_.name = std::move(name); }

  ValueId input(const char* name, TensorType type);
  ValueId add(OpKind kind, std::vector<ValueId> inputs, std::map<std::string, Attribute> attributes = {});
  // For operators whose shape is that of their result.
  ValueId add_typed(OpKind kind, std::vector<ValueId> inputs, TensorType type,
                    std::map<std::string, Attribute> attributes = {});
  ValueId number(DType type, double value) { return add_typed(OpKind::Fill, {}, {type, {}}, {{"value", value}}); }
  ValueId reshape(ValueId x, Shape shape) { return add_typed(OpKind::Reshape, {x}, {type(x).dtype, std::move(shape)}); }
  const TensorType& type(ValueId id) const { return program_.type(id); }

  Program finish(std::vector<ValueId> outputs) &&;

 private:
  Op& append(OpKind kind, std::vector<ValueId> inputs, TensorType type, std::map<std::string, Attribute> attributes);

  Program program_;
};

}  // namespace hone::ir
