#include "partition/flow.h"

#include <algorithm>

#include "partition/given_scan.h"
#include "partition/recurrent.h"

namespace hone::partition {
namespace {

using ir::kAbsent;
using ir::Op;
using ir::Program;
using ir::ValueId;

// Writes ops into the flow's program, composites as the ops of their bodies, LSTMs in two parts, and scans that are
// no tile program as loops.
class Opener {
 public:
  explicit Opener(Flow& flow) : flow_(flow) {}

  void open(const Program& program, const Op& op, const std::vector<ValueId>& ids, const std::string& origin,
            int source) {
    if (ir::meaning_kind(op.kind) != ir::MeaningKind::Composite) {
      Op copy = op;
      for (ValueId& id : copy.inputs) id = id == kAbsent ? kAbsent : ids[static_cast<size_t>(id)];
      for (ValueId& id : copy.outputs) id = id == kAbsent ? kAbsent : ids[static_cast<size_t>(id)];
      if (copy.kind == ir::OpKind::Lstm)
        append_lstm(flow_.program, copy);
      else if (copy.kind == ir::OpKind::Scan)
        append_scan(flow_.program, std::move(copy));
      else
        flow_.program.ops.push_back(std::move(copy));
      size_t first = flow_.origins.size();
      bool parts = flow_.program.ops.size() - first > 1;  // parts of an LSTM or Scan are named for themselves
      for (size_t i = first; i < flow_.program.ops.size(); ++i)
        flow_.origins.push_back(parts ? ir::name_of(flow_.program.ops[i].kind) : origin);
      flow_.sources.resize(flow_.program.ops.size(), source);
      return;
    }
    Program body = ir::composite_body(program, op);
    std::vector<ValueId> inner = bind(body, op, ids);
    for (Op& step : body.ops) {
      step.name = op.name;
      open(body, step, inner, origin, source);
    }
  }

 private:
  // The ids that the values of a composite's body take in the flow.
  std::vector<ValueId> bind(const Program& body, const Op& op, const std::vector<ValueId>& ids) {
    std::vector<ValueId> inner(body.values.size(), kAbsent);
    size_t next = 0;
    for (ValueId id : op.inputs)
      if (id != kAbsent) inner[static_cast<size_t>(body.inputs[next++])] = ids[static_cast<size_t>(id)];
    for (size_t i = 0; i < op.outputs.size(); ++i)
      if (op.outputs[i] != kAbsent)
        inner[static_cast<size_t>(body.outputs[i])] = ids[static_cast<size_t>(op.outputs[i])];
    for (size_t i = 0; i < inner.size(); ++i) {
      if (inner[i] != kAbsent) continue;
      ir::Value value = body.values[i];
      value.name = op.name + "." + value.name;
      inner[i] = flow_.program.add_value(std::move(value));
    }
    return inner;
  }

  Flow& flow_;
};

void keep_ops(Flow& flow, const std::function<bool(size_t)>& keep) {
  size_t next = 0;
  for (size_t i = 0; i < flow.program.ops.size(); ++i) {
    if (!keep(i)) continue;
    if (next != i) {
      flow.program.ops[next] = std::move(flow.program.ops[i]);
      flow.origins[next] = std::move(flow.origins[i]);
      flow.sources[next] = flow.sources[i];
    }
    ++next;
  }
  flow.program.ops.resize(next);
  flow.origins.resize(next);
  flow.sources.resize(next);
}

// Keeps the ops whose results are needed.
void drop_dead(Flow& flow) {
  std::vector<bool> needed(flow.program.values.size(), false);
  for (ValueId id : flow.program.outputs) needed[static_cast<size_t>(id)] = true;
  std::vector<bool> keep(flow.program.ops.size(), false);
  for (size_t i = flow.program.ops.size(); i-- > 0;) {
    const Op& op = flow.program.ops[i];
    keep[i] = std::any_of(op.outputs.begin(), op.outputs.end(),
                          [&](ValueId id) { return id != kAbsent && needed[static_cast<size_t>(id)]; });
    if (!keep[i]) continue;
    for (ValueId id : op.inputs)
      if (id != kAbsent) needed[static_cast<size_t>(id)] = true;
  }
  keep_ops(flow, [&](size_t op) { return keep[op]; });
}

void list_uses(Flow& flow) {
  size_t count = flow.program.values.size();
  flow.producers.assign(count, -1);
  flow.consumers.assign(count, {});
  flow.outputs.assign(count, false);
  for (size_t i = 0; i < flow.program.ops.size(); ++i) {
    for (ValueId id : flow.program.ops[i].outputs)
      if (id != kAbsent) flow.producers[static_cast<size_t>(id)] = static_cast<int>(i);
    for (ValueId id : flow.program.ops[i].inputs) {
      if (id == kAbsent) continue;
      std::vector<int>& readers = flow.consumers[static_cast<size_t>(id)];
      if (readers.empty() || readers.back() != static_cast<int>(i)) readers.push_back(static_cast<int>(i));
    }
  }
  for (ValueId id : flow.program.outputs) flow.outputs[static_cast<size_t>(id)] = true;
}

// Takes identities out: whoever reads one reads its operand, and an operand whose copy is an output becomes that output.
void drop_identities(Flow& flow) {
  std::vector<ValueId> stands_for(flow.program.values.size());
  for (size_t i = 0; i < stands_for.size(); ++i) stands_for[i] = static_cast<ValueId>(i);
  std::vector<bool> fixed(flow.program.values.size(), true);  // keeps its own memory: inputs, constants, outputs
  for (const Op& op : flow.program.ops)
    for (ValueId id : op.outputs)
      if (id != kAbsent) fixed[static_cast<size_t>(id)] = false;
  for (ValueId id : flow.program.outputs) fixed[static_cast<size_t>(id)] = true;
  std::vector<bool> drop(flow.program.ops.size(), false);
  for (size_t i = 0; i < flow.program.ops.size(); ++i) {
    const Op& op = flow.program.ops[i];
    if (op.kind != ir::OpKind::Identity) continue;
    ValueId from = stands_for[static_cast<size_t>(op.inputs[0])], to = op.outputs[0];
    if (!fixed[static_cast<size_t>(to)]) {
      stands_for[static_cast<size_t>(to)] = from;
    } else if (!fixed[static_cast<size_t>(from)]) {
      for (ValueId& id : stands_for)
        if (id == from) id = to;
      fixed[static_cast<size_t>(from)] = true;
    } else {
      continue;
    }
    drop[i] = true;
  }
  for (Op& op : flow.program.ops)
    for (auto* ids : {&op.inputs, &op.outputs})
      for (ValueId& id : *ids)
        if (id != kAbsent) id = stands_for[static_cast<size_t>(id)];
  keep_ops(flow, [&](size_t op) { return !drop[op]; });
}

// Gives every output a value of its own that an op computes: an input, a constant or a repeated output is copied.
void separate_outputs(Flow& flow) {
  std::vector<bool> taken(flow.program.values.size(), true);
  for (const Op& op : flow.program.ops)
    for (ValueId id : op.outputs)
      if (id != kAbsent) taken[static_cast<size_t>(id)] = false;
  for (ValueId& output : flow.program.outputs) {
    if (!taken[static_cast<size_t>(output)]) {
      taken[static_cast<size_t>(output)] = true;
      continue;
    }
    ir::Value copy = flow.program.values[static_cast<size_t>(output)];
    copy.constant.reset();
    copy.known.reset();
    Op identity;
    identity.kind = ir::OpKind::Identity;
    identity.name = copy.name;
    identity.inputs = {output};
    output = flow.program.add_value(std::move(copy));
    identity.outputs = {output};
    flow.program.ops.push_back(std::move(identity));
    flow.origins.push_back(ir::name_of(ir::OpKind::Identity));
    flow.sources.push_back(-1);
  }
}

}  // namespace

Flow flow_of(const Program& program) {
  Flow flow;
  flow.program.name = program.name;
  flow.program.values = program.values;
  flow.program.inputs = program.inputs;
  flow.program.outputs = program.outputs;
  std::vector<ValueId> same(program.values.size());
  for (size_t i = 0; i < same.size(); ++i) same[i] = static_cast<ValueId>(i);
  Opener opener(flow);
  for (size_t i = 0; i < program.ops.size(); ++i)
    opener.open(program, program.ops[i], same, ir::name_of(program.ops[i].kind), static_cast<int>(i));
  drop_identities(flow);
  drop_dead(flow);
  separate_outputs(flow);
  list_uses(flow);
  return flow;
}

}  // namespace hone::partition
