// Number domains. Evaluation is one interpreter, generic over the numbers that stand for floating-point elements:
//
//   Declared      each type as itself: every operation is rounded to the element type
//   Double        floating-point types as double: the reference that errors are measured against
//   ExactInteger  floating-point values that must be integers, held exactly; refuses what leaves the integers
//   Bounded       double with a bound on the error of the element type's arithmetic (bounded.h)
//   Residue       pairs of residues, to compare programs as functions; refuses what is not a field operation or exp
//
// Integers and bools are themselves in every domain. A domain that cannot say what a value is keeps the first reason in
// `problem` and goes on with some value; the interpreter stops there.
//
// What a domain offers (D::Number is its value):
//   Number real(DType, double)            a constant of a floating-point type
//   Number whole(DType, int64_t)          a value of an integer type or bool
//   int64_t whole_of(Number)              back
//   Number operation(op, DType, args)     on floating-point arguments; comparisons give whole(Bool, …)
//   Number to_float(DType, DType from, Number)   from any type
//   int64_t from_float(DType to, Number)         to an integer type or bool
//   int64_t bits_of(DType, Number)        of a floating-point value in memory
//   Number from_bits(DType, int64_t)      the floating-point value that has them
#pragma once

#include "eval/domain/element.h"
#include "eval/domain/float_bits.h"
#include "field/prime_field.h"
#include "ir/scalar.h"

namespace hone::eval {

// A double or an integer; the type beside it says which.
union Cell {
  double real;
  int64_t whole;
};

template <bool kRounds>
class Machine {
 public:
  using Number = Cell;
  static constexpr const char* kName = kRounds ? "declared" : "double";

  Number real(ir::DType type, double value) { return {.real = round(type, value)}; }
  Number whole(ir::DType, int64_t value) { return {.whole = value}; }
  int64_t whole_of(Number number) { return number.whole; }
  double real_of(Number number) { return number.real; }
  Number operation(ir::ScalarOp op, ir::DType type, const Number* args) {
    // Nearly all of the work; the rest is out of line.
    if (op == ir::ScalarOp::Add) return real(type, args[0].real + args[1].real);
    if (op == ir::ScalarOp::Mul) return real(type, args[0].real * args[1].real);
    return other_operation(op, type, args);
  }
  Number to_float(ir::DType to, ir::DType from, Number value);
  int64_t from_float(ir::DType to, Number value);
  int64_t bits_of(ir::DType type, Number value) { return real_bits(type, value.real); }
  Number from_bits(ir::DType type, int64_t bits) { return {.real = real_of_bits(type, bits)}; }

  std::optional<std::string> problem;

 private:
  Number other_operation(ir::ScalarOp op, ir::DType type, const Number* args);
  // Sums, products, quotients and roots of floats, computed as doubles, round to what float arithmetic gives.
  double round(ir::DType type, double value) {
    if (!kRounds) return value;
    return type == ir::DType::F32 ? static_cast<double>(static_cast<float>(value)) : rounded(type, value);
  }
};

using Declared = Machine<true>;
using Double = Machine<false>;

class ExactInteger {
 public:
  using Number = __int128;
  static constexpr const char* kName = "exact integer";

  Number real(ir::DType type, double value);
  Number whole(ir::DType, int64_t value) { return value; }
  int64_t whole_of(Number number) { return static_cast<int64_t>(number); }
  double real_of(Number number) { return static_cast<double>(number); }
  Number operation(ir::ScalarOp op, ir::DType type, const Number* args);
  Number to_float(ir::DType to, ir::DType from, Number value);
  int64_t from_float(ir::DType to, Number value);
  int64_t bits_of(ir::DType type, Number value) { return real_bits(type, static_cast<double>(value)); }
  Number from_bits(ir::DType type, int64_t bits) { return real(type, real_of_bits(type, bits)); }

  std::optional<std::string> problem;

 private:
  Number divide(Number a, Number b);
  Number refuse(std::string why);
};

class Residue {
 public:
  using Number = field::Residues;  // an integer or bool stands in p
  static constexpr const char* kName = "prime field";

  explicit Residue(field::PrimeField prime_field) : field_(std::move(prime_field)) {}

  const field::PrimeField& prime_field() const { return field_; }
  Number real(ir::DType type, double value);
  Number whole(ir::DType, int64_t value) { return {static_cast<uint64_t>(value), 0, true}; }
  int64_t whole_of(Number number) { return static_cast<int64_t>(number.p); }
  Number operation(ir::ScalarOp op, ir::DType type, const Number* args);
  Number to_float(ir::DType to, ir::DType from, Number value);
  int64_t from_float(ir::DType to, Number value);
  int64_t bits_of(ir::DType type, Number value);
  Number from_bits(ir::DType type, int64_t bits);

  std::optional<std::string> problem;

 private:
  Number divide(const Number& a, const Number& b);
  Number exponential(const Number& a);
  Number refuse(std::string why);

  field::PrimeField field_;
};

}  // namespace hone::eval
