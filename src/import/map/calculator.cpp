#include "import/map/calculator_internal.h"

namespace hone::import {

ValueId Calculator::pick(ValueId a, size_t dimension, int64_t at) {
  if (failed()) return ir::kAbsent;
  ir::Shape shape = shape_of(a);
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dimension));
  return reshape(slice(a, dimension, at, 1), shape);
}

const ir::TensorType& Calculator::type_of(ValueId id) const {
  static const ir::TensorType none;
  return failed() ? none : node_.type_of(id);
}

Result<ValueId> Calculator::result(ValueId value) const {
  HONE_TRY(Values values, done({value}));
  return values[0];
}

}  // namespace hone::import
