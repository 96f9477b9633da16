#include "canon/match_internal.h"

#include <cmath>

#include "canon/constants_internal.h"

namespace hone::canon {

using ir::kAbsent;
using ir::OpKind;
using ir::ValueId;

bool is_number(const Rewriter& rewriter, ValueId id, double wanted) {
  if (id == kAbsent) return false;
  auto number = splat(rewriter.value(id));
  return number && std::abs(*number - wanted) <= 1e-6 * std::abs(wanted);
}

ValueId other_operand(const ir::Op& op, ValueId one) {
  return op.inputs[0] == one ? op.inputs[1] : op.inputs[0];
}

ValueId squared(const Rewriter& rewriter, ValueId id) {
  const ir::Op* op = rewriter.producer(id);
  if (!op) return kAbsent;
  if (op->kind == OpKind::Pow && is_number(rewriter, op->inputs[1], 2)) return op->inputs[0];
  return op->kind == OpKind::Mul && op->inputs[0] == op->inputs[1] ? op->inputs[0] : kAbsent;
}

TailMean tail_mean(const Rewriter& rewriter, ValueId id) {
  const ir::Op* op = rewriter.producer(id);
  if (!op || op->kind != OpKind::ReduceMean || op->integer("keepdims", 1) == 0) return {};
  std::vector<int64_t> axes = op->integers("axes");
  int64_t rank = static_cast<int64_t>(rewriter.type(op->inputs[0]).shape.size());
  int64_t first = rank - static_cast<int64_t>(axes.size());
  if (axes.empty() || axes.front() != first || axes.back() != rank - 1) return {};
  return {op->inputs[0], first};
}

Deviation deviation(const Rewriter& rewriter, ValueId id) {
  const ir::Op* root = rewriter.producer(id);
  const ir::Op* sum = root && root->kind == OpKind::Sqrt ? rewriter.producer(root->inputs[0]) : nullptr;
  if (!sum || sum->kind != OpKind::Add) return {};
  for (ValueId mean : sum->inputs)
    if (auto epsilon = splat(rewriter.value(other_operand(*sum, mean))); epsilon && *epsilon >= 0)
      return {mean, *epsilon};
  return {};
}

std::vector<Quotient> quotients(const Rewriter& rewriter, ValueId id) {
  const ir::Op* op = rewriter.producer(id);
  std::vector<Quotient> found;
  if (!op || (op->kind != OpKind::Div && op->kind != OpKind::Mul)) return found;
  if (op->kind == OpKind::Div) return {{op->inputs[0], op->inputs[1]}};
  for (ValueId dividend : op->inputs) {
    const ir::Op* inverse = rewriter.producer(other_operand(*op, dividend));
    if (!inverse) continue;
    if (inverse->kind == OpKind::Reciprocal) found.push_back({dividend, inverse->inputs[0]});
    if (inverse->kind == OpKind::Div && is_number(rewriter, inverse->inputs[0], 1))
      found.push_back({dividend, inverse->inputs[1]});
  }
  return found;
}

bool fits_tail(const Rewriter& rewriter, ValueId parameter, ValueId x, int64_t axis) {
  const ir::Shape &own = rewriter.type(parameter).shape, &shape = rewriter.type(x).shape;
  if (own.size() > shape.size() - static_cast<size_t>(axis)) return false;
  for (size_t d = 1; d <= own.size(); ++d)
    if (!(own[own.size() - d] == shape[shape.size() - d]) && !own[own.size() - d].is(1)) return false;
  return rewriter.type(parameter).dtype == rewriter.type(x).dtype;
}

}  // namespace hone::canon
