// Scalar bodies made ready to run at many points: a flat list of steps, one per shared node, each writing its own slot.
#pragma once

#include "eval/array.h"
#include "eval/domain/integers.h"
#include "eval/index_code.h"

namespace hone::eval {

// One operation on values of any type, the arguments' type given.
template <typename D>
typename D::Number operate(D& domain, ir::ScalarOp op, ir::DType type, const typename D::Number* args) {
  if (op == ir::ScalarOp::Select) return domain.whole_of(args[0]) != 0 ? args[1] : args[2];
  if (ir::is_float(type)) return domain.operation(op, type, args);
  int64_t whole[2] = {domain.whole_of(args[0]), ir::arity_of(op) > 1 ? domain.whole_of(args[1]) : 0};
  ir::DType result = ir::is_comparison(op) ? ir::DType::Bool : type;
  return domain.whole(result, integer_operation(op, type, whole, domain.problem));
}

template <typename D>
typename D::Number convert(D& domain, ir::DType to, ir::DType from, const typename D::Number& value) {
  if (ir::is_float(to)) return domain.to_float(to, from, value);
  if (ir::is_float(from)) return domain.whole(to, domain.from_float(to, value));
  return domain.whole(to, wrapped(to, domain.whole_of(value)));
}

// The same bits as another type of the same size.
template <typename D>
typename D::Number reinterpret(D& domain, ir::DType to, ir::DType from, const typename D::Number& value) {
  const int64_t bits = ir::is_float(from) ? domain.bits_of(from, value) : domain.whole_of(value);
  return ir::is_float(to) ? domain.from_bits(to, bits) : domain.whole(to, wrapped(to, bits));
}

template <typename D>
typename D::Number identity(D& domain, ir::Combine combine, ir::DType type) {
  if (type == ir::DType::Bool) return domain.whole(type, combine == ir::Combine::Min);
  return number_of(domain, type, ir::identity_of(combine));
}

template <typename D>
typename D::Number combine(D& domain, ir::Combine how, ir::DType type, const typename D::Number& a,
                           const typename D::Number& b) {
  const typename D::Number args[2] = {a, b};
  switch (how) {
    case ir::Combine::Sum:
      return operate(domain, ir::ScalarOp::Add, type, args);
    case ir::Combine::Prod:
      return operate(domain, ir::ScalarOp::Mul, type, args);
    case ir::Combine::Max:
      return operate(domain, ir::ScalarOp::Max, type, args);
    case ir::Combine::Min:
      return operate(domain, ir::ScalarOp::Min, type, args);
    case ir::Combine::MaxNumber: {
      const typename D::Number chosen[3] = {operate(domain, ir::ScalarOp::Less, type, args), b, a};
      return operate(domain, ir::ScalarOp::Select, type, chosen);
    }
    case ir::Combine::None:
      break;
  }
  return b;
}

template <typename D>
class ScalarCode {
 public:
  using Number = typename D::Number;

  ScalarCode(D& domain, const ir::Scalar& scalar, const AxisSlots& axes, const Sizes& sizes) : domain_(domain) {
    std::map<const ir::ScalarNode*, int> done;
    add(scalar, axes, sizes, done);
    slots_.resize(steps_.size());
  }

  // values[k]: the k-th access; reads[k]: the same as an integer, for `$k` in indices.
  Number run(const int64_t* axes, const Number* values, const int64_t* reads) {
    for (size_t i = 0; i < steps_.size(); ++i) slots_[i] = run_step(steps_[i], axes, values, reads);
    return slots_.back();
  }

 private:
  struct Step {
    ir::ScalarNode::Kind kind;
    ir::ScalarOp op;
    ir::DType type, from;  // of the result (index, cast, bits), of the arguments (operation, cast, bits)
    int arity;
    int args[3];  // slots; for an access its number; for an index its code
    Number constant;
  };

  int add(const ir::Scalar& scalar, const AxisSlots& axes, const Sizes& sizes,
          std::map<const ir::ScalarNode*, int>& done) {
    if (auto found = done.find(scalar.get()); found != done.end()) return found->second;
    using Kind = ir::ScalarNode::Kind;
    Step step{scalar->kind, scalar->op, scalar->type, scalar->type, static_cast<int>(scalar->args.size()),
              {0, 0, 0},    {}};
    for (size_t i = 0; i < scalar->args.size(); ++i) step.args[i] = add(scalar->args[i], axes, sizes, done);
    if (!scalar->args.empty()) step.from = scalar->args.back()->type;
    if (scalar->kind == Kind::Access) step.args[0] = scalar->access;
    if (scalar->kind == Kind::IndexValue) {
      step.args[0] = static_cast<int>(indices_.size());
      indices_.emplace_back(scalar->index, axes, sizes);
    }
    if (scalar->kind == Kind::Constant)
      step.constant = ir::is_integer(scalar->type) || ir::is_storage(scalar->type)
                          ? domain_.whole(scalar->type, wrapped(scalar->type, scalar->integer))
                          : number_of(domain_, scalar->type, scalar->number);
    steps_.push_back(step);
    return done[scalar.get()] = static_cast<int>(steps_.size()) - 1;
  }

  Number run_step(const Step& step, const int64_t* axes, const Number* values, const int64_t* reads) {
    switch (step.kind) {
      case ir::ScalarNode::Kind::Constant:
        return step.constant;
      case ir::ScalarNode::Kind::Access:
        return values[step.args[0]];
      case ir::ScalarNode::Kind::IndexValue: {
        int64_t index = indices_[static_cast<size_t>(step.args[0])].run(axes, reads);
        return convert(domain_, step.type, ir::DType::I64, domain_.whole(ir::DType::I64, index));
      }
      case ir::ScalarNode::Kind::Cast:
        return convert(domain_, step.type, step.from, slots_[static_cast<size_t>(step.args[0])]);
      case ir::ScalarNode::Kind::Bits:
        return reinterpret(domain_, step.type, step.from, slots_[static_cast<size_t>(step.args[0])]);
      case ir::ScalarNode::Kind::Operation:
        break;
    }
    Number args[3];
    for (int i = 0; i < step.arity; ++i) args[i] = slots_[static_cast<size_t>(step.args[i])];
    return operate(domain_, step.op, step.from, args);
  }

  D& domain_;
  std::vector<Step> steps_;
  std::vector<IndexCode> indices_;
  std::vector<Number> slots_;
};

}  // namespace hone::eval
