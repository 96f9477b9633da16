// Integers and bool.
#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

#include "codegen/llvm/emit/arithmetic.h"

namespace hone::codegen {

using ir::loop::BinaryOp;
using llvm::Value;

Value* Arithmetic::bool_binary(BinaryOp op, Value* x, Value* y) {
  switch (op) {
    case BinaryOp::And:
    case BinaryOp::Min:
    case BinaryOp::Mul:
      return b_.CreateAnd(x, y);
    case BinaryOp::Or:
    case BinaryOp::Max:
      return b_.CreateOr(x, y);
    case BinaryOp::Xor:
    case BinaryOp::NotEqual:
      return b_.CreateXor(x, y);
    case BinaryOp::Equal:
      return b_.CreateNot(b_.CreateXor(x, y));
    case BinaryOp::Less:
      return b_.CreateAnd(b_.CreateNot(x), y);
    case BinaryOp::LessEqual:
      return b_.CreateOr(b_.CreateNot(x), y);
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Div:
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod:
    case BinaryOp::Rem:
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::Scale:
      break;
  }
  HONE_CHECK(false, "arithmetic on bool");
  return nullptr;
}

Value* Arithmetic::integer_binary(BinaryOp op, bool is_signed, Value* x, Value* y) {
  using llvm::Intrinsic::ID;
  const ID smallest = is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin;
  const ID largest = is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax;
  switch (op) {
    case BinaryOp::Add:
      return b_.CreateAdd(x, y);
    case BinaryOp::Sub:
      return b_.CreateSub(x, y);
    case BinaryOp::Mul:
      return b_.CreateMul(x, y);
    case BinaryOp::Div:
    case BinaryOp::Rem:
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod:
      return divide(op, is_signed, x, y);
    case BinaryOp::Min:
      return b_.CreateBinaryIntrinsic(smallest, x, y);
    case BinaryOp::Max:
      return b_.CreateBinaryIntrinsic(largest, x, y);
    case BinaryOp::And:
      return b_.CreateAnd(x, y);
    case BinaryOp::Or:
      return b_.CreateOr(x, y);
    case BinaryOp::Xor:
      return b_.CreateXor(x, y);
    case BinaryOp::Shl:
      return b_.CreateShl(x, y);
    case BinaryOp::Shr:
      return is_signed ? b_.CreateAShr(x, y) : b_.CreateLShr(x, y);
    case BinaryOp::Less:
      return is_signed ? b_.CreateICmpSLT(x, y) : b_.CreateICmpULT(x, y);
    case BinaryOp::LessEqual:
      return is_signed ? b_.CreateICmpSLE(x, y) : b_.CreateICmpULE(x, y);
    case BinaryOp::Equal:
      return b_.CreateICmpEQ(x, y);
    case BinaryOp::NotEqual:
      return b_.CreateICmpNE(x, y);
    case BinaryOp::Scale:
      break;
  }
  return nullptr;
}

// A divisor of 0 becomes 1, and so does -1 under the smallest number: both would trap.
Value* Arithmetic::safe_divisor(bool is_signed, Value* x, Value* y) {
  const llvm::APInt* constant = nullptr;
  if (llvm::PatternMatch::match(y, llvm::PatternMatch::m_APInt(constant)) && !constant->isZero() &&
      !constant->isAllOnes())
    return y;
  llvm::Type* type = y->getType();
  Value* traps = b_.CreateICmpEQ(y, llvm::Constant::getNullValue(type));
  if (is_signed) {
    const auto smallest = llvm::APInt::getSignedMinValue(type->getScalarSizeInBits());
    Value* overflows = b_.CreateAnd(b_.CreateICmpEQ(y, llvm::Constant::getAllOnesValue(type)),
                                    b_.CreateICmpEQ(x, llvm::ConstantInt::get(type, smallest)));
    traps = b_.CreateOr(traps, overflows);
  }
  return b_.CreateSelect(traps, llvm::ConstantInt::get(type, 1), y);
}

Value* Arithmetic::floor_by_power_of_two(BinaryOp op, Value* x, const llvm::APInt& divisor) {
  if (op == BinaryOp::FloorDiv) return b_.CreateAShr(x, divisor.logBase2());
  return b_.CreateAnd(x, llvm::ConstantInt::get(x->getType(), divisor - 1));
}

Value* Arithmetic::divide(BinaryOp op, bool is_signed, Value* x, Value* y) {
  const llvm::APInt* constant = nullptr;
  const bool floors = op == BinaryOp::FloorDiv || op == BinaryOp::Mod;
  if (is_signed && floors && llvm::PatternMatch::match(y, llvm::PatternMatch::m_APInt(constant)) &&
      constant->isPowerOf2() && !constant->isNegative())
    return floor_by_power_of_two(op, x, *constant);
  y = safe_divisor(is_signed, x, y);
  const bool wants_quotient = op == BinaryOp::Div || op == BinaryOp::FloorDiv;
  if (!is_signed) return wants_quotient ? b_.CreateUDiv(x, y) : b_.CreateURem(x, y);
  if (!floors) return wants_quotient ? b_.CreateSDiv(x, y) : b_.CreateSRem(x, y);

  llvm::Type* type = x->getType();
  Value* zero = llvm::Constant::getNullValue(type);
  Value* rest = b_.CreateSRem(x, y);
  Value* off_by_one = b_.CreateAnd(b_.CreateICmpNE(rest, zero), b_.CreateICmpSLT(b_.CreateXor(rest, y), zero));
  if (op == BinaryOp::Mod) return b_.CreateAdd(rest, b_.CreateSelect(off_by_one, y, zero));
  return b_.CreateSub(b_.CreateSDiv(x, y), b_.CreateZExt(off_by_one, type));
}

}  // namespace hone::codegen
