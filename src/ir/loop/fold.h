// Folding of scalar I64 expressions while they are built, so that index arithmetic stays short: constants are
// computed, identities vanish, constants drift outwards ((a + 1) + 2 is a + 3, 2 + a is a + 2, a - 2 is a + -2).
// Comparisons of two constants, conjunctions with a constant and choices by one fold as well. Overflowing constants are left alone.
#pragma once

#include "ir/loop/loop.h"

namespace hone::ir::loop {

// The folded expression, or null where there is nothing to fold.
Expr fold_unary(UnaryOp op, const Expr& a);
Expr fold_binary(BinaryOp op, const Expr& a, const Expr& b);
Expr fold_select(const Expr& condition, const Expr& a, const Expr& b);

}  // namespace hone::ir::loop
