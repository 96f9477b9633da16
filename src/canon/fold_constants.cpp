#include "canon/canon.h"
#include "canon/constants_internal.h"
#include "canon/rewriter_internal.h"
#include "eval/interpreter.h"

namespace hone::canon {
namespace {

using ir::OpKind;
using ir::ValueId;

constexpr int64_t kSmallResult = 64 << 10;
constexpr int64_t kMostSteps = 4 << 20;

int64_t count(const std::vector<int64_t>& sizes) {
  int64_t total = 1;
  for (int64_t size : sizes) total *= size;
  return total;
}

int64_t bytes_of(const ir::TensorType& type) {
  auto sizes = fixed_shape(type.shape);
  return sizes ? count(*sizes) * static_cast<int64_t>(size_of(type.dtype)) : -1;
}

// How many points an evaluation visits; those of composites and scans are guessed from their operands.
int64_t steps_of(const Rewriter& rewriter, const ir::Op& op) {
  int64_t points = 0;
  for (ValueId id : op.outputs)
    if (id != ir::kAbsent) points += bytes_of(rewriter.type(id));
  if (meaning_kind(op.kind) != ir::MeaningKind::Indexed) return points;
  for (const ir::Axis& axis : indexed_meaning(rewriter.program(), op).reduce)
    points *= axis.extent.constant().value_or(kMostSteps);
  return points;
}

bool all_constant(const Rewriter& rewriter, const ir::Op& op) {
  for (ValueId id : op.inputs)
    if (id != ir::kAbsent && !rewriter.value(id).constant) return false;
  return op.bodies.empty();
}

bool worth_folding(const Rewriter& rewriter, const ir::Op& op) {
  int64_t from = 0, to = 0;
  for (ValueId id : op.inputs)
    if (id != ir::kAbsent) from += bytes_of(rewriter.type(id));
  for (ValueId id : op.outputs) {
    if (id == ir::kAbsent) continue;
    if (!fixed_shape(rewriter.type(id).shape)) return false;
    to += bytes_of(rewriter.type(id));
  }
  return to <= std::max(kSmallResult, from) && steps_of(rewriter, op) <= kMostSteps;
}

// The op by itself, with its constants.
Result<std::vector<eval::Tensor>> evaluate_alone(const Rewriter& rewriter, ir::Op op) {
  ir::Program alone;
  alone.name = "constant";
  auto bring = [&](ValueId& id) {
    if (id != ir::kAbsent) id = alone.add_value(rewriter.value(id));
  };
  for (ValueId& id : op.inputs) bring(id);
  for (ValueId& id : op.outputs) bring(id);
  for (ValueId id : op.outputs)
    if (id != ir::kAbsent) alone.outputs.push_back(id);
  alone.ops.push_back(std::move(op));
  return eval::evaluate(alone, {});
}

bool fold(Rewriter& rewriter, const ir::Op& op) {
  if (!all_constant(rewriter, op)) return false;
  bool same_bytes = op.kind == OpKind::Reshape || op.kind == OpKind::Identity;
  if (same_bytes && fixed_shape(rewriter.type(op.outputs[0]).shape)) {
    const ir::Value &from = rewriter.value(op.inputs[0]), &to = rewriter.value(op.outputs[0]);
    rewriter.forward(op.outputs[0], rewriter.constant(to.name, to.type, *from.constant));
    return true;
  }
  if (!worth_folding(rewriter, op)) return false;
  auto results = evaluate_alone(rewriter, op);
  if (!results) return false;
  size_t next = 0;
  for (ValueId id : op.outputs) {
    if (id == ir::kAbsent) continue;
    const ir::Value& to = rewriter.value(id);
    rewriter.forward(id, rewriter.constant(to.name, to.type, owned(std::move((*results)[next++].bytes))));
  }
  return true;
}

}  // namespace

ir::Program fold_constants(ir::Program program) {
  return Rewriter::run(std::move(program), fold);
}

}  // namespace hone::canon
