// Scalar operations as straight-line Loop IR, for vectors of any number of lanes.
//
// f32: at most 4 units in the last place over the whole range (exp, log, tanh, erf, sigmoid, pow, roots, the
// trigonometric and hyperbolic functions and their inverses), with the C library's results at zeros, infinities, NaN and
// in the denormal range. sin, cos and tan hold that up to |x| = 1e6; far beyond it they lose their phase, and sin and cos
// stay within [-1, 1]. f64: a few units; pow in f64 is good to about
// 1e-13 relative. The normal distribution is good to one unit of 1, not of its tails. f16 and bf16 are computed in f32. The same code serves machines without fused multiply-add.
#pragma once

#include <functional>
#include <vector>

#include "ir/loop/loop.h"
#include "ir/scalar.h"

namespace hone::lower {

// Keeps a value that is used more than once: appends `fresh = value` to the current block and gives the variable.
using Sink = std::function<ir::loop::Expr(ir::loop::Expr)>;

// What is known of the last argument.
enum class Sign { Any, NotPositive };

// All arguments have the same lanes. Operations that make no sense for a type (exp of an integer) are internal errors:
// canon casts first.
ir::loop::Expr expand(ir::ScalarOp op, const std::vector<ir::loop::Expr>& args, const Sink& sink,
                      Sign sign = Sign::Any);

// What the form of an expression alone tells: min(x, 0), -abs(x).
Sign sign_of(const ir::Scalar& scalar);

}  // namespace hone::lower
