#include "canon/rewriter_internal.h"

#include <algorithm>

#include "ir/program/meaning.h"

namespace hone::canon {

using ir::kAbsent;
using ir::ValueId;

Rewriter::Rewriter(ir::Program program) : program_(std::move(program)) {
  size_t count = program_.values.size();
  forwarded_.resize(count);
  for (size_t i = 0; i < count; ++i) forwarded_[i] = static_cast<ValueId>(i);
  uses_.assign(count, 0);
  producer_.assign(count, -1);
  for (const ir::Op& op : program_.ops)
    for (ValueId id : op.inputs)
      if (id != kAbsent) ++uses_[static_cast<size_t>(id)];
  for (ValueId id : program_.outputs) ++uses_[static_cast<size_t>(id)];
}

ir::Program Rewriter::run(ir::Program program, const Visit& visit) {
  return run_each(std::move(program), [&] { return visit; });
}

ir::Program Rewriter::run_each(ir::Program program, const std::function<Visit()>& make_visit) {
  Visit visit = make_visit();
  std::vector<ir::Op> ops = program.ops;
  Rewriter rewriter(std::move(program));
  rewriter.program_.ops.clear();
  for (ir::Op& op : ops) {
    for (ir::Program& body : op.bodies) body = run_each(std::move(body), make_visit);
    for (ValueId& id : op.inputs) id = rewriter.current(id);
    if (!visit(rewriter, op)) rewriter.keep(std::move(op));
  }
  return rewriter.finish();
}

const ir::Op* Rewriter::producer(ValueId id) const {
  if (id == kAbsent || producer_[static_cast<size_t>(id)] < 0) return nullptr;
  return &program_.ops[static_cast<size_t>(producer_[static_cast<size_t>(id)])];
}

const ir::Op* Rewriter::sole_producer(ValueId id, ir::OpKind kind) const {
  const ir::Op* op = producer(id);
  return op && op->kind == kind && uses(id) == 1 ? op : nullptr;
}

void Rewriter::forward(ValueId from, ValueId to) {
  forwarded_[static_cast<size_t>(from)] = to;
  uses_[static_cast<size_t>(to)] += uses_[static_cast<size_t>(from)];
}

ValueId Rewriter::current(ValueId id) const {
  while (id != kAbsent && forwarded_[static_cast<size_t>(id)] != id) id = forwarded_[static_cast<size_t>(id)];
  return id;
}

ValueId Rewriter::add_value(ir::Value value) {
  forwarded_.push_back(static_cast<ValueId>(forwarded_.size()));
  uses_.push_back(0);
  producer_.push_back(-1);
  return program_.add_value(std::move(value));
}

ValueId Rewriter::constant(const std::string& name, ir::TensorType type, ir::ConstantData data) {
  return add_value({name, std::move(type), std::move(data), std::nullopt});
}

ValueId Rewriter::emit(const ir::Op& in_place_of, ir::OpKind kind, std::vector<ValueId> inputs, AttributeMap attributes,
                       ir::TensorType declared) {
  const std::string& stem = value(in_place_of.outputs[0]).name;
  ValueId id =
      add_value({fmt::format("{}.{}", stem, program_.values.size()), std::move(declared), std::nullopt, std::nullopt});
  ir::Op op{kind, in_place_of.name, std::move(inputs), {id}, std::move(attributes), {}};
  auto types = infer_types(program_, op);
  HONE_CHECK(types.ok(), "a rewrite made a wrong op: {}", types.problem().message);
  program_.values[static_cast<size_t>(id)].type = (*types)[0];
  keep(std::move(op));
  return id;
}

void Rewriter::keep(ir::Op op) {
  for (ValueId id : op.outputs)
    if (id != kAbsent) producer_[static_cast<size_t>(id)] = static_cast<int>(program_.ops.size());
  program_.ops.push_back(std::move(op));
}

// Outputs keep their names. A value that stands for an output takes its name over, unless it is an input, a constant or
// another output; then an Identity gives the output a value of its own.
ir::Program Rewriter::finish() {
  std::vector<ValueId> taken;
  for (ValueId output : program_.outputs)
    if (current(output) == output) taken.push_back(output);
  for (ValueId& output : program_.outputs) {
    ValueId to = current(output);
    if (to == output) continue;
    bool own = producer(to) && std::find(taken.begin(), taken.end(), to) == taken.end();
    if (own) {
      std::swap(program_.values[static_cast<size_t>(to)].name, program_.values[static_cast<size_t>(output)].name);
      output = to;
    } else {
      keep(ir::Op{ir::OpKind::Identity, value(output).name, {to}, {output}, {}, {}});
    }
    taken.push_back(output);
  }
  return std::move(program_);
}

}  // namespace hone::canon
