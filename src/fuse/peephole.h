// Small rewrites that become visible once constants stand in a body. All are exact.
#pragma once

#include "ir/scalar.h"

namespace hone::fuse {

// x^2 → x*x, x^0.5 → sqrt(x), x/1 → x, x/2^n → x*2^-n, x*1 → x, for integers x+0 → x.
ir::Scalar simplified(const ir::Scalar& scalar);

}  // namespace hone::fuse
