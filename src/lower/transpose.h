// A square of vectors turned in registers: vector i of the result holds lane i of each.
#pragma once

#include "lower/emitter.h"

namespace hone::lower {

// As many vectors as lanes, a power of two.
std::vector<ir::loop::Expr> transposed(Emitter& emitter, std::vector<ir::loop::Expr> rows);

}  // namespace hone::lower
