#include "lower/settled.h"

#include <algorithm>

namespace hone::lower {
namespace {

using ir::ScalarNode;
using ir::ScalarOp;

std::optional<ir::Index> excess_of(const ir::Scalar& condition) {
  if (condition->kind != ScalarNode::Kind::Operation) return std::nullopt;
  if (condition->op != ScalarOp::Less && condition->op != ScalarOp::LessEqual) return std::nullopt;
  for (const ir::Scalar& side : condition->args)
    if (side->kind != ScalarNode::Kind::IndexValue || !ir::is_integer(side->type) || side->index.uses_read())
      return std::nullopt;
  ir::Index excess = condition->args[0]->index - condition->args[1]->index;
  return condition->op == ScalarOp::Less ? excess + 1 : excess;
}

void collect(const ir::Scalar& scalar, std::vector<IndexSelect>& found) {
  for (const ir::Scalar& arg : scalar->args) collect(arg, found);
  if (scalar->kind != ScalarNode::Kind::Operation || scalar->op != ScalarOp::Select) return;
  bool known = std::any_of(found.begin(), found.end(), [&](const IndexSelect& s) { return s.select == scalar.get(); });
  auto excess = excess_of(scalar->args[0]);
  if (excess && !known) found.push_back({scalar.get(), *excess});
}

}  // namespace

std::vector<IndexSelect> index_selects(const std::vector<ir::Stmt>& stmts) {
  std::vector<IndexSelect> found;
  for (const ir::Stmt& stmt : stmts) collect(stmt.body, found);
  return found;
}

std::optional<ir::Index> largest_in(const ir::Index& index, const std::map<std::string, int64_t>& points) {
  ir::Index largest = index;
  for (const auto& [axis, count] : points) {
    if (!index.uses_axis(axis)) continue;
    auto linear = index.linear_in(axis);
    auto step = linear ? linear->first.constant() : std::nullopt;
    if (!step) return std::nullopt;
    largest = largest + std::max<int64_t>(*step, 0) * (count - 1);
  }
  return largest;
}

}  // namespace hone::lower
