#include <cmath>
#include <numbers>

#include "canon/canon.h"
#include "canon/match_internal.h"

namespace hone::canon {
namespace {

using ir::kAbsent;
using ir::OpKind;
using ir::ValueId;

// The factors of a product, looking through products that only it uses.
void collect_factors(const Rewriter& rewriter, ValueId id, int depth, std::vector<ValueId>& factors) {
  const ir::Op* op = depth > 0 ? rewriter.sole_producer(id, OpKind::Mul) : nullptr;
  if (!op) return factors.push_back(id);
  for (ValueId input : op->inputs) collect_factors(rewriter, input, depth - 1, factors);
}

// x of c * x or x / (1 / c).
ValueId scaled_by(const Rewriter& rewriter, ValueId id, double factor) {
  const ir::Op* op = rewriter.producer(id);
  if (op && op->kind == OpKind::Div && is_number(rewriter, op->inputs[1], 1 / factor)) return op->inputs[0];
  if (!op || op->kind != OpKind::Mul) return kAbsent;
  for (ValueId input : op->inputs)
    if (is_number(rewriter, other_operand(*op, input), factor)) return input;
  return kAbsent;
}

bool is_cube(const Rewriter& rewriter, ValueId id, ValueId x) {
  const ir::Op* op = rewriter.producer(id);
  if (!op) return false;
  if (op->kind == OpKind::Pow) return op->inputs[0] == x && is_number(rewriter, op->inputs[1], 3);
  if (op->kind != OpKind::Mul) return false;
  for (ValueId input : op->inputs)
    if (input == x && squared(rewriter, other_operand(*op, input)) == x) return true;
  return false;
}

// √(2/π) * (x + 0.044715 * x³)
bool is_tanh_argument(const Rewriter& rewriter, ValueId id, ValueId x) {
  const ir::Op* sum = rewriter.producer(scaled_by(rewriter, id, std::sqrt(2 / std::numbers::pi)));
  if (!sum || sum->kind != OpKind::Add) return false;
  for (ValueId input : sum->inputs)
    if (input == x && is_cube(rewriter, scaled_by(rewriter, other_operand(*sum, input), 0.044715), x)) return true;
  return false;
}

// The form of gelu whose gate 1 + f(x) this is, or null.
const char* gate_form(const Rewriter& rewriter, ValueId id, ValueId x) {
  const ir::Op* sum = rewriter.producer(id);
  if (!sum || sum->kind != OpKind::Add) return nullptr;
  for (ValueId input : sum->inputs) {
    const ir::Op* f = rewriter.producer(input);
    if (!f || !is_number(rewriter, other_operand(*sum, input), 1)) continue;
    if (f->kind == OpKind::Erf && scaled_by(rewriter, f->inputs[0], std::numbers::sqrt2 / 2) == x) return "none";
    if (f->kind == OpKind::Tanh && is_tanh_argument(rewriter, f->inputs[0], x)) return "tanh";
  }
  return nullptr;
}

bool recognise(Rewriter& rewriter, const ir::Op& op) {
  if (op.kind != OpKind::Mul || !is_float(rewriter.type(op.outputs[0]).dtype)) return false;
  std::vector<ValueId> factors;
  for (ValueId input : op.inputs) collect_factors(rewriter, input, 2, factors);
  if (factors.size() != 3) return false;
  for (size_t half = 0; half < 3; ++half) {
    if (!is_number(rewriter, factors[half], 0.5)) continue;
    for (size_t next : {1, 2}) {
      ValueId x = factors[(half + next) % 3], gate = factors[(half + 3 - next) % 3];
      const char* form = gate_form(rewriter, gate, x);
      if (!form || !(rewriter.type(x) == rewriter.type(op.outputs[0]))) continue;
      rewriter.forward(op.outputs[0], rewriter.emit(op, OpKind::Gelu, {x}, {{"approximate", std::string(form)}}));
      return true;
    }
  }
  return false;
}

}  // namespace

ir::Program recognise_gelu(ir::Program program) {
  return Rewriter::run(std::move(program), recognise);
}

}  // namespace hone::canon
