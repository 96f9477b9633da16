#include "eval/loop_lanes.h"

#include <array>
#include <cmath>
#include <limits>

#include "eval/domain/element.h"
#include "eval/domain/float_bits.h"

namespace hone::eval {

using ir::DType;
using ir::loop::BinaryOp;
using ir::loop::ExprKind;
using ir::loop::UnaryOp;

namespace {

double unary_real(UnaryOp op, double a) {
  switch (op) {
    case UnaryOp::Neg:
      return -a;
    case UnaryOp::Abs:
      return std::abs(a);
    case UnaryOp::Sqrt:
      return std::sqrt(a);
    case UnaryOp::Floor:
      return std::floor(a);
    case UnaryOp::Ceil:
      return std::ceil(a);
    case UnaryOp::RoundEven:
      return std::nearbyint(a);
    case UnaryOp::Trunc:
      return std::trunc(a);
    case UnaryOp::Not:
      break;
  }
  HONE_CHECK(false, "not of a float");
  return 0;
}

int64_t unary_whole(UnaryOp op, DType type, int64_t a) {
  if (op == UnaryOp::Not) return type == DType::Bool ? (a == 0) : ~a;
  const auto negated = static_cast<int64_t>(0 - static_cast<uint64_t>(a));
  if (op == UnaryOp::Neg) return negated;
  HONE_CHECK(op == UnaryOp::Abs, "rounding or root of an integer");
  return ir::is_signed(type) && a < 0 ? negated : a;
}

double extreme(bool smallest, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  return smallest ? std::min(a, b) : std::max(a, b);
}

double binary_real(BinaryOp op, double a, double b) {
  switch (op) {
    case BinaryOp::Add:
      return a + b;
    case BinaryOp::Sub:
      return a - b;
    case BinaryOp::Mul:
      return a * b;
    case BinaryOp::Div:
      return a / b;
    case BinaryOp::Rem:
      return std::fmod(a, b);
    case BinaryOp::Min:
      return extreme(true, a, b);
    case BinaryOp::Max:
      return extreme(false, a, b);
    case BinaryOp::Scale:
      return std::isnan(b) ? b : std::ldexp(a, static_cast<int>(std::clamp(b, -5000.0, 5000.0)));
    case BinaryOp::Less:
      return a < b;
    case BinaryOp::LessEqual:
      return a <= b;
    case BinaryOp::Equal:
      return a == b;
    case BinaryOp::NotEqual:
      return a != b;
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
    case BinaryOp::Shl:
    case BinaryOp::Shr:
      break;
  }
  HONE_CHECK(false, "a float has no bits to operate on");
  return 0;
}

int64_t quotient(BinaryOp op, DType type, int64_t a, int64_t b) {
  const bool wants_quotient = op == BinaryOp::Div || op == BinaryOp::FloorDiv;
  if (b == 0) b = 1;
  if (!ir::is_signed(type)) {
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<int64_t>(wants_quotient ? x / y : x % y);
  }
  if (b == -1) return wants_quotient ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : 0;
  const int64_t q = a / b, r = a % b;
  const bool floors = op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
  const bool off = floors && r != 0 && (r < 0) != (b < 0);
  return wants_quotient ? q - (off ? 1 : 0) : r + (off ? b : 0);
}

bool less(DType type, int64_t a, int64_t b) {
  return ir::is_signed(type) ? a < b : static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
}

int64_t binary_whole(BinaryOp op, DType type, int64_t a, int64_t b) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (op) {
    case BinaryOp::Add:
      return static_cast<int64_t>(x + y);
    case BinaryOp::Sub:
      return static_cast<int64_t>(x - y);
    case BinaryOp::Mul:
      return static_cast<int64_t>(x * y);
    case BinaryOp::Div:
    case BinaryOp::Rem:
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod:
      return quotient(op, type, a, b);
    case BinaryOp::Min:
      return less(type, b, a) ? b : a;
    case BinaryOp::Max:
      return less(type, a, b) ? b : a;
    case BinaryOp::And:
      return a & b;
    case BinaryOp::Or:
      return a | b;
    case BinaryOp::Xor:
      return a ^ b;
    case BinaryOp::Shl:
      return static_cast<int64_t>(x << (y & 63));
    case BinaryOp::Shr:
      return ir::is_signed(type) ? a >> (b & 63) : static_cast<int64_t>(x >> (y & 63));
    case BinaryOp::Less:
      return less(type, a, b);
    case BinaryOp::LessEqual:
      return !less(type, b, a);
    case BinaryOp::Equal:
      return a == b;
    case BinaryOp::NotEqual:
      return a != b;
    case BinaryOp::Scale:
      break;
  }
  return 0;
}

double fused(DType type, double a, double b, double c) {
  if (type == DType::F64) return std::fma(a, b, c);
  return rounded(type, std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
}

}  // namespace

LoopLanes loop_unary(UnaryOp op, const LoopLanes& a) {
  LoopLanes result = a;
  const DType type = a.type.element;
  for (Lane& lane : result.lanes) {
    if (ir::is_float(type))
      lane.real = rounded(type, unary_real(op, lane.real));
    else
      lane.whole = wrapped(type, unary_whole(op, type, lane.whole));
  }
  return result;
}

LoopLanes loop_binary(BinaryOp op, const LoopLanes& a, const LoopLanes& b) {
  const DType type = a.type.element;
  const bool compares = op >= BinaryOp::Less;
  LoopLanes result{{compares ? DType::Bool : type, a.type.lanes}, a.lanes};
  for (size_t i = 0; i < a.lanes.size(); ++i) {
    Lane& lane = result.lanes[i];
    if (ir::is_float(type)) {
      const double value = binary_real(op, a.lanes[i].real, b.lanes[i].real);
      lane = compares ? Lane{0, value != 0} : Lane{rounded(type, value), 0};
    } else {
      const int64_t value = binary_whole(op, type, a.lanes[i].whole, b.lanes[i].whole);
      lane.whole = compares ? value : wrapped(type, value);
    }
  }
  return result;
}

LoopLanes loop_fma(const LoopLanes& a, const LoopLanes& b, const LoopLanes& c) {
  LoopLanes result = a;
  for (size_t i = 0; i < a.lanes.size(); ++i)
    result.lanes[i].real = fused(a.type.element, a.lanes[i].real, b.lanes[i].real, c.lanes[i].real);
  return result;
}

LoopLanes loop_convert(const LoopLanes& a, DType type) {
  LoopLanes result{{type, a.type.lanes}, a.lanes};
  const DType from = a.type.element;
  for (Lane& lane : result.lanes) {
    if (ir::is_float(from) && ir::is_float(type))
      lane.real = rounded(type, lane.real);
    else if (ir::is_float(from))
      lane = {0, to_whole(type, lane.real)};
    else if (ir::is_float(type))
      lane = {rounded(type, to_real(from, lane.whole)), 0};
    else
      lane.whole = type == DType::Bool ? lane.whole != 0 : wrapped(type, lane.whole);
  }
  return result;
}

LoopLanes loop_bitcast(const LoopLanes& a, DType type) {
  LoopLanes result{{type, a.type.lanes}, a.lanes};
  std::array<std::byte, 8> bytes{};
  for (Lane& lane : result.lanes) {
    if (ir::is_float(a.type.element))
      store_real(a.type.element, lane.real, bytes.data());
    else
      store_whole(a.type.element, lane.whole, bytes.data());
    lane = ir::is_float(type) ? Lane{load_real(type, bytes.data()), 0} : Lane{0, load_whole(type, bytes.data())};
  }
  return result;
}

LoopLanes loop_reduce(ExprKind kind, const LoopLanes& a) {
  const BinaryOp op = kind == ExprKind::ReduceAdd   ? BinaryOp::Add
                      : kind == ExprKind::ReduceMul ? BinaryOp::Mul
                      : kind == ExprKind::ReduceMax ? BinaryOp::Max
                                                    : BinaryOp::Min;
  std::vector<Lane> lanes = a.lanes;
  while (lanes.size() > 1) {
    const size_t pairs = lanes.size() / 2, kept = lanes.size() - pairs;
    for (size_t i = 0; i < pairs; ++i) {
      const ir::loop::VectorType one{a.type.element, 1};
      lanes[i] = loop_binary(op, {one, {lanes[i]}}, {one, {lanes[i + kept]}}).lanes[0];
    }
    lanes.resize(kept);
  }
  return {{a.type.element, 1}, lanes};
}

}  // namespace hone::eval
