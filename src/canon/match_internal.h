// Small questions that recognising a composite asks.
#pragma once

#include "canon/rewriter_internal.h"

namespace hone::canon {

// The constant that every element has, compared as f32 numbers are: to six digits.
bool is_number(const Rewriter& rewriter, ir::ValueId id, double wanted);

// The other operand of a commutative op of two.
ir::ValueId other_operand(const ir::Op& op, ir::ValueId one);

// x of a square: Pow(x, 2) or Mul(x, x); kAbsent if it is none.
ir::ValueId squared(const Rewriter& rewriter, ir::ValueId id);

// Input of a mean over the last dimensions that keeps them, and the first of these; kAbsent if it is none.
struct TailMean {
  ir::ValueId of = ir::kAbsent;
  int64_t axis = 0;
};
TailMean tail_mean(const Rewriter& rewriter, ir::ValueId id);

// √(mean + ε): the mean's value and ε.
struct Deviation {
  ir::ValueId mean = ir::kAbsent;
  double epsilon = 0;
};
Deviation deviation(const Rewriter& rewriter, ir::ValueId id);

// x and √(…) of x / √(…) or x * (1 / √(…)); several readings of a product are possible.
struct Quotient {
  ir::ValueId dividend, root;
};
std::vector<Quotient> quotients(const Rewriter& rewriter, ir::ValueId id);

// The parameter fits the dimensions of x from the axis on without more of its own.
bool fits_tail(const Rewriter& rewriter, ir::ValueId parameter, ir::ValueId x, int64_t axis);

}  // namespace hone::canon
