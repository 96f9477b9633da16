// RNN, GRU and LSTM in their general form: what one step of a direction computes.
#pragma once

#include "import/map/control/step_builder_internal.h"

namespace hone::import {

// A function of the operator's list `activations`, with the numbers that it takes.
struct Activation {
  std::string name;  // in lower case
  double alpha = 0, beta = 0;
};
// Those of each direction, `defaults` of them, in order.
Result<std::vector<std::vector<Activation>>> read_activations(Node& node, size_t directions,
                                                              const std::vector<std::string>& defaults);
ir::ValueId apply(StepBuilder& step, const Activation& activation, ir::ValueId x);

enum class CellKind { Rnn, Gru, Lstm };
inline int64_t gates_of(CellKind kind) {
  return kind == CellKind::Rnn ? 1 : kind == CellKind::Gru ? 3 : 4;
}

// What differs between cells of one kind.
struct Cell {
  CellKind kind{};
  std::vector<Activation> activations;
  std::optional<double> clip;
  bool input_forget = false;
  bool linear_before_reset = false;
};

// The operands of one direction, all but the last without a dimension for it; kAbsent if not given.
struct CellOperands {
  ir::ValueId products = ir::kAbsent;   // [T, B, G·H]: of the input with its weights, the input's bias added
  ir::ValueId active = ir::kAbsent;     // [T, B, 1]: where a sequence has not ended
  ir::ValueId weights = ir::kAbsent;    // [G·H, H], of the recurrence
  ir::ValueId bias = ir::kAbsent;       // [G·H], of the recurrence
  ir::ValueId peepholes = ir::kAbsent;  // [3, H]
  Values states;                        // [B, H]: h, for LSTM c
};

// All states over time [T, B, H], then the last of each state [B, H].
Result<Values> emit_recurrence(Node& node, const Cell& cell, const CellOperands& operands, bool reverse);

}  // namespace hone::import
