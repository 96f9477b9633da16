#include "pipeline/stages.h"

#include <algorithm>
#include <map>
#include <set>

namespace hone::pipeline {
namespace {

using ir::Op;
using ir::OpKind;
using ir::ValueId;

class Cutter {
 public:
  explicit Cutter(const ir::Program& program) : program_(program), level_(program.values.size(), 0) {
    for (const Op& op : program.ops) find_level(op);
  }

  std::vector<Stage> run() {
    std::vector<Stage> stages;
    for (int level = 0; level <= last_; ++level) stages.push_back(stage_at(level));
    return stages;
  }

 private:
  int level_of(ValueId id) const { return id == ir::kAbsent ? 0 : level_[static_cast<size_t>(id)]; }

  // An op comes after its operands, and after the sizes of its results are known.
  void find_level(const Op& op) {
    int level = 0;
    for (ValueId id : op.inputs) level = std::max(level, level_of(id));
    bool trims = op.kind == OpKind::Trim;
    for (ValueId id : op.outputs) {
      if (id == ir::kAbsent || trims) continue;
      for (const ir::Index& extent : program_.type(id).shape)
        for (const std::string& symbol : extent.symbols())
          if (auto found = symbol_level_.find(symbol); found != symbol_level_.end())
            level = std::max(level, found->second);
    }
    op_level_.push_back(level);
    for (ValueId id : op.outputs) {
      if (id == ir::kAbsent) continue;
      level_[static_cast<size_t>(id)] = level + (trims ? 1 : 0);
      if (!trims) continue;
      for (const ir::Index& extent : program_.type(id).shape)
        for (const std::string& symbol : extent.symbols()) symbol_level_.emplace(symbol, level + 1);
    }
    last_ = std::max(last_, level + (trims ? 1 : 0));
  }

  Stage stage_at(int level) const {
    Stage stage;
    std::set<ValueId> inputs, made;
    std::vector<const Op*> ops;
    // The model's inputs and the trimmed values tell all sizes, whether or not their data are read.
    inputs.insert(program_.inputs.begin(), program_.inputs.end());
    for (size_t k = 0; k < program_.ops.size(); ++k) {
      const Op& op = program_.ops[k];
      if (op.kind == OpKind::Trim) {
        if (op_level_[k] == level) stage.trims.push_back(op);
        if (op_level_[k] < level) inputs.insert(op.outputs[0]);
        continue;
      }
      if (op_level_[k] != level) continue;
      ops.push_back(&op);
      made.insert(op.outputs.begin(), op.outputs.end());
    }
    for (const Op* op : ops)
      for (ValueId id : op->inputs)
        if (id != ir::kAbsent && !made.contains(id) && !is_constant(id)) inputs.insert(id);
    stage.inputs.assign(inputs.begin(), inputs.end());
    stage.outputs = wanted_of(made, level);
    stage.program = extracted(ops, stage, level);
    return stage;
  }

  bool is_constant(ValueId id) const { return program_.values[static_cast<size_t>(id)].constant.has_value(); }

  // What the model gives out, later stages read, or a Trim cuts.
  std::vector<ValueId> wanted_of(const std::set<ValueId>& made, int level) const {
    std::set<ValueId> wanted(program_.outputs.begin(), program_.outputs.end());
    for (size_t k = 0; k < program_.ops.size(); ++k)
      if (op_level_[k] > level || program_.ops[k].kind == OpKind::Trim)
        wanted.insert(program_.ops[k].inputs.begin(), program_.ops[k].inputs.end());
    std::vector<ValueId> result;
    for (ValueId id : wanted)
      if (id != ir::kAbsent && made.contains(id)) result.push_back(id);
    return result;
  }

  ir::Program extracted(const std::vector<const Op*>& ops, const Stage& stage, int level) const {
    ir::Program part;
    part.name = fmt::format("{}_stage{}", program_.name, level);
    std::map<ValueId, ValueId> moved{{ir::kAbsent, ir::kAbsent}};
    auto own = [&](ValueId id) {
      auto [at, fresh] = moved.emplace(id, ir::kAbsent);
      if (fresh) at->second = part.add_value(program_.values[static_cast<size_t>(id)]);
      return at->second;
    };
    for (ValueId id : stage.inputs) part.inputs.push_back(own(id));
    for (const Op* op : ops) {
      Op copy = *op;
      for (ValueId& id : copy.inputs) id = own(id);
      for (ValueId& id : copy.outputs) id = own(id);
      part.ops.push_back(std::move(copy));
    }
    for (ValueId id : stage.outputs) part.outputs.push_back(own(id));
    return part;
  }

  const ir::Program& program_;
  std::vector<int> level_;     // of a value: the stage that has it
  std::vector<int> op_level_;  // of an op: the stage that computes it; of a Trim: the stage that it follows
  std::map<std::string, int> symbol_level_;
  int last_ = 0;
};

}  // namespace

bool depends_on_data(const ir::Program& program) {
  return std::any_of(program.ops.begin(), program.ops.end(), [](const Op& op) { return op.kind == OpKind::Trim; });
}

std::vector<Stage> stages_of(const ir::Program& program) {
  return Cutter(program).run();
}

}  // namespace hone::pipeline
