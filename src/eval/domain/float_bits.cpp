#include "eval/domain/float_bits.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hone::eval {
namespace {

// A binary format with a sign bit, exponent bits and stored mantissa bits, laid out like IEEE's.
struct Format {
  int mantissa, exponent;
  int bias() const { return (1 << (exponent - 1)) - 1; }
  double largest() const { return std::ldexp(2.0 - std::ldexp(1.0, -mantissa), bias()); }
};
constexpr Format kHalf{10, 5}, kBfloat{7, 8};

double round_to(Format format, double value) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = std::max(std::ilogb(value), 1 - format.bias());
  double quantum = std::ldexp(1.0, exponent - format.mantissa);
  double nearest = std::nearbyint(value / quantum) * quantum;
  if (std::abs(nearest) > format.largest()) return std::copysign(std::numeric_limits<double>::infinity(), value);
  return std::copysign(nearest, value);
}

uint16_t encode(Format format, double value) {
  uint32_t sign = std::signbit(value) ? 0x8000u : 0u, top = ((1u << format.exponent) - 1) << format.mantissa;
  if (std::isnan(value)) return static_cast<uint16_t>(sign | top | (1u << (format.mantissa - 1)));
  value = std::abs(round_to(format, value));
  if (std::isinf(value)) return static_cast<uint16_t>(sign | top);
  if (value == 0) return static_cast<uint16_t>(sign);
  int exponent = std::max(std::ilogb(value), 1 - format.bias());
  // Counts quanta: the hidden bit of a normal number carries into the exponent field by itself.
  uint32_t quanta = static_cast<uint32_t>(std::ldexp(value, format.mantissa - exponent));
  uint32_t field = static_cast<uint32_t>(exponent + format.bias() - 1) << format.mantissa;
  return static_cast<uint16_t>(sign | (field + quanta));
}

double decode(Format format, uint16_t bits) {
  double sign = bits & 0x8000u ? -1 : 1;
  int field = (bits >> format.mantissa) & ((1 << format.exponent) - 1);
  int quanta = bits & ((1 << format.mantissa) - 1);
  if (field == (1 << format.exponent) - 1)
    return quanta ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  int exponent = std::max(field, 1) - format.bias();
  if (field != 0) quanta += 1 << format.mantissa;
  return sign * std::ldexp(quanta, exponent - format.mantissa);
}

}  // namespace

double rounded(ir::DType type, double value) {
  switch (type) {
    case ir::DType::F32:
      return static_cast<double>(static_cast<float>(value));
    case ir::DType::F16:
      return round_to(kHalf, value);
    case ir::DType::BF16:
      return round_to(kBfloat, value);
    case ir::DType::F64:
    case ir::DType::I8:
    case ir::DType::I16:
    case ir::DType::I32:
    case ir::DType::I64:
    case ir::DType::U8:
    case ir::DType::U16:
    case ir::DType::U32:
    case ir::DType::U64:
    case ir::DType::Bool:
    case ir::DType::F8E4M3FN:
    case ir::DType::F8E4M3FNUZ:
    case ir::DType::F8E5M2:
    case ir::DType::F8E5M2FNUZ:
    case ir::DType::F8E8M0:
    case ir::DType::F4E2M1:
    case ir::DType::I4:
    case ir::DType::U4:
    case ir::DType::I2:
    case ir::DType::U2:
      return value;
  }
  return value;
}

double of_half(uint16_t bits) {
  return decode(kHalf, bits);
}
uint16_t half_bits(double value) {
  return encode(kHalf, value);
}
double of_bfloat(uint16_t bits) {
  return decode(kBfloat, bits);
}
uint16_t bfloat_bits(double value) {
  return encode(kBfloat, value);
}

}  // namespace hone::eval
