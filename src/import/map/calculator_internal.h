// Steps whose numbers are all of one type: for operators that are formulas of others.
#pragma once

#include "import/map/steps_internal.h"

namespace hone::import {

class Calculator : public Steps {
 public:
  Calculator(Node& node, ir::DType type) : Steps(node), type_(type) {}

  using Steps::add;
  using Steps::mul;
  using Steps::sub;
  ir::ValueId number(double value) { return Steps::number(type_, value); }
  ir::ValueId size(const ir::Index& size) { return cast(Steps::size(size), type_); }
  ir::ValueId range(const ir::Index& length) { return cast(positions(length), type_); }  // 0, 1, …

  ir::ValueId add(ir::ValueId a, double b) { return add(a, number(b)); }
  ir::ValueId sub(ir::ValueId a, double b) { return sub(a, number(b)); }
  ir::ValueId mul(ir::ValueId a, double b) { return mul(a, number(b)); }
  ir::ValueId min(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Min, {a, b}); }
  ir::ValueId max(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Max, {a, b}); }
  ir::ValueId less(ir::ValueId a, ir::ValueId b) { return op(ir::OpKind::Less, {a, b}); }
  ir::ValueId floor(ir::ValueId a) { return op(ir::OpKind::Floor, {a}); }
  ir::ValueId sum(ir::ValueId a, int64_t axis) { return reduce(ir::OpKind::ReduceSum, a, {axis}, false); }
  // The entry of one dimension, which is gone.
  ir::ValueId pick(ir::ValueId a, size_t dimension, int64_t at);

  const ir::TensorType& type_of(ir::ValueId id) const;
  const ir::Shape& shape_of(ir::ValueId id) const { return type_of(id).shape; }

  Result<ir::ValueId> result(ir::ValueId value) const;
  Result<Values> results(Values values) const { return done(std::move(values)); }

 private:
  ir::DType type_;
};

}  // namespace hone::import
