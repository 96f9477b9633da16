#include <algorithm>

#include "canon/canon.h"
#include "canon/rewriter_internal.h"

namespace hone::canon {
namespace {

using ir::OpKind;
using ir::ValueId;

ValueId merge_transposes(Rewriter& rewriter, const ir::Op& first, const ir::Op& second) {
  std::vector<int64_t> inner = first.integers("perm"), perm;
  for (int64_t d : second.integers("perm")) perm.push_back(inner[static_cast<size_t>(d)]);
  return rewriter.emit(second, OpKind::Transpose, {first.inputs[0]}, {{"perm", perm}});
}

bool same_count(const Rewriter& rewriter, const ir::Op& reshape) {
  return product(rewriter.type(reshape.inputs[0]).shape) == product(rewriter.type(reshape.outputs[0]).shape);
}

// A Reshape whose counts agree only for some sizes is a check; of two in a row one may be such, or a check is lost.
bool can_merge_reshapes(const Rewriter& rewriter, const ir::Op& first, const ir::Op& second) {
  return same_count(rewriter, first) || same_count(rewriter, second);
}

std::vector<int64_t> starts_of(const ir::Op& op, size_t rank) {
  return op.integers("starts", std::vector<int64_t>(rank, 0));
}
std::vector<int64_t> steps_of(const ir::Op& op, size_t rank) {
  return op.integers("steps", std::vector<int64_t>(rank, 1));
}

// Starts counted from the end of a size that is not a number do not add up to one number.
bool can_merge_slices(const Rewriter& rewriter, const ir::Op& first, const ir::Op& second) {
  size_t rank = rewriter.type(second.outputs[0]).shape.size();
  auto plain = [&](const ir::Op& op) {
    auto starts = starts_of(op, rank), steps = steps_of(op, rank);
    return std::all_of(starts.begin(), starts.end(), [](int64_t n) { return n >= 0; }) &&
           std::all_of(steps.begin(), steps.end(), [](int64_t n) { return n > 0; });
  };
  return plain(first) && plain(second);
}

ValueId merge_slices(Rewriter& rewriter, const ir::Op& first, const ir::Op& second) {
  ir::TensorType type = rewriter.type(second.outputs[0]);
  size_t rank = type.shape.size();
  auto starts = starts_of(first, rank), steps = steps_of(first, rank);
  auto more_starts = starts_of(second, rank), more_steps = steps_of(second, rank);
  for (size_t i = 0; i < rank; ++i) {
    starts[i] += more_starts[i] * steps[i];
    steps[i] *= more_steps[i];
  }
  return rewriter.emit(second, OpKind::Slice, {first.inputs[0]}, {{"starts", starts}, {"steps", steps}}, type);
}

}  // namespace

ir::Program merge_views(ir::Program program) {
  return Rewriter::run(std::move(program), [](Rewriter& rewriter, const ir::Op& op) {
    if (op.inputs.size() != 1) return false;
    const ir::Op* before = rewriter.producer(op.inputs[0]);
    if (!before || before->kind != op.kind) return false;
    const ir::Op first = *before;
    ir::TensorType type = rewriter.type(op.outputs[0]);
    ValueId merged;
    if (op.kind == OpKind::Transpose)
      merged = merge_transposes(rewriter, first, op);
    else if (op.kind == OpKind::Reshape && can_merge_reshapes(rewriter, first, op))
      merged = rewriter.emit(op, OpKind::Reshape, {first.inputs[0]}, {}, type);
    else if (op.kind == OpKind::Expand)
      merged = rewriter.emit(op, OpKind::Expand, {first.inputs[0]}, {}, type);
    else if (op.kind == OpKind::Slice && can_merge_slices(rewriter, first, op))
      merged = merge_slices(rewriter, first, op);
    else
      return false;
    rewriter.forward(op.outputs[0], merged);
    return true;
  });
}

}  // namespace hone::canon
