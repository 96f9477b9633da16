// Writes the step of a Scan as a Program of its own. The first op that cannot be typed is remembered: finish says why, and
// what was asked for after it is not built.
#pragma once

#include "import/node_internal.h"

namespace hone::import {

class StepBuilder {
 public:
  StepBuilder(Importer& importer, std::string name) : importer_(importer) { frame_.program.name = std::move(name); }

  ir::ValueId input(const std::string& name, ir::TensorType type);
  ir::ValueId add(ir::OpKind kind, Values inputs, AttributeMap attributes = {}, const ir::TensorType& type = {});
  ir::ValueId number(ir::DType type, double value);
  ir::ValueId reshape(ir::ValueId value, ir::Shape shape);
  // Rows [first, first + count) of dimension `axis`.
  ir::ValueId slice(ir::ValueId value, size_t axis, int64_t first, const ir::Index& count);
  ir::TensorType type(ir::ValueId id) const { return problem_ ? ir::TensorType{} : frame_.program.type(id); }

  Result<ir::Program> finish(Values outputs) &&;

 private:
  Importer& importer_;
  Frame frame_;
  std::optional<Error> problem_;
};

}  // namespace hone::import
