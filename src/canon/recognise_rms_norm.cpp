#include "canon/canon.h"
#include "canon/match_internal.h"

namespace hone::canon {
namespace {

using ir::kAbsent;
using ir::OpKind;
using ir::ValueId;

bool recognise(Rewriter& rewriter, const ir::Op& op) {
  if (op.kind != OpKind::Mul) return false;
  for (ValueId input : op.inputs) {
    ValueId scale = other_operand(op, input);
    for (const Quotient& quotient : quotients(rewriter, input)) {
      Deviation root = deviation(rewriter, quotient.root);
      TailMean mean = tail_mean(rewriter, root.mean);
      if (mean.of == kAbsent || squared(rewriter, mean.of) != quotient.dividend) continue;
      if (!fits_tail(rewriter, scale, quotient.dividend, mean.axis)) continue;
      Rewriter::AttributeMap attributes{{"axis", mean.axis}, {"epsilon", root.epsilon}};
      rewriter.forward(op.outputs[0],
                       rewriter.emit(op, OpKind::RMSNormalization, {quotient.dividend, scale}, attributes));
      return true;
    }
  }
  return false;
}

}  // namespace

ir::Program recognise_rms_norm(ir::Program program) {
  return Rewriter::run(std::move(program), recognise);
}

}  // namespace hone::canon
