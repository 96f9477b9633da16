// Inputs whose values decide what a model computes.
#include <algorithm>

#include "import/graph_internal.h"

namespace hone::import {
namespace {

using ir::ValueId;

// Values that a program's structure may depend on: few numbers, not images.
bool may_decide(const ir::TensorType& type) {
  auto count = product(type.shape).constant();
  return count ? *count <= static_cast<int64_t>(kMostKnown) : type.shape.size() <= 1;
}

// The inputs of the program that a value is computed from.
std::set<ValueId> sources_of(const ir::Program& program, const std::set<ValueId>& values) {
  std::set<ValueId> needed = values, sources;
  for (auto op = program.ops.rbegin(); op != program.ops.rend(); ++op)
    if (std::any_of(op->outputs.begin(), op->outputs.end(), [&](ValueId id) { return needed.contains(id); }))
      needed.insert(op->inputs.begin(), op->inputs.end());
  for (ValueId id : program.inputs)
    if (needed.contains(id)) sources.insert(id);
  return sources;
}

}  // namespace

// Each refusal costs a walk over the nodes before it; a model with very many is not worth it.
bool Importer::decided_by_inputs(const Frame& frame, const std::set<ValueId>& unknown) {
  constexpr size_t kMostRefusals = 64;
  if (unknown.empty() || ++walks_ > kMostRefusals) return false;
  std::set<ValueId> sources = sources_of(frame.program, unknown);
  if (frame.outer) {
    std::set<ValueId> outside;
    for (size_t k = 0; k < frame.captured.size(); ++k)
      if (sources.contains(frame.program.inputs[k])) outside.insert(frame.captured[k]);
    return decided_by_inputs(*frame.outer, outside);
  }
  for (ValueId id : sources)
    if (!may_decide(frame.program.type(id))) return false;
  for (ValueId id : sources) deciding_.insert(frame.program.values[static_cast<size_t>(id)].name);
  return !sources.empty();
}

Status Importer::add_given(Scope& scope, const std::string& name, const ir::TensorType& type) {
  auto given = options_.values.find(name);
  if (given == options_.values.end()) return Done{};
  const eval::Tensor& tensor = given->second;
  if (tensor.dtype != type.dtype || tensor.shape.size() != type.shape.size())
    return error("input '{}' is {} of rank {}; the value given is {} of rank {}", name, name_of(type.dtype),
                 type.shape.size(), name_of(tensor.dtype), tensor.shape.size());
  for (size_t d = 0; d < tensor.shape.size(); ++d)
    if (type.shape[d].constant() && !type.shape[d].is(tensor.shape[d]))
      return error("dimension {} of input '{}' is {}; the value given has {}", d, name, type.shape[d].text(),
                   tensor.shape[d]);
  ir::TensorType fixed{tensor.dtype, {tensor.shape.begin(), tensor.shape.end()}};
  ValueId id = add_constant(*scope.frame, name + ".value", fixed, owned(tensor.bytes));
  scope.names[name] = term_of(scope.frame->program, id);
  return Done{};
}

Result<ir::Program> Importer::face() const {
  ir::Program program;
  program.name = frame_.program.name;
  for (ValueId id : frame_.program.inputs)
    program.inputs.push_back(program.add_value(frame_.program.values[static_cast<size_t>(id)]));
  int unknown = 0;
  for (const onnx::ValueInfoProto& output : model_->graph().output()) {
    const auto& tensor = output.type().tensor_type();
    auto dtype = dtype_of(tensor.elem_type());
    if (!dtype) return error("output '{}' {}", output.name(), dtype.problem().message);
    ir::TensorType type{*dtype, {}};
    for (const auto& dim : tensor.shape().dim())
      type.shape.push_back(dim.has_dim_value() && dim.dim_value() > 0
                               ? ir::Index(dim.dim_value())
                               : ir::Index::symbol(fmt::format("unknown{}", unknown++)));
    program.outputs.push_back(program.add_value({output.name(), std::move(type), std::nullopt, std::nullopt}));
  }
  return program;
}

}  // namespace hone::import
