#include <algorithm>

#include "canon/canon.h"

namespace hone::canon {
namespace {

using ir::kAbsent;
using ir::ValueId;

// Leaves out values that nobody names, and numbers the rest anew.
void compact(ir::Program& program) {
  std::vector<bool> named(program.values.size(), false);
  auto name = [&](const std::vector<ValueId>& ids) {
    for (ValueId id : ids)
      if (id != kAbsent) named[static_cast<size_t>(id)] = true;
  };
  name(program.inputs);
  name(program.outputs);
  for (const ir::Op& op : program.ops) {
    name(op.inputs);
    name(op.outputs);
  }
  std::vector<ValueId> moved(program.values.size(), kAbsent);
  std::vector<ir::Value> values;
  for (size_t i = 0; i < program.values.size(); ++i) {
    if (!named[i]) continue;
    moved[i] = static_cast<ValueId>(values.size());
    values.push_back(std::move(program.values[i]));
  }
  auto renumber = [&](std::vector<ValueId>& ids) {
    for (ValueId& id : ids)
      if (id != kAbsent) id = moved[static_cast<size_t>(id)];
  };
  renumber(program.inputs);
  renumber(program.outputs);
  for (ir::Op& op : program.ops) {
    renumber(op.inputs);
    renumber(op.outputs);
  }
  program.values = std::move(values);
}

// Inputs that neither body reads any more.
void drop_unread_captures(ir::Op& op) {
  auto reads = [](const ir::Program& body, ValueId id) {
    auto names = [&](const std::vector<ValueId>& ids) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
    return names(body.outputs) ||
           std::any_of(body.ops.begin(), body.ops.end(), [&](const ir::Op& o) { return names(o.inputs); });
  };
  for (size_t k = op.inputs.size() - 1; k >= 1; --k) {
    auto read = [&](const ir::Program& body) { return reads(body, body.inputs[k - 1]); };
    if (std::any_of(op.bodies.begin(), op.bodies.end(), read)) continue;
    op.inputs.erase(op.inputs.begin() + static_cast<std::ptrdiff_t>(k));
    for (ir::Program& body : op.bodies) body.inputs.erase(body.inputs.begin() + static_cast<std::ptrdiff_t>(k) - 1);
  }
  for (ir::Program& body : op.bodies) compact(body);
}

}  // namespace

ir::Program eliminate_dead(ir::Program program) {
  std::vector<bool> used(program.values.size(), false);
  auto use = [&](const std::vector<ValueId>& ids) {
    for (ValueId id : ids)
      if (id != kAbsent) used[static_cast<size_t>(id)] = true;
  };
  use(program.outputs);
  std::vector<ir::Op> kept;
  for (size_t i = program.ops.size(); i-- > 0;) {
    ir::Op& op = program.ops[i];
    auto live = [&](ValueId id) { return id != kAbsent && used[static_cast<size_t>(id)]; };
    if (std::none_of(op.outputs.begin(), op.outputs.end(), live)) continue;
    for (ir::Program& body : op.bodies) body = eliminate_dead(std::move(body));
    if (op.kind == ir::OpKind::If) drop_unread_captures(op);
    use(op.inputs);
    kept.push_back(std::move(op));
  }
  std::reverse(kept.begin(), kept.end());
  program.ops = std::move(kept);
  compact(program);
  return program;
}

}  // namespace hone::canon
