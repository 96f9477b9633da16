#include "eval/domain/integers.h"

#include <algorithm>

#include "base/result.h"
#include "eval/domain/element.h"

namespace hone::eval {
namespace {

using ir::DType;
using ir::ScalarOp;

// Overflow wraps: computed without a sign.
int64_t add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t multiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
int64_t negate(int64_t a) {
  return static_cast<int64_t>(0 - static_cast<uint64_t>(a));
}

bool less(DType type, int64_t a, int64_t b) {
  return type == DType::U64 ? static_cast<uint64_t>(a) < static_cast<uint64_t>(b) : a < b;
}

int64_t quotient(DType type, int64_t a, int64_t b) {
  if (type == DType::U64) return static_cast<int64_t>(static_cast<uint64_t>(a) / static_cast<uint64_t>(b));
  return b == -1 ? negate(a) : a / b;
}

int64_t remainder(DType type, int64_t a, int64_t b) {
  if (type == DType::U64) return static_cast<int64_t>(static_cast<uint64_t>(a) % static_cast<uint64_t>(b));
  return b == -1 ? 0 : a % b;
}

int64_t floor_remainder(DType type, int64_t a, int64_t b) {
  int64_t rest = remainder(type, a, b);
  return type != DType::U64 && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// A negative exponent gives what truncation of the fraction leaves.
int64_t power(DType type, int64_t base, int64_t exponent) {
  if (type != DType::U64 && exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 != 0 ? -1 : 1) : 0;
  int64_t result = 1;
  for (uint64_t left = static_cast<uint64_t>(exponent); left != 0; left >>= 1, base = multiply(base, base))
    if (left & 1) result = multiply(result, base);
  return result;
}

// A negative count, read without its sign, is beyond every width.
int64_t shifted_left(DType type, int64_t a, int64_t count) {
  return static_cast<uint64_t>(count) < static_cast<uint64_t>(ir::width_of(type))
             ? static_cast<int64_t>(static_cast<uint64_t>(a) << count)
             : 0;
}

int64_t shifted_right(DType type, int64_t a, int64_t count) {
  const bool beyond = static_cast<uint64_t>(count) >= static_cast<uint64_t>(ir::width_of(type));
  if (ir::is_signed(type)) return a >> (beyond ? 63 : count);
  return beyond ? 0 : static_cast<int64_t>(static_cast<uint64_t>(a) >> count);
}

}  // namespace

int64_t integer_operation(ScalarOp op, DType type, const int64_t* args, std::optional<std::string>& problem) {
  int64_t a = args[0], b = ir::arity_of(op) > 1 ? args[1] : 0;
  bool divides = op == ScalarOp::Div || op == ScalarOp::Mod || op == ScalarOp::Fmod;
  if (divides && b == 0) {
    problem = "integer division by zero";
    return 0;
  }
  switch (op) {
    case ScalarOp::Neg:
      return wrapped(type, negate(a));
    case ScalarOp::Abs:
      return less(type, a, 0) ? wrapped(type, negate(a)) : a;
    case ScalarOp::Sign:
      return less(type, a, 0) ? -1 : a != 0;
    case ScalarOp::Floor:
    case ScalarOp::Ceil:
    case ScalarOp::Round:
      return a;
    case ScalarOp::IsNan:
      return 0;
    case ScalarOp::Not:
      return type == DType::Bool ? a == 0 : wrapped(type, ~a);
    case ScalarOp::Add:
      return wrapped(type, add(a, b));
    case ScalarOp::Sub:
      return wrapped(type, add(a, negate(b)));
    case ScalarOp::Mul:
      return wrapped(type, multiply(a, b));
    case ScalarOp::Div:
      return wrapped(type, quotient(type, a, b));
    case ScalarOp::Mod:
      return floor_remainder(type, a, b);
    case ScalarOp::Fmod:
      return remainder(type, a, b);
    case ScalarOp::Pow:
      return wrapped(type, power(type, a, b));
    case ScalarOp::Min:
      return less(type, b, a) ? b : a;
    case ScalarOp::Max:
      return less(type, a, b) ? b : a;
    case ScalarOp::Less:
      return less(type, a, b);
    case ScalarOp::LessEqual:
      return !less(type, b, a);
    case ScalarOp::Equal:
      return a == b;
    case ScalarOp::And:
      return a & b;
    case ScalarOp::Or:
      return a | b;
    case ScalarOp::Xor:
      return a ^ b;
    case ScalarOp::Shl:
      return wrapped(type, shifted_left(type, a, b));
    case ScalarOp::Shr:
      return shifted_right(type, a, b);
    case ScalarOp::Exp:
    case ScalarOp::Log:
    case ScalarOp::Sqrt:
    case ScalarOp::Rsqrt:
    case ScalarOp::Reciprocal:
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
    case ScalarOp::Select:
      break;
  }
  problem = fmt::format("{} is not defined on {}", ir::name_of(op), ir::name_of(type));
  return 0;
}

}  // namespace hone::eval
