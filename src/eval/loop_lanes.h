// Vector values of the Loop IR interpreter and the operations on them.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/loop/loop.h"

namespace hone::eval {

// Floats of every width are held as doubles already rounded to their type, integers as in element.h.
struct Lane {
  double real = 0;
  int64_t whole = 0;
};

struct LoopLanes {
  ir::loop::VectorType type;
  std::vector<Lane> lanes;
};

LoopLanes loop_unary(ir::loop::UnaryOp op, const LoopLanes& a);
LoopLanes loop_binary(ir::loop::BinaryOp op, const LoopLanes& a, const LoopLanes& b);
LoopLanes loop_fma(const LoopLanes& a, const LoopLanes& b, const LoopLanes& c);
LoopLanes loop_convert(const LoopLanes& a, ir::DType type);
LoopLanes loop_bitcast(const LoopLanes& a, ir::DType type);
LoopLanes loop_reduce(ir::loop::ExprKind kind, const LoopLanes& a);

}  // namespace hone::eval
