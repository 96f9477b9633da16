#include "fuse/peephole.h"

#include <cmath>
#include <map>

namespace hone::fuse {
namespace {

using ir::Scalar;
using ir::ScalarNode;
using ir::ScalarOp;

std::optional<double> number_of(const Scalar& scalar) {
  if (scalar->kind == ScalarNode::Kind::Constant) return scalar->number;
  if (scalar->kind != ScalarNode::Kind::IndexValue || !scalar->index.constant()) return std::nullopt;
  return static_cast<double>(*scalar->index.constant());
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::isfinite(value) && std::abs(std::frexp(value, &exponent)) == 0.5 && std::abs(exponent) < 64;
}

Scalar rewrite_operation(const Scalar& scalar) {
  if (scalar->args.size() != 2) return scalar;
  const Scalar& x = scalar->args[0];
  auto right = number_of(scalar->args[1]);
  if (!right) return scalar;
  bool real = ir::is_float(scalar->type);
  switch (scalar->op) {
    case ScalarOp::Pow:
      if (*right == 1) return x;
      if (*right == 2) return ir::apply(ScalarOp::Mul, {x, x});
      if (*right == 0.5 && real) return ir::apply(ScalarOp::Sqrt, {x});
      return scalar;
    case ScalarOp::Div:
      if (*right == 1) return x;
      if (real && is_power_of_two(*right)) return ir::apply(ScalarOp::Mul, {x, ir::constant(scalar->type, 1 / *right)});
      return scalar;
    case ScalarOp::Mul:
      return *right == 1 ? x : scalar;
    case ScalarOp::Add:
      return *right == 0 && !std::signbit(*right) && !real ? x : scalar;
    default:
      return scalar;
  }
}

Scalar rewrite(const Scalar& scalar, std::map<const ScalarNode*, Scalar>& done) {
  if (auto found = done.find(scalar.get()); found != done.end()) return found->second;
  Scalar result = scalar;
  if (!scalar->args.empty()) {
    std::vector<Scalar> args;
    bool changed = false;
    for (const Scalar& arg : scalar->args) {
      args.push_back(rewrite(arg, done));
      changed |= args.back() != arg;
    }
    if (changed) result = ir::with_args(scalar, std::move(args));
    if (result->kind == ScalarNode::Kind::Operation) result = rewrite_operation(result);
  }
  done[scalar.get()] = result;
  return result;
}

}  // namespace

Scalar simplified(const Scalar& scalar) {
  std::map<const ScalarNode*, Scalar> done;
  return rewrite(scalar, done);
}

}  // namespace hone::fuse
