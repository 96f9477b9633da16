// Casts from and to the storage types, against tables of what their codes mean.
#include <cmath>
#include <limits>

#include "base/rng.h"
#include "eval/one_op.h"

namespace hone::eval {
namespace {

using ir::DType;
using ir::OpKind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Small {
  DType type;
  int width, exponent, mantissa, bias;
};
constexpr Small kSmall[] = {{DType::F8E4M3FN, 8, 4, 3, 7},
                            {DType::F8E4M3FNUZ, 8, 4, 3, 8},
                            {DType::F8E5M2, 8, 5, 2, 15},
                            {DType::F8E5M2FNUZ, 8, 5, 2, 16},
                            {DType::F4E2M1, 4, 2, 1, 1}};

double meaning(const Small& small, int code) {
  const int magnitude = code & ((1 << (small.width - 1)) - 1);
  const bool negative = code >> (small.width - 1) != 0;
  const bool one_zero = small.type == DType::F8E4M3FNUZ || small.type == DType::F8E5M2FNUZ;
  if (one_zero && negative && magnitude == 0) return kNan;
  if (small.type == DType::F8E4M3FN && magnitude == 0x7f) return kNan;
  if (small.type == DType::F8E5M2 && magnitude > 0x7c) return kNan;
  if (small.type == DType::F8E5M2 && magnitude == 0x7c) return negative ? -kInfinity : kInfinity;
  const int field = magnitude >> small.mantissa, fraction = magnitude & ((1 << small.mantissa) - 1);
  const double significand = std::ldexp(fraction, -small.mantissa) + (field != 0 ? 1 : 0);
  const double value = std::ldexp(significand, std::max(field, 1) - small.bias);
  return negative ? -value : value;
}

Tensor all_codes(DType type) {
  const int count = 1 << ir::width_of(type);
  Tensor tensor = zeros(type, {count});
  for (int i = 0; i < count; ++i) tensor.bytes[static_cast<size_t>(i)] = static_cast<std::byte>(i);
  return tensor;
}

Tensor cast(const Tensor& x, DType to, Attributes attributes = {}) {
  attributes["to"] = std::string(ir::name_of(to));
  return run({OpKind::Cast, {x}, std::move(attributes)});
}

TEST(Storage, EveryCodeOfASmallFloatHasItsValue) {
  for (const Small& small : kSmall) {
    const Tensor wide = cast(all_codes(small.type), DType::F32);
    for (int code = 0; code < 1 << small.width; ++code) {
      const double want = meaning(small, code), got = element(wide, code);
      if (std::isnan(want))
        EXPECT_TRUE(std::isnan(got)) << ir::name_of(small.type) << " " << code;
      else
        EXPECT_TRUE(got == want && std::signbit(got) == std::signbit(want)) << ir::name_of(small.type) << " " << code;
    }
  }
}

// The even code of the two nearest, among the finite ones with the sign of x.
int nearest_code(const Small& small, double x) {
  const int sign = 1 << (small.width - 1);
  const double size = std::min(std::abs(x), 1e6);  // infinity is nearest to the largest number
  int best = 0;
  for (int code = 0; code < sign; ++code) {
    const double value = meaning(small, code), distance = std::abs(value - size);
    if (!std::isfinite(value)) continue;
    const double least = std::abs(meaning(small, best) - size);
    if (distance < least || (distance == least && code % 2 == 0)) best = code;
  }
  const bool drops_sign = best == 0 && (small.type == DType::F8E4M3FNUZ || small.type == DType::F8E5M2FNUZ);
  return std::signbit(x) && !drops_sign ? best | sign : best;
}

double largest(const Small& small) {
  double most = 0;
  for (int code = 0; code < 1 << (small.width - 1); ++code)
    if (std::isfinite(meaning(small, code))) most = std::max(most, meaning(small, code));
  return most;
}

TEST(Storage, SmallFloatsRoundToTheNearestAndSaturate) {
  Rng rng(3);
  for (const Small& small : kSmall)
    for (DType from : {DType::F32, DType::F64, DType::F16}) {
      std::vector<double> values = {0.0, -0.0, largest(small), -largest(small), 1e-30, -1e-30};
      for (int code = 0; code + 1 < 1 << (small.width - 1); ++code) {
        const double a = meaning(small, code), b = meaning(small, code + 1);
        if (!std::isfinite(a) || !std::isfinite(b)) continue;
        values.insert(values.end(), {a, (a + b) / 2, -(a + b) / 2, a + (b - a) * 0.49, -a - (b - a) * 0.51});
      }
      for (int i = 0; i < 200; ++i) values.push_back((2 * rng.unit() - 1) * largest(small) * 1.5);
      const int64_t count = static_cast<int64_t>(values.size());
      const Tensor x = filled(from, {count}, values), stored = cast(x, small.type);
      for (int64_t i = 0; i < count; ++i)
        ASSERT_EQ(static_cast<int>(stored.bytes[static_cast<size_t>(i)]), nearest_code(small, element(x, i)))
            << ir::name_of(small.type) << " of " << ir::name_of(from) << " " << element(x, i);
    }
}

TEST(Storage, WhatHasNoPlaceFollowsSaturate) {
  const Tensor x = floats({4}, {kNan, kInfinity, -kInfinity, 1e9});
  const Attributes loose{{"saturate", int64_t{0}}};
  for (const Small& small : kSmall) {
    const double most = largest(small);
    const bool has_nan = small.type != DType::F4E2M1, has_infinity = small.type == DType::F8E5M2;
    expect_values(cast(cast(x, small.type), DType::F32), {4}, {has_nan ? kNan : 0, most, -most, most});
    const double beyond = has_infinity ? kInfinity : has_nan ? kNan : most;
    expect_values(cast(cast(x, small.type, loose), DType::F32), {4}, {has_nan ? kNan : 0, beyond, -beyond, beyond});
  }
}

TEST(Storage, IntegersKeepTheirLowBits) {
  expect_values(cast(all_codes(DType::I4), DType::I32), {16}, {0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1});
  expect_values(cast(all_codes(DType::I2), DType::F32), {4}, {0, 1, -2, -1});
  expect_values(cast(all_codes(DType::U2), DType::I64), {4}, {0, 1, 2, 3});
  const Tensor x = floats({5}, {-9, 7.9, -1.5, 17, 3});
  expect_values(cast(cast(x, DType::I4), DType::F32), {5}, {7, 7, -1, 1, 3});
  expect_values(cast(cast(x, DType::U4), DType::F32), {5}, {7, 7, 15, 1, 3});
  expect_values(cast(cast(x, DType::U2), DType::F32), {5}, {3, 3, 3, 1, 3});
}

TEST(Storage, ExponentsRoundAsTold) {
  const Tensor x = floats({8}, {1, 1.1, 1.5, 3, 0x1p-127, 0x1.8p-128, 3e38, 0});
  auto rounded = [&](const char* mode, int64_t saturate) {
    Attributes attributes{{"round_mode", std::string(mode)}, {"saturate", saturate}};
    return cast(cast(x, DType::F8E8M0, attributes), DType::F64);
  };
  expect_values(rounded("up", 1), {8}, {1, 2, 2, 4, 0x1p-127, 0x1p-127, 0x1p127, 0x1p-127});
  expect_values(rounded("down", 1), {8}, {1, 1, 1, 2, 0x1p-127, 0x1p-127, 0x1p127, 0x1p-127});
  expect_values(rounded("nearest", 1), {8}, {1, 1, 2, 4, 0x1p-127, 0x1p-127, 0x1p127, 0x1p-127});
  expect_values(rounded("nearest", 0), {8}, {1, 1, 2, 4, 0x1p-127, kNan, kNan, kNan});
  const Tensor special = floats({2}, {kNan, kInfinity});
  expect_values(cast(cast(special, DType::F8E8M0), DType::F64), {2}, {kNan, 0x1p127});
  const Tensor all = cast(all_codes(DType::F8E8M0), DType::F64);
  for (int code = 0; code < 255; ++code) EXPECT_EQ(element(all, code), std::ldexp(1.0, code - 127));
  EXPECT_TRUE(std::isnan(element(all, 255)));
}

TEST(Storage, IsMovedButNotComputedWith) {
  const Tensor x = all_codes(DType::F8E5M2);
  EXPECT_EQ(run({OpKind::Slice, {x}, {{"starts", std::vector<int64_t>{3}}}, std::vector<int64_t>{2}}).bytes,
            (std::vector<std::byte>{std::byte{3}, std::byte{4}}));
  EXPECT_EQ(refusal_of({OpKind::Add, {x, x}}), "add node 'it': is not defined on f8e5m2 tensors");
  EXPECT_EQ(refusal_of({OpKind::ReduceMax, {x}}), "reduce_max node 'it': is not defined on f8e5m2 tensors");
  EXPECT_EQ(refusal_of({OpKind::Cast, {x}, {{"to", std::string("f32")}, {"round_mode", std::string("odd")}}}),
            "cast node 'it': unknown round_mode 'odd'");
}

TEST(BitCast, KeepsBits) {
  auto bits = [](const Tensor& x, const char* to) { return run({OpKind::BitCast, {x}, {{"to", std::string(to)}}}); };
  expect_values(bits(floats({3}, {1, -2, 0}), "i32"), {3}, {0x3f800000, -0x40000000, 0});
  expect_values(bits(filled(DType::I16, {2}, {-1, 0x3c00}), "u16"), {2}, {0xffff, 0x3c00});
  expect_values(bits(filled(DType::I16, {1}, {0x3c00}), "f16"), {1}, {1});
  expect_values(bits(filled(DType::F64, {1}, {1}), "i64"), {1}, {0x1p62 - 0x1p52});
  EXPECT_EQ(bits(filled(DType::U8, {1}, {0x7c}), "f8e5m2").bytes[0], std::byte{0x7c});
  EXPECT_EQ(refusal_of({OpKind::BitCast, {floats({1}, {1})}, {{"to", std::string("i64")}}}),
            "bit_cast node 'it': the bits of f32 are no 'i64'");
}

TEST(Shift, BeyondTheWidthLeavesNothing) {
  auto shifted = [](OpKind kind, DType type, std::vector<double> x, std::vector<double> by) {
    const int64_t count = static_cast<int64_t>(x.size());
    return run({kind, {filled(type, {count}, x), filled(type, {count}, by)}});
  };
  expect_values(shifted(OpKind::ShiftLeft, DType::U8, {1, 255, 3, 3}, {7, 4, 8, 200}), {4}, {128, 240, 0, 0});
  expect_values(shifted(OpKind::ShiftRight, DType::U32, {0x80000000, 7, 7}, {31, 1, 32}), {3}, {1, 3, 0});
  expect_values(shifted(OpKind::ShiftRight, DType::I32, {-8, -8, 8}, {1, 99, 99}), {3}, {-4, -1, 0});
}

TEST(Logic, OfIntegersIsBitByBit) {
  auto pair = [](DType type) { return std::vector<Tensor>{filled(type, {2}, {12, 5}), filled(type, {2}, {10, 6})}; };
  for (DType type : {DType::U8, DType::I32, DType::U64}) {
    expect_values(run({OpKind::And, pair(type)}), {2}, {8, 4});
    expect_values(run({OpKind::Or, pair(type)}), {2}, {14, 7});
    expect_values(run({OpKind::Xor, pair(type)}), {2}, {6, 3});
  }
  expect_values(run({OpKind::Not, {filled(DType::U8, {2}, {12, 0})}}), {2}, {243, 255});
  expect_values(run({OpKind::Not, {filled(DType::I16, {2}, {12, -1})}}), {2}, {-13, 0});
  EXPECT_EQ(refusal_of({OpKind::And, {floats({1}, {1}), floats({1}, {1})}}),
            "and node 'it': is not defined on f32 tensors");
}

}  // namespace
}  // namespace hone::eval
