#include <cmath>

#include "canon/canon.h"
#include "canon/constants_internal.h"
#include "canon/rewriter_internal.h"

namespace hone::canon {
namespace {

using ir::OpKind;

// Adding +0 turns -0 into +0; only the other zero is neutral.
bool is_neutral_zero(ir::DType type, double number, bool subtracted) {
  return number == 0 && (!is_float(type) || std::signbit(number) != subtracted);
}

// The op is its input number `kept` because the other one is this constant.
bool is_neutral(const ir::Op& op, ir::DType type, size_t kept, double other) {
  switch (op.kind) {
    case OpKind::Mul:
      return other == 1;
    case OpKind::Div:
    case OpKind::Pow:
      return kept == 0 && other == 1;
    case OpKind::Add:
      return is_neutral_zero(type, other, false);
    case OpKind::Sub:
      return kept == 0 && is_neutral_zero(type, other, true);
    default:
      return false;
  }
}

}  // namespace

ir::Program eliminate_neutral_operands(ir::Program program) {
  return Rewriter::run(std::move(program), [](Rewriter& rewriter, const ir::Op& op) {
    if (op.inputs.size() != 2) return false;
    for (size_t kept : {0, 1}) {
      auto other = splat(rewriter.value(op.inputs[1 - kept]));
      bool same_type = rewriter.type(op.inputs[kept]) == rewriter.type(op.outputs[0]);
      if (!other || !same_type || !is_neutral(op, rewriter.type(op.outputs[0]).dtype, kept, *other)) continue;
      rewriter.forward(op.outputs[0], op.inputs[kept]);
      return true;
    }
    bool square = op.kind == OpKind::Pow && splat(rewriter.value(op.inputs[1])) == 2.0;
    if (!square || !(rewriter.type(op.inputs[0]) == rewriter.type(op.outputs[0]))) return false;
    rewriter.forward(op.outputs[0], rewriter.emit(op, OpKind::Mul, {op.inputs[0], op.inputs[0]}));
    return true;
  });
}

}  // namespace hone::canon
