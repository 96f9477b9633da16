// Builds arithmetic out of ops, for operators that are formulas of others. The first problem is remembered and everything
// after it is skipped, so that formulas can be written plainly; `result` tells it.
#pragma once

#include "import/node_internal.h"

namespace hone::import {

class Calculator {
 public:
  // Numbers are of this type.
  Calculator(Node& node, ir::DType type) : node_(node), type_(type) {}

  ir::ValueId op(ir::OpKind kind, Values inputs, AttributeMap attributes = {}, const ir::TensorType& type = {});
  ir::ValueId number(double value);
  ir::ValueId size(const ir::Index& size);  // a size as a number
  ir::ValueId range(const ir::Index& length);

  ir::ValueId add(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Add, {a, b}); }
  ir::ValueId sub(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Sub, {a, b}); }
  ir::ValueId mul(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Mul, {a, b}); }
  ir::ValueId div(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Div, {a, b}); }
  ir::ValueId min(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Min, {a, b}); }
  ir::ValueId max(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Max, {a, b}); }
  ir::ValueId add(ir::ValueId a, double b) { return add(a, number(b)); }
  ir::ValueId sub(ir::ValueId a, double b) { return sub(a, number(b)); }
  ir::ValueId mul(ir::ValueId a, double b) { return mul(a, number(b)); }
  ir::ValueId less(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Less, {a, b}); }
  ir::ValueId where(ir::ValueId condition, ir::ValueId yes, ir::ValueId no) {
    return op(ir::OpKind::Where, {condition, yes, no});
  }
  ir::ValueId floor(ir::ValueId a) { return op(ir::OpKind::Floor, {a}); }
  ir::ValueId cast(ir::ValueId a, ir::DType type);
  ir::ValueId reshape(ir::ValueId a, const ir::Shape& shape);
  ir::ValueId transpose(ir::ValueId a, const std::vector<int64_t>& order);
  ir::ValueId sum(ir::ValueId a, int64_t axis);  // the axis is gone
  // The entry of one dimension, which is gone.
  ir::ValueId pick(ir::ValueId a, size_t dimension, int64_t at);

  const ir::TensorType& type_of(ir::ValueId id) const;
  const ir::Shape& shape_of(ir::ValueId id) const { return type_of(id).shape; }

  bool failed() const { return problem_.has_value(); }
  Result<ir::ValueId> result(ir::ValueId value) const;
  Result<Values> results(Values values) const;

 private:
  ir::ValueId keep(Result<ir::ValueId> made);

  Node& node_;
  ir::DType type_;
  std::optional<Error> problem_;
};

}  // namespace hone::import
