// What the passes share: a walk over a Program that keeps, replaces or drops each op.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ir/program/program.h"

namespace hone::canon {

class Rewriter {
 public:
  using AttributeMap = std::map<std::string, ir::Attribute>;

  // Calls visit for every op, in order and with its operands replaced already; an op for which it returns false stays.
  // Bodies are rewritten first.
  using Visit = std::function<bool(Rewriter&, const ir::Op&)>;
  static ir::Program run(ir::Program program, const Visit& visit);
  // The same for a visit that remembers what it saw: every body gets one of its own.
  static ir::Program run_each(ir::Program program, const std::function<Visit()>& make_visit);

  const ir::Program& program() const { return program_; }
  const ir::Value& value(ir::ValueId id) const { return program_.values[static_cast<size_t>(id)]; }
  const ir::TensorType& type(ir::ValueId id) const { return program_.type(id); }
  // The op that computes a value; null for inputs and constants.
  const ir::Op* producer(ir::ValueId id) const;
  // The producer if it is of this kind and nobody else uses the value.
  const ir::Op* sole_producer(ir::ValueId id, ir::OpKind kind) const;
  int uses(ir::ValueId id) const { return uses_[static_cast<size_t>(id)]; }

  // Everybody who used `from` uses `to` from here on.
  void forward(ir::ValueId from, ir::ValueId to);
  ir::ValueId constant(const std::string& name, ir::TensorType type, ir::ConstantData data);
  // Adds an op in place of `in_place_of`, whose name it takes. `declared` is the type where the result carries it.
  ir::ValueId emit(const ir::Op& in_place_of, ir::OpKind kind, std::vector<ir::ValueId> inputs,
                   AttributeMap attributes = {}, ir::TensorType declared = {});

 private:
  explicit Rewriter(ir::Program program);
  void keep(ir::Op op);
  ir::ValueId add_value(ir::Value value);
  ir::ValueId current(ir::ValueId id) const;
  ir::Program finish();

  ir::Program program_;  // its ops are those kept so far
  std::vector<ir::ValueId> forwarded_;
  std::vector<int> uses_, producer_;
};

}  // namespace hone::canon
