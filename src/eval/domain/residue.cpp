#include <cmath>

#include "eval/domain/domain.h"

namespace hone::eval {

using field::Residues;
using ir::ScalarOp;

Residues Residue::refuse(std::string why) {
  if (!problem) problem = std::move(why);
  return {};
}

Residues Residue::real(ir::DType, double value) {
  return std::isfinite(value) ? field_.of_double(value) : refuse(fmt::format("{} has no residue", value));
}

Residues Residue::divide(const Residues& a, const Residues& b) {
  auto result = field_.divide(a, b);
  return result ? *result : refuse("division by a residue of zero; other random inputs may avoid it");
}

Residues Residue::exponential(const Residues& a) {
  auto result = field_.exponential(a);
  return result ? *result : refuse("an exponential stands inside another one");
}

Residues Residue::operation(ScalarOp op, ir::DType, const Residues* args) {
  const Residues one = field_.of_integer(1);
  switch (op) {
    case ScalarOp::Neg:
      return field_.negate(args[0]);
    case ScalarOp::Exp:
      return exponential(args[0]);
    case ScalarOp::Sqrt:
      return field_.root(args[0]);
    case ScalarOp::Rsqrt:
      return divide(one, field_.root(args[0]));
    case ScalarOp::Reciprocal:
      return divide(one, args[0]);
    case ScalarOp::Sigmoid:
      return divide(one, field_.add(one, exponential(field_.negate(args[0]))));
    case ScalarOp::Add:
      return field_.add(args[0], args[1]);
    case ScalarOp::Sub:
      return field_.subtract(args[0], args[1]);
    case ScalarOp::Mul:
      return field_.multiply(args[0], args[1]);
    case ScalarOp::Div:
      return divide(args[0], args[1]);
    case ScalarOp::Abs:
    case ScalarOp::Sign:
    case ScalarOp::Log:
    case ScalarOp::Tanh:
    case ScalarOp::Erf:
    case ScalarOp::NormalCdf:
    case ScalarOp::Sin:
    case ScalarOp::Cos:
    case ScalarOp::Tan:
    case ScalarOp::Asin:
    case ScalarOp::Acos:
    case ScalarOp::Atan:
    case ScalarOp::Sinh:
    case ScalarOp::Cosh:
    case ScalarOp::Asinh:
    case ScalarOp::Acosh:
    case ScalarOp::Atanh:
    case ScalarOp::Floor:
    case ScalarOp::Ceil:
    case ScalarOp::Round:
    case ScalarOp::IsNan:
    case ScalarOp::Not:
    case ScalarOp::Mod:
    case ScalarOp::Fmod:
    case ScalarOp::Pow:
    case ScalarOp::Min:
    case ScalarOp::Max:
    case ScalarOp::Less:
    case ScalarOp::LessEqual:
    case ScalarOp::Equal:
    case ScalarOp::And:
    case ScalarOp::Or:
    case ScalarOp::Xor:
    case ScalarOp::Shl:
    case ScalarOp::Shr:
    case ScalarOp::Select:
      break;
  }
  return refuse(fmt::format("{} is not a field operation", ir::name_of(op)));
}

Residues Residue::to_float(ir::DType, ir::DType from, Residues value) {
  return ir::is_float(from) ? value : field_.of_integer(static_cast<int64_t>(value.p));
}

int64_t Residue::from_float(ir::DType to, Residues) {
  refuse(fmt::format("a cast to {} is not a field operation", ir::name_of(to)));
  return 0;
}

int64_t Residue::bits_of(ir::DType type, Residues) {
  refuse(fmt::format("the bits of a {} are not a field operation", ir::name_of(type)));
  return 0;
}

Residues Residue::from_bits(ir::DType type, int64_t) {
  return refuse(fmt::format("a {} made of bits is not a field operation", ir::name_of(type)));
}

}  // namespace hone::eval
