// LSTM: the products with the input are made for all steps at once, so that only the recurrence is left to a scan.
#pragma once

#include "partition/flow.h"

namespace hone::partition {

// Appends to `into` what computes `op` (whose operands are values of `into`): a product over all steps, then an op of the
// same kind that is the recurrence (for a single step: its ops). The recurrence has the operands (products, r, h0, c0);
// only scan_of knows it.
void append_lstm(ir::Program& into, const ir::Op& op);

// The meaning of a scan of a flow.
ir::ScanMeaning scan_of(const ir::Program& program, const ir::Op& op);

}  // namespace hone::partition
