#include <algorithm>

#include "canon/canon.h"
#include "canon/rewriter_internal.h"

namespace hone::canon {
namespace {

bool all_are(const std::vector<int64_t>& numbers, int64_t wanted) {
  return std::all_of(numbers.begin(), numbers.end(), [&](int64_t n) { return n == wanted; });
}

bool in_order(const std::vector<int64_t>& perm) {
  for (size_t i = 0; i < perm.size(); ++i)
    if (perm[i] != static_cast<int64_t>(i)) return false;
  return true;
}

bool changes_nothing(const Rewriter& rewriter, const ir::Op& op) {
  if (op.inputs.empty() || op.outputs.size() != 1 || op.inputs[0] == ir::kAbsent) return false;
  if (!(rewriter.type(op.inputs[0]) == rewriter.type(op.outputs[0]))) return false;
  switch (op.kind) {
    case ir::OpKind::Identity:
    case ir::OpKind::Cast:
    case ir::OpKind::Reshape:
    case ir::OpKind::Expand:
      return true;
    case ir::OpKind::Transpose:
      return in_order(op.integers("perm"));
    case ir::OpKind::Slice:
      return all_are(op.integers("starts"), 0) && all_are(op.integers("steps"), 1);
    case ir::OpKind::Pad:
      return all_are(op.integers("pads"), 0);
    case ir::OpKind::Concat:
      return op.inputs.size() == 1;
    default:
      return false;
  }
}

}  // namespace

ir::Program eliminate_identities(ir::Program program) {
  return Rewriter::run(std::move(program), [](Rewriter& rewriter, const ir::Op& op) {
    if (!changes_nothing(rewriter, op)) return false;
    rewriter.forward(op.outputs[0], op.inputs[0]);
    return true;
  });
}

}  // namespace hone::canon
