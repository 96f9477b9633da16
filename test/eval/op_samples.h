// One small program for each operator of ops.def: what tables of services run over.
#pragma once

#include "eval/one_op.h"

namespace hone::eval {

OneOp sample_of(ir::OpKind kind);
std::vector<ir::OpKind> all_kinds();

}  // namespace hone::eval
