#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "eval/domain/domain.h"
#include "eval/domain/element.h"

namespace hone::eval {
namespace {

using ir::ScalarOp;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double sign(double x) {
  return std::isnan(x) ? x : x > 0 ? 1 : x < 0 ? -1 : 0;
}

double floor_remainder(double a, double b) {
  double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double smaller(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? kNan : std::min(a, b);
}
double larger(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? kNan : std::max(a, b);
}

double real_operation(ScalarOp op, double a, double b) {
  switch (op) {
    case ScalarOp::Neg:
      return -a;
    case ScalarOp::Abs:
      return std::abs(a);
    case ScalarOp::Sign:
      return sign(a);
    case ScalarOp::Exp:
      return std::exp(a);
    case ScalarOp::Log:
      return std::log(a);
    case ScalarOp::Sqrt:
      return std::sqrt(a);
    case ScalarOp::Rsqrt:
      return 1 / std::sqrt(a);
    case ScalarOp::Reciprocal:
      return 1 / a;
    case ScalarOp::Tanh:
      return std::tanh(a);
    case ScalarOp::Erf:
      return std::erf(a);
    case ScalarOp::NormalCdf:
      return std::erfc(-a * std::numbers::sqrt2 / 2) / 2;
    case ScalarOp::Sigmoid:
      return 1 / (1 + std::exp(-a));
    case ScalarOp::Sin:
      return std::sin(a);
    case ScalarOp::Cos:
      return std::cos(a);
    case ScalarOp::Tan:
      return std::tan(a);
    case ScalarOp::Asin:
      return std::asin(a);
    case ScalarOp::Acos:
      return std::acos(a);
    case ScalarOp::Atan:
      return std::atan(a);
    case ScalarOp::Sinh:
      return std::sinh(a);
    case ScalarOp::Cosh:
      return std::cosh(a);
    case ScalarOp::Asinh:
      return std::asinh(a);
    case ScalarOp::Acosh:
      return std::acosh(a);
    case ScalarOp::Atanh:
      return std::atanh(a);
    case ScalarOp::Floor:
      return std::floor(a);
    case ScalarOp::Ceil:
      return std::ceil(a);
    case ScalarOp::Round:
      return std::nearbyint(a);
    case ScalarOp::Add:
      return a + b;
    case ScalarOp::Sub:
      return a - b;
    case ScalarOp::Mul:
      return a * b;
    case ScalarOp::Div:
      return a / b;
    case ScalarOp::Mod:
      return floor_remainder(a, b);
    case ScalarOp::Fmod:
      return std::fmod(a, b);
    case ScalarOp::Pow:
      return std::pow(a, b);
    case ScalarOp::Min:
      return smaller(a, b);
    case ScalarOp::Max:
      return larger(a, b);
    case ScalarOp::IsNan:
    case ScalarOp::Not:
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
  HONE_CHECK(false, "{} does not yield a floating-point value", ir::name_of(op));
}

}  // namespace

template <bool kRounds>
Cell Machine<kRounds>::other_operation(ScalarOp op, ir::DType type, const Cell* args) {
  double a = args[0].real, b = ir::arity_of(op) > 1 ? args[1].real : 0;
  switch (op) {
    case ScalarOp::Less:
      return {.whole = a < b};
    case ScalarOp::LessEqual:
      return {.whole = a <= b};
    case ScalarOp::Equal:
      return {.whole = a == b};
    case ScalarOp::IsNan:
      return {.whole = std::isnan(a)};
    default:
      return {.real = round(type, real_operation(op, a, b))};
  }
}

template <bool kRounds>
Cell Machine<kRounds>::to_float(ir::DType to, ir::DType from, Cell value) {
  return {.real = round(to, ir::is_float(from) ? value.real : to_real(from, value.whole))};
}

template <bool kRounds>
int64_t Machine<kRounds>::from_float(ir::DType to, Cell value) {
  return to_whole(to, value.real);
}

template class Machine<true>;
template class Machine<false>;

}  // namespace hone::eval
