// Flow: a Program with its composites opened, its dead ops gone and its uses listed. What partition and fuse work on.
#pragma once

#include "ir/program/meaning.h"

namespace hone::partition {

struct Flow {
  ir::Program program;               // no op is a composite; of an LSTM only the recurrence is left (recurrent.h)
  std::vector<std::string> origins;  // per op: the operator of the model that it stands for ("softmax", "conv")
  std::vector<int> sources;          // per op: number of that operator in the original program
  std::vector<int> producers;        // per value: the op that computes it, or -1
  std::vector<std::vector<int>> consumers;  // per value: the ops that read it, each once, ascending
  std::vector<bool> outputs;                // per value: a result of the program

  const ir::Op& op(int number) const { return program.ops[static_cast<size_t>(number)]; }
  int producer(ir::ValueId id) const { return producers[static_cast<size_t>(id)]; }
  const std::vector<int>& readers(ir::ValueId id) const { return consumers[static_cast<size_t>(id)]; }
  bool is_output(ir::ValueId id) const { return outputs[static_cast<size_t>(id)]; }
  const ir::Value& value(ir::ValueId id) const { return program.values[static_cast<size_t>(id)]; }
  ir::MeaningKind kind(int number) const { return ir::meaning_kind(op(number).kind); }
};

Flow flow_of(const ir::Program& program);

}  // namespace hone::partition
