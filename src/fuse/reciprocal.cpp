#include "fuse/reciprocal.h"

#include <algorithm>

namespace hone::fuse {
namespace {

using ir::ScalarOp;
using ir::ValueId;

// The read that a step divides by at every point though it has one value per row. The reciprocal of a half would be
// rounded to few bits.
std::optional<size_t> row_divisor(const Draft& draft, const Step& step) {
  const ir::Scalar& body = step.body;
  bool divides = step.point && body->kind == ir::ScalarNode::Kind::Operation && body->op == ScalarOp::Div &&
                 ir::is_float(body->type) && !ir::is_half(body->type);
  if (!divides || body->args[1]->kind != ir::ScalarNode::Kind::Access) return std::nullopt;
  size_t number = static_cast<size_t>(body->args[1]->access);
  const Read& read = step.reads[number];
  auto source =
      std::find_if(draft.steps.begin(), draft.steps.end(), [&](const Step& one) { return one.result == read.value; });
  if (!read.inside || source == draft.steps.end() || source->point) return std::nullopt;
  return number;
}

// A quotient that is half-way between two whole numbers must be exact for what rounds it.
bool rounds(const ir::Scalar& scalar) {
  using Kind = ir::ScalarNode::Kind;
  const bool jumps = scalar->kind == Kind::Operation &&
                     (scalar->op == ScalarOp::Round || scalar->op == ScalarOp::Floor || scalar->op == ScalarOp::Ceil);
  const bool truncates =
      scalar->kind == Kind::Cast && !ir::is_float(scalar->type) && ir::is_float(scalar->args[0]->type);
  return jumps || truncates || std::any_of(scalar->args.begin(), scalar->args.end(), rounds);
}

}  // namespace

void hoist_reciprocals(Draft& draft, ValueId fresh) {
  for (const Step& step : draft.steps)
    if (rounds(step.body) || (step.finish && rounds(step.finish))) return;
  std::map<ValueId, ValueId> reciprocals;
  for (size_t i = 0; i < draft.steps.size(); ++i) {
    auto number = row_divisor(draft, draft.steps[i]);
    if (!number) continue;
    Step& step = draft.steps[i];
    ValueId divisor = step.reads[*number].value;
    auto [found, missing] = reciprocals.try_emplace(divisor, fresh);
    step.reads.push_back(Read{found->second, true, {}, {}});
    int factor = static_cast<int>(step.reads.size()) - 1;
    step.body = ir::apply(ScalarOp::Mul, {step.body->args[0], ir::access_value(step.type, factor)});
    bool still_read = false;
    ir::visit_accesses(step.body, [&](int access) { still_read |= access == static_cast<int>(*number); });
    if (!still_read) {
      // The reciprocal takes the place of the divisor among the reads.
      step.reads[*number] = step.reads.back();
      step.reads.pop_back();
      step.body = ir::replace_accesses(step.body, [&](int access, ir::DType type) {
        return ir::access_value(type, access == factor ? static_cast<int>(*number) : access);
      });
    }
    if (!missing) continue;
    Step reciprocal;
    reciprocal.result = fresh++;
    reciprocal.type = step.type;
    reciprocal.reads = {Read{divisor, true, {}, {}}};
    reciprocal.body = ir::apply(ScalarOp::Div, {ir::constant(step.type, 1), ir::access_value(step.type, 0)});
    auto source =
        std::find_if(draft.steps.begin(), draft.steps.end(), [&](const Step& one) { return one.result == divisor; });
    draft.steps.insert(source + 1, std::move(reciprocal));
    ++i;
  }
}

}  // namespace hone::fuse
