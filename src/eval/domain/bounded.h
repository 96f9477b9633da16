// Bounded: a number domain that carries, beside each value in double precision, a bound on what arithmetic of the element type
// may be off by. It is the numerics contract (sums in any order, fused multiply-adds allowed, elementary functions within
// 4 ulp) made checkable: for a contraction of n products the bound is about n·u·Σ|a||b|.
#pragma once

#include "eval/domain/domain.h"

namespace hone::eval {

class Bounded {
 public:
  struct Number {
    Cell cell{.real = 0};
    double size = 0;   // no partial sum that leads here is larger in magnitude
    double error = 0;  // of this value, at most
  };
  static constexpr const char* kName = "bounded";

  Number real(ir::DType type, double value);
  Number whole(ir::DType, int64_t value) { return {.cell = {.whole = value}}; }
  int64_t whole_of(const Number& number) { return number.cell.whole; }
  double real_of(const Number& number) { return number.cell.real; }
  Number operation(ir::ScalarOp op, ir::DType type, const Number* args);
  Number to_float(ir::DType to, ir::DType from, const Number& value);
  int64_t from_float(ir::DType to, const Number& value);
  int64_t bits_of(ir::DType type, const Number& value);
  Number from_bits(ir::DType type, int64_t bits) { return real(type, real_of_bits(type, bits)); }

  std::optional<std::string> problem;
  // Some comparison or rounding to an integer could have gone either way: the bounds of what follows mean nothing.
  bool undecided = false;

 private:
  double error_of(ir::ScalarOp op, double unit, double result, const Number* args);
  double step_error(ir::ScalarOp op, const Number& a);
  bool comparison(ir::ScalarOp op, const Number* args);

  Double exact_;
};

}  // namespace hone::eval
