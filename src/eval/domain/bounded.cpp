#include "eval/domain/bounded.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hone::eval {
namespace {

using ir::DType;
using ir::ScalarOp;

constexpr double kAnything = std::numeric_limits<double>::infinity();
constexpr double kFunctionUlps = 4;

// Half the distance between 1 and the next number of the type.
double unit_of(DType type) {
  switch (type) {
    case DType::F64:
      return 0x1p-53;
    case DType::F16:
      return 0x1p-11;
    case DType::BF16:
      return 0x1p-8;
    default:
      return 0x1p-24;
  }
}

double smallest_of(DType type) {
  return type == DType::F64 ? 0x1p-1074 : type == DType::F16 ? 0x1p-24 : 0x1p-133;
}

// How far f moves at most when its argument moves by `error`, for functions that rise or fall on the way.
template <typename Function>
double moved(const Bounded::Number& a, Function function) {
  const double at = function(a.cell.real);
  return std::max(std::abs(function(a.cell.real + a.error) - at), std::abs(function(a.cell.real - a.error) - at));
}

// As above for functions that end: a number that may lie beyond the end may be anything.
template <typename Function>
double edged(const Bounded::Number& a, Function function) {
  const double moves = moved(a, function);
  return std::isfinite(moves) && std::isfinite(function(a.cell.real + a.error)) &&
                 std::isfinite(function(a.cell.real - a.error))
             ? moves
             : kAnything;
}

double quotient_error(const Bounded::Number& a, const Bounded::Number& b) {
  const double divisor = std::abs(b.cell.real);
  if (divisor <= b.error) return kAnything;
  return (a.error + std::abs(a.cell.real / b.cell.real) * b.error) / (divisor - b.error);
}

double power_error(const Bounded::Number& a, const Bounded::Number& b) {
  auto power = [](double x, double y) { return std::pow(x, y); };
  const double at = power(a.cell.real, b.cell.real);
  double worst = 0;
  for (double x : {a.cell.real - a.error, a.cell.real + a.error})
    for (double y : {b.cell.real - b.error, b.cell.real + b.error}) worst = std::max(worst, std::abs(power(x, y) - at));
  return std::isnan(worst) ? kAnything : 2 * worst;
}

}  // namespace

Bounded::Number Bounded::real(DType type, double value) {
  const double held = std::isfinite(value) ? rounded(type, value) : value;
  return {.cell = {.real = held}, .size = std::abs(held), .error = 0};
}

bool Bounded::comparison(ScalarOp op, const Number* args) {
  const Cell cells[2] = {args[0].cell, args[1].cell};
  if (op != ScalarOp::IsNan && std::abs(cells[0].real - cells[1].real) <= args[0].error + args[1].error)
    undecided |= args[0].error + args[1].error > 0;
  return exact_.operation(op, DType::F64, cells).whole != 0;
}

// Floor and its kin jump: a number near a jump may land on either side.
double Bounded::step_error(ScalarOp op, const Number& a) {
  auto step = [&](double x) {
    const Cell cells[2] = {{.real = x}, {.real = 0}};
    return exact_.operation(op, DType::F64, cells).real;
  };
  const double moves = moved(a, step);
  undecided |= moves > 0;
  return moves;
}

double Bounded::error_of(ScalarOp op, double unit, double result, const Number* args) {
  const Number& a = args[0];
  const double rounding = unit * std::abs(result), function = 2 * kFunctionUlps * rounding;
  switch (op) {
    case ScalarOp::Neg:
    case ScalarOp::Abs:
      return a.error;
    case ScalarOp::Min:
    case ScalarOp::Max:
      return std::max(a.error, args[1].error);
    case ScalarOp::Add:
    case ScalarOp::Sub:
      return a.error + args[1].error + unit * (a.size + args[1].size);
    case ScalarOp::Mul:
      return std::abs(a.cell.real) * args[1].error + std::abs(args[1].cell.real) * a.error + a.error * args[1].error +
             rounding;
    // Division may be done as a product with the reciprocal.
    case ScalarOp::Div:
      return quotient_error(a, args[1]) + 2 * rounding;
    case ScalarOp::Reciprocal:
      return quotient_error({.cell = {.real = 1}}, a) + rounding;
    case ScalarOp::Exp:
      return moved(a, [](double x) { return std::exp(x); }) + function;
    case ScalarOp::Log:
      return (a.cell.real <= a.error ? kAnything : moved(a, [](double x) { return std::log(x); })) + function;
    case ScalarOp::Sqrt:
      return moved(a, [](double x) { return std::sqrt(std::max(x, 0.0)); }) + rounding;
    case ScalarOp::Rsqrt:
      return (a.cell.real <= a.error ? kAnything : moved(a, [](double x) { return 1 / std::sqrt(x); })) + function;
    case ScalarOp::Pow:
      return power_error(a, args[1]) + function;
    // Slopes of at most 1, 2/√π, 1/√(2π), 1/4, 1 and 1.
    case ScalarOp::Tanh:
    case ScalarOp::Sin:
    case ScalarOp::Cos:
      return a.error + function;
    case ScalarOp::Tan:
      return moved(a, [](double x) { return std::tan(x); }) + function;
    case ScalarOp::Asin:
      return edged(a, [](double x) { return std::asin(x); }) + function;
    case ScalarOp::Acos:
      return edged(a, [](double x) { return std::acos(x); }) + function;
    case ScalarOp::Atan:
    case ScalarOp::Asinh:  // slopes of at most 1
      return a.error + function;
    case ScalarOp::Sinh:
      return moved(a, [](double x) { return std::sinh(x); }) + function;
    case ScalarOp::Cosh:
      return 2 * moved(a, [](double x) { return std::cosh(x); }) + function;
    case ScalarOp::Acosh:
      return edged(a, [](double x) { return std::acosh(x); }) + function;
    case ScalarOp::Atanh:
      return edged(a, [](double x) { return std::atanh(x); }) + function;
    case ScalarOp::Erf:
      return 1.13 * a.error + function;
    case ScalarOp::NormalCdf:
      return 0.4 * a.error + function + unit;
    case ScalarOp::Sigmoid:
      return 0.25 * a.error + function;
    case ScalarOp::Sign:
    case ScalarOp::Floor:
    case ScalarOp::Ceil:
    case ScalarOp::Round:
      return step_error(op, a);
    case ScalarOp::Mod:
    case ScalarOp::Fmod:
      undecided |= a.error + args[1].error > 0;
      return a.error;
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

Bounded::Number Bounded::operation(ScalarOp op, DType type, const Number* args) {
  if (ir::is_comparison(op)) {
    const Number both[2] = {args[0], ir::arity_of(op) > 1 ? args[1] : Number{}};
    return whole(DType::Bool, comparison(op, both));
  }
  const Cell cells[2] = {args[0].cell, ir::arity_of(op) > 1 ? args[1].cell : Cell{.real = 0}};
  const double result = exact_.operation(op, DType::F64, cells).real;
  if (!std::isfinite(result)) return {.cell = {.real = result}, .size = 0, .error = 0};
  const double error = error_of(op, unit_of(type), result, args) + smallest_of(type);
  const bool sum = op == ScalarOp::Add || op == ScalarOp::Sub;
  return {.cell = {.real = result}, .size = sum ? args[0].size + args[1].size : std::abs(result), .error = error};
}

Bounded::Number Bounded::to_float(DType to, DType from, const Number& value) {
  Number result = value;
  result.cell = exact_.to_float(to, from, value.cell);
  if (!ir::is_float(from)) result.error = 0;
  result.size = std::max(ir::is_float(from) ? value.size : 0, std::abs(result.cell.real));
  result.error += unit_of(to) * std::abs(result.cell.real);
  return result;
}

int64_t Bounded::bits_of(DType type, const Number& value) {
  undecided |= value.error > 0;
  return exact_.bits_of(type, value.cell);
}

int64_t Bounded::from_float(DType to, const Number& value) {
  undecided |=
      value.error > 0 && std::trunc(value.cell.real - value.error) != std::trunc(value.cell.real + value.error);
  return exact_.from_float(to, value.cell);
}

}  // namespace hone::eval
