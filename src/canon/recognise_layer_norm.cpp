#include "canon/canon.h"
#include "canon/match_internal.h"

namespace hone::canon {
namespace {

using ir::kAbsent;
using ir::OpKind;
using ir::ValueId;

struct Normalized {
  ValueId x = kAbsent;
  int64_t axis = 0;
  double epsilon = 0;
};

// (x - mean(x)) / √(mean((x - mean(x))²) + ε)
Normalized normalized(const Rewriter& rewriter, ValueId id) {
  for (const Quotient& quotient : quotients(rewriter, id)) {
    const ir::Op* centred = rewriter.producer(quotient.dividend);
    Deviation root = deviation(rewriter, quotient.root);
    if (!centred || centred->kind != OpKind::Sub || root.mean == kAbsent) continue;
    TailMean mean = tail_mean(rewriter, centred->inputs[1]), variance = tail_mean(rewriter, root.mean);
    bool same = mean.of == centred->inputs[0] && variance.of != kAbsent && mean.axis == variance.axis;
    if (same && squared(rewriter, variance.of) == quotient.dividend) return {mean.of, mean.axis, root.epsilon};
  }
  return {};
}

struct Scaled {
  Normalized norm;
  ValueId scale = kAbsent;
};

Scaled scaled(const Rewriter& rewriter, const ir::Op& product) {
  for (ValueId input : product.inputs) {
    Normalized norm = normalized(rewriter, input);
    ValueId scale = other_operand(product, input);
    if (norm.x != kAbsent && fits_tail(rewriter, scale, norm.x, norm.axis)) return {norm, scale};
  }
  return {};
}

bool emit(Rewriter& rewriter, const ir::Op& op, const Scaled& found, ValueId bias) {
  std::vector<ValueId> inputs{found.norm.x, found.scale};
  if (bias != kAbsent) inputs.push_back(bias);
  Rewriter::AttributeMap attributes{{"axis", found.norm.axis}, {"epsilon", found.norm.epsilon}};
  rewriter.forward(op.outputs[0], rewriter.emit(op, OpKind::LayerNormalization, inputs, attributes));
  return true;
}

// A norm without bias may turn out to have one later, when its sum is met: that product is then taken back in.
bool recognise(Rewriter& rewriter, const ir::Op& op) {
  if (op.kind == OpKind::Mul) {
    Scaled found = scaled(rewriter, op);
    return found.scale != kAbsent && emit(rewriter, op, found, kAbsent);
  }
  if (op.kind != OpKind::Add) return false;
  for (ValueId input : op.inputs) {
    const ir::Op* norm = rewriter.producer(input);
    if (!norm || norm->kind != OpKind::LayerNormalization || norm->inputs.size() != 2 || rewriter.uses(input) != 1)
      continue;
    Normalized whole{norm->inputs[0], norm->integer("axis", -1), norm->number("epsilon", 0)};
    ValueId bias = other_operand(op, input);
    if (fits_tail(rewriter, bias, whole.x, whole.axis)) return emit(rewriter, op, {whole, norm->inputs[1]}, bias);
  }
  return false;
}

}  // namespace

ir::Program recognise_layer_norm(ir::Program program) {
  return Rewriter::run(std::move(program), recognise);
}

}  // namespace hone::canon
