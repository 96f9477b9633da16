// f32 and f64.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "codegen/llvm/emit/arithmetic.h"
#include "codegen/llvm/emit/remainder.h"

namespace hone::codegen {

using ir::loop::BinaryOp;
using ir::loop::UnaryOp;
using llvm::Value;

namespace {

bool is_number_constant(const Value* v) {
  const auto* c = llvm::dyn_cast<llvm::Constant>(v);
  if (!c) return false;
  if (c->getType()->isVectorTy()) c = c->getSplatValue();
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(c);
  return number && !number->isNaN();
}

}  // namespace

Value* Arithmetic::round(UnaryOp op, Value* a) {
  const llvm::Intrinsic::ID id = op == UnaryOp::Floor       ? llvm::Intrinsic::floor
                                 : op == UnaryOp::Ceil      ? llvm::Intrinsic::ceil
                                 : op == UnaryOp::RoundEven ? llvm::Intrinsic::roundeven
                                                            : llvm::Intrinsic::trunc;
  return b_.CreateUnaryIntrinsic(id, a);
}

// Without a rounding instruction LLVM would call libm. Adding and taking away 2^(mantissa bits) leaves the nearest
// integer of a magnitude; a step of one then corrects the direction. Larger magnitudes, infinity and NaN are integers
// already.
Value* Arithmetic::round_by_addition(UnaryOp op, Value* a) {
  llvm::Type* type = a->getType();
  Value* limit = llvm::ConstantFP::get(type, type->getScalarType()->isFloatTy() ? 0x1p23 : 0x1p52);
  Value* one = llvm::ConstantFP::get(type, 1.0);
  Value* zero = llvm::ConstantFP::get(type, 0.0);
  Value* magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
  Value* nearest = b_.CreateFSub(b_.CreateFAdd(magnitude, limit), limit);
  if (op == UnaryOp::Trunc) {
    Value* above = b_.CreateFCmpOGT(nearest, magnitude);
    nearest = b_.CreateFSub(nearest, b_.CreateSelect(above, one, zero));
  }
  Value* rounded = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, nearest, a);
  if (op == UnaryOp::Floor) rounded = b_.CreateFSub(rounded, b_.CreateSelect(b_.CreateFCmpOGT(rounded, a), one, zero));
  if (op == UnaryOp::Ceil) rounded = b_.CreateFAdd(rounded, b_.CreateSelect(b_.CreateFCmpOLT(rounded, a), one, zero));
  rounded = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, rounded, a);
  return b_.CreateSelect(b_.CreateFCmpOLT(magnitude, limit), rounded, a);
}

Value* Arithmetic::float_binary(BinaryOp op, Value* x, Value* y) {
  switch (op) {
    case BinaryOp::Add:
      return b_.CreateFAdd(x, y);
    case BinaryOp::Sub:
      return b_.CreateFSub(x, y);
    case BinaryOp::Mul:
      return b_.CreateFMul(x, y);
    case BinaryOp::Div:
      return b_.CreateFDiv(x, y);
    case BinaryOp::Rem:
      return float_remainder(x, y);
    case BinaryOp::Min:
      return float_extreme(true, x, y);
    case BinaryOp::Max:
      return float_extreme(false, x, y);
    case BinaryOp::Scale:
      return float_scale(x, y);
    case BinaryOp::Less:
      return b_.CreateFCmpOLT(x, y);
    case BinaryOp::LessEqual:
      return b_.CreateFCmpOLE(x, y);
    case BinaryOp::Equal:
      return b_.CreateFCmpOEQ(x, y);
    case BinaryOp::NotEqual:
      return b_.CreateFCmpUNE(x, y);
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
    case BinaryOp::Shl:
    case BinaryOp::Shr:
      break;
  }
  HONE_CHECK(false, "a float has no bits to operate on");
  return nullptr;
}

// Lane by lane: the number of steps depends on the values.
Value* Arithmetic::float_remainder(Value* x, Value* y) {
  llvm::Type* real = b_.getDoubleTy();
  llvm::Type* narrow = x->getType()->getScalarType();
  llvm::Function* function = remainder_function(*b_.GetInsertBlock()->getModule());
  const auto one = [&](Value* a, Value* b) {
    return b_.CreateFPCast(b_.CreateCall(function, {b_.CreateFPCast(a, real), b_.CreateFPCast(b, real)}), narrow);
  };
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  if (!vector) return one(x, y);
  Value* result = llvm::PoisonValue::get(x->getType());
  for (uint64_t i = 0; i < vector->getNumElements(); ++i)
    result = b_.CreateInsertElement(result, one(b_.CreateExtractElement(x, i), b_.CreateExtractElement(y, i)), i);
  return result;
}

Value* Arithmetic::float_scale(Value* x, Value* n) {
  llvm::Type* type = x->getType();
  const uint64_t bits = type->getPrimitiveSizeInBits().getFixedValue();
  const bool single = type->getScalarType()->isFloatTy();
  if (!isa_.has_scaling || bits != 512) return scale_by_halves(x, n);
  const llvm::Intrinsic::ID id =
      single ? llvm::Intrinsic::x86_avx512_mask_scalef_ps_512 : llvm::Intrinsic::x86_avx512_mask_scalef_pd_512;
  constexpr uint32_t kRoundAsSet = 4;
  Value* all = single ? static_cast<Value*>(b_.getInt16(0xffff)) : b_.getInt8(0xff);
  return b_.CreateIntrinsic(id, {}, {x, n, llvm::Constant::getNullValue(type), all, b_.getInt32(kRoundAsSet)});
}

// Two factors whose exponents exist, also where that of their product does not; only the second product is inexact.
Value* Arithmetic::scale_by_halves(Value* x, Value* n) {
  llvm::Type* type = x->getType();
  const bool single = type->getScalarType()->isFloatTy();
  const int mantissa = single ? 23 : 52, bias = single ? 127 : 1023;
  llvm::Type* whole = type->getWithNewType(b_.getIntNTy(single ? 32 : 64));
  Value* least = llvm::ConstantFP::get(type, 2 - 2 * bias);
  Value* most = llvm::ConstantFP::get(type, 2 * bias);
  Value* exponent = b_.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {whole, type},
                                       {float_extreme(true, float_extreme(false, n, least), most)});
  Value* half = b_.CreateAShr(exponent, llvm::ConstantInt::get(whole, 1));
  auto power = [&](Value* of) {
    Value* biased = b_.CreateAdd(of, llvm::ConstantInt::get(whole, static_cast<uint64_t>(bias)));
    return b_.CreateBitCast(b_.CreateShl(biased, llvm::ConstantInt::get(whole, static_cast<uint64_t>(mantissa))), type);
  };
  return b_.CreateFMul(b_.CreateFMul(x, power(half)), power(b_.CreateSub(exponent, half)));
}

// MINPS and MAXPS give their second operand, here x, if either is NaN. With y a number that is the whole contract; else
// all bits are set where y is NaN. An accumulator stands in x, so that only two steps of a reduction wait for each other.
Value* Arithmetic::float_extreme(bool smallest, Value* x, Value* y) {
  if (is_number_constant(x)) std::swap(x, y);
  Value* wins = smallest ? b_.CreateFCmpOLT(y, x) : b_.CreateFCmpOGT(y, x);
  Value* extreme = b_.CreateSelect(wins, y, x);
  if (is_number_constant(y)) return extreme;
  Value* missed = b_.CreateFCmpUNO(y, y);
  if (!x->getType()->isVectorTy()) return b_.CreateSelect(missed, y, extreme);
  llvm::Type* bits = x->getType()->getWithNewType(b_.getIntNTy(x->getType()->getScalarSizeInBits()));
  return b_.CreateBitCast(b_.CreateOr(b_.CreateBitCast(extreme, bits), b_.CreateSExt(missed, bits)), x->getType());
}

}  // namespace hone::codegen
