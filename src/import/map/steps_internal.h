// Builds the ops of a mapping that needs several. The first refusal ends the building: what is asked for after it is
// kAbsent, and done() returns it. So a mapping can be written down as the formula that it is.
#pragma once

#include "import/node_internal.h"

namespace hone::import {

class Steps {
 public:
  explicit Steps(Node& node) : node_(node) {}

  ir::ValueId op(ir::OpKind kind, Values inputs, AttributeMap attributes = {}, const ir::TensorType& type = {});
  ir::ValueId add(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Add, {a, b}); }
  ir::ValueId sub(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Sub, {a, b}); }
  ir::ValueId mul(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Mul, {a, b}); }
  ir::ValueId div(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Div, {a, b}); }
  ir::ValueId where(ir::ValueId condition, ir::ValueId yes, ir::ValueId no) {
    return op(ir::OpKind::Where, {condition, yes, no});
  }
  ir::ValueId cast(ir::ValueId value, ir::DType to);  // the value itself if it is of that type
  ir::ValueId reduce(ir::OpKind kind, ir::ValueId value, std::vector<int64_t> axes, bool keep = true);

  ir::ValueId reshape(ir::ValueId value, const ir::Shape& shape);
  ir::ValueId transpose(ir::ValueId value, std::vector<int64_t> perm);
  ir::ValueId expand(ir::ValueId value, const ir::Shape& shape);
  ir::ValueId concat(Values values, int64_t axis);
  // `length` elements of a dimension from `start` on; a negative start counts from the end.
  ir::ValueId slice(ir::ValueId value, size_t axis, int64_t start, const ir::Index& length, int64_t step = 1);
  // As slice, from a place that only the sizes tell: it is copied.
  ir::ValueId take(ir::ValueId value, size_t axis, const ir::Index& first, const ir::Index& length, int64_t step = 1);

  // As take, from a place that may lie outside of the dimension: there it has the number `fill`.
  ir::ValueId take_or_fill(ir::ValueId value, size_t axis, const ir::Index& first, const ir::Index& length,
                           double fill);

  ir::ValueId number(ir::DType type, double value);
  ir::ValueId size(const ir::Index& size);  // as an i64 scalar
  // 0, 1, … as i64 along one dimension, shaped to broadcast against a tensor that has `after` dimensions behind it.
  ir::ValueId positions(const ir::Index& count, size_t after = 0);

  ir::DType dtype(ir::ValueId value) const;
  bool failed() const { return problem_.has_value(); }
  Result<Values> done(Values values) const;

 protected:
  Node& node_;

 private:
  ir::ValueId keep(Result<ir::ValueId> made);

  std::optional<Error> problem_;
};

}  // namespace hone::import
