#include <cmath>

#include "eval/domain/domain.h"
#include "eval/domain/element.h"

namespace hone::eval {

using ir::ScalarOp;

__int128 ExactInteger::refuse(std::string why) {
  if (!problem) problem = std::move(why);
  return 0;
}

// Infinities, the identities of min and max, are numbers beyond all that a program of small integers reaches.
__int128 ExactInteger::real(ir::DType, double value) {
  if (std::isinf(value)) return (value < 0 ? -1 : 1) * (__int128{1} << 120);
  if (value != std::trunc(value) || std::abs(value) > 0x1p100)
    return refuse(fmt::format("{} is not a whole number", value));
  return static_cast<__int128>(value);
}

__int128 ExactInteger::divide(__int128 a, __int128 b) {
  if (b == 0) return refuse("division by zero");
  if (a % b != 0) return refuse("a quotient is not a whole number");
  return a / b;
}

__int128 ExactInteger::operation(ScalarOp op, ir::DType, const __int128* args) {
  __int128 a = args[0], b = ir::arity_of(op) > 1 ? args[1] : 0;
  switch (op) {
    case ScalarOp::Neg:
      return -a;
    case ScalarOp::Abs:
      return a < 0 ? -a : a;
    case ScalarOp::Sign:
      return a < 0 ? -1 : a > 0;
    case ScalarOp::Floor:
    case ScalarOp::Ceil:
    case ScalarOp::Round:
      return a;
    case ScalarOp::IsNan:
      return 0;
    case ScalarOp::Add:
      return a + b;
    case ScalarOp::Sub:
      return a - b;
    case ScalarOp::Mul:
      return a * b;
    case ScalarOp::Div:
      return divide(a, b);
    case ScalarOp::Reciprocal:
      return divide(1, a);
    case ScalarOp::Min:
      return a < b ? a : b;
    case ScalarOp::Max:
      return a < b ? b : a;
    case ScalarOp::Less:
      return a < b;
    case ScalarOp::LessEqual:
      return a <= b;
    case ScalarOp::Equal:
      return a == b;
    case ScalarOp::Exp:
    case ScalarOp::Log:
    case ScalarOp::Sqrt:
    case ScalarOp::Rsqrt:
    case ScalarOp::Tanh:
    case ScalarOp::Erf:
    case ScalarOp::NormalCdf:
    case ScalarOp::Sigmoid:
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
    case ScalarOp::Mod:
    case ScalarOp::Fmod:
    case ScalarOp::Pow:
    case ScalarOp::Not:
    case ScalarOp::And:
    case ScalarOp::Or:
    case ScalarOp::Xor:
    case ScalarOp::Shl:
    case ScalarOp::Shr:
    case ScalarOp::Select:
      break;
  }
  return refuse(fmt::format("{} leaves the whole numbers", ir::name_of(op)));
}

__int128 ExactInteger::to_float(ir::DType, ir::DType from, __int128 value) {
  return from == ir::DType::U64 ? static_cast<__int128>(static_cast<uint64_t>(value)) : value;
}

int64_t ExactInteger::from_float(ir::DType to, __int128 value) {
  return to_whole(to, static_cast<double>(value));
}

}  // namespace hone::eval
