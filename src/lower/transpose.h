// A square of vectors turned in registers: vector i of the result holds lane i of each.
#pragma once

#include "lower/emitter.h"

namespace hone::lower {

// Lanes of the pieces within which instructions mix two vectors lane by lane.
int lanes_of_piece(ir::DType type);

// As many vectors as a piece has lanes, which is a power of two: piece p of vector i of the result holds lane i of piece p of each.
std::vector<ir::loop::Expr> turned_in_pieces(Emitter& emitter, std::vector<ir::loop::Expr> rows);

// As many vectors as lanes, a power of two.
std::vector<ir::loop::Expr> transposed(Emitter& emitter, std::vector<ir::loop::Expr> rows);

}  // namespace hone::lower
