#include "fuse/turned.h"

#include <algorithm>
#include <utility>

namespace hone::fuse {
namespace {

using ir::Index;

constexpr int64_t kEnoughRows = 16;  // fewer products of an element are not worth a copy of it

bool moves_with(const Read& read, const std::string& axis) {
  return std::any_of(read.index.begin(), read.index.end(), [&](const Index& index) { return index.uses_axis(axis); });
}

bool is_product(const Step& step) {
  return step.combine == ir::Combine::Sum && step.reads.size() == 2 && step.type == ir::DType::F32 &&
         step.body->kind == ir::ScalarNode::Kind::Operation && step.body->op == ir::ScalarOp::Mul &&
         step.body->args[0]->kind == ir::ScalarNode::Kind::Access &&
         step.body->args[1]->kind == ir::ScalarNode::Kind::Access;
}

// Neighbours along the axis are neighbours in memory.
bool lies_along(const Read& read, const std::string& axis) {
  size_t d = read.index.size();
  while (d > 0 && read.index[d - 1].axes().empty()) --d;
  auto linear = d > 0 ? read.index[d - 1].linear_in(axis) : std::nullopt;
  return linear && linear->first.is(1);
}

// How often each element of the operand is used: the results along axes that it does not move with.
bool is_used_often(const Draft& draft, const Read& operand) {
  Index uses = 1;
  for (const ir::Axis& row : draft.rows)
    if (!moves_with(operand, row.name)) uses = uses * row.extent;
  return uses.constant().value_or(kEnoughRows) >= kEnoughRows;
}

}  // namespace

void turn_operand(Draft& draft, const ir::Program& program, const std::function<bool(ir::ValueId)>& is_weight) {
  auto product = std::find_if(draft.steps.begin(), draft.steps.end(), is_product);
  if (draft.kind != partition::Cluster::Kind::Contraction || product == draft.steps.end() || draft.rows.empty() ||
      draft.cols.size() != 1)
    return;
  const std::string &inner = draft.rows.back().name, &summed = draft.cols[0].name;
  // An operand in the making gets a tile with the columns innermost.
  auto is_along_sum = [&](const Read& read) {
    return read.inside || (lies_along(read, summed) && !is_weight(read.value));
  };
  for (size_t k = 0; k < 2; ++k) {
    Read& operand = product->reads[k];
    const Read& other = product->reads[1 - k];
    if (operand.inside || !moves_with(operand, inner) || moves_with(other, inner)) continue;
    if (!is_along_sum(operand) || !is_along_sum(other) || !is_used_often(draft, operand)) return;
    Step copy;
    copy.result = static_cast<ir::ValueId>(program.values.size());
    copy.type = program.type(operand.value).dtype;
    copy.turned = true;
    copy.prologue = operand.index;
    copy.body = ir::access_value(copy.type, 0);
    copy.reads = {std::exchange(operand, Read{copy.result, true, {}, {}})};
    draft.steps.insert(product, std::move(copy));
    return;
  }
}

}  // namespace hone::fuse
