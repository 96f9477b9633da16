// Conversions between element types, and the two half-width floats, which live as bits.
#include <llvm/IR/Constants.h>

#include "codegen/llvm/emit/arithmetic.h"

namespace hone::codegen {

using ir::DType;
using ir::loop::VectorType;
using llvm::Value;

namespace {

llvm::Type* with_lane(llvm::Type* like, llvm::Type* lane) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(like);
  return vector ? llvm::FixedVectorType::get(lane, vector->getNumElements()) : lane;
}

llvm::Constant* splat(llvm::Type* type, uint64_t bits) {
  return llvm::ConstantInt::get(type, bits);
}

}  // namespace

Value* Arithmetic::widen(VectorType from, Value* a) {
  llvm::Type* i32 = with_lane(a->getType(), b_.getInt32Ty());
  llvm::Type* f32 = with_lane(a->getType(), b_.getFloatTy());
  if (from.element == DType::BF16) return b_.CreateBitCast(b_.CreateShl(b_.CreateZExt(a, i32), 16), f32);
  if (!isa_.has_f16c) return f16_to_f32_by_bits(a);
  return b_.CreateFPExt(b_.CreateBitCast(a, with_lane(a->getType(), b_.getHalfTy())), f32);
}

Value* Arithmetic::narrow(DType to, Value* f32) {
  llvm::Type* i16 = with_lane(f32->getType(), b_.getInt16Ty());
  llvm::Type* i32 = with_lane(f32->getType(), b_.getInt32Ty());
  if (to == DType::F16) {
    if (!isa_.has_f16c) return f32_to_f16_by_bits(f32);
    return b_.CreateBitCast(b_.CreateFPTrunc(f32, with_lane(f32->getType(), b_.getHalfTy())), i16);
  }
  // Nearest, ties to even: add just less than half of the last kept bit, and one more if that bit is odd.
  Value* bits = b_.CreateBitCast(f32, i32);
  Value* odd = b_.CreateAnd(b_.CreateLShr(bits, 16), splat(i32, 1));
  Value* rounded = b_.CreateLShr(b_.CreateAdd(bits, b_.CreateAdd(odd, splat(i32, 0x7fff))), 16);
  Value* quiet_nan = b_.CreateOr(b_.CreateLShr(bits, 16), splat(i32, 0x40));
  return b_.CreateTrunc(b_.CreateSelect(b_.CreateFCmpUNO(f32, f32), quiet_nan, rounded), i16);
}

// Exponent and mantissa are moved into place and scaled by 2^112, which also renormalises small numbers.
Value* Arithmetic::f16_to_f32_by_bits(Value* a) {
  llvm::Type* i32 = with_lane(a->getType(), b_.getInt32Ty());
  llvm::Type* f32 = with_lane(a->getType(), b_.getFloatTy());
  Value* bits = b_.CreateZExt(a, i32);
  Value* sign = b_.CreateShl(b_.CreateAnd(bits, splat(i32, 0x8000)), 16);
  Value* moved = b_.CreateShl(b_.CreateAnd(bits, splat(i32, 0x7fff)), 13);
  Value* scaled = b_.CreateFMul(b_.CreateBitCast(moved, f32), llvm::ConstantFP::get(f32, 0x1p112));
  Value* special = b_.CreateOr(moved, splat(i32, 0x7f800000));
  Value* is_special = b_.CreateICmpUGE(moved, splat(i32, 0x0f800000));
  Value* magnitude = b_.CreateSelect(is_special, special, b_.CreateBitCast(scaled, i32));
  return b_.CreateBitCast(b_.CreateOr(magnitude, sign), f32);
}

// Normal results round in the integer domain; results below 2^-14 let an addition of 0.5 round them into the low bits.
Value* Arithmetic::f32_to_f16_by_bits(Value* a) {
  llvm::Type* i32 = with_lane(a->getType(), b_.getInt32Ty());
  Value* bits = b_.CreateBitCast(a, i32);
  Value* sign = b_.CreateAnd(b_.CreateLShr(bits, 16), splat(i32, 0x8000));
  Value* magnitude = b_.CreateAnd(bits, splat(i32, 0x7fffffff));
  Value* odd = b_.CreateAnd(b_.CreateLShr(magnitude, 13), splat(i32, 1));
  Value* rounded = b_.CreateAdd(b_.CreateAdd(magnitude, odd), splat(i32, 0xfff));
  Value* normal = b_.CreateLShr(b_.CreateSub(rounded, splat(i32, 112u << 23)), 13);
  Value* half = llvm::ConstantFP::get(a->getType(), 0.5);
  Value* shifted = b_.CreateFAdd(b_.CreateBitCast(magnitude, a->getType()), half);
  Value* small = b_.CreateSub(b_.CreateBitCast(shifted, i32), splat(i32, 126u << 23));
  Value* is_nan = b_.CreateICmpUGT(magnitude, splat(i32, 0x7f800000));
  Value* is_small = b_.CreateICmpULT(magnitude, splat(i32, 113u << 23));
  Value* overflows = b_.CreateICmpUGE(magnitude, splat(i32, 0x477ff000));
  Value* result = b_.CreateSelect(is_small, small, normal);
  result = b_.CreateSelect(overflows, splat(i32, 0x7c00), result);
  result = b_.CreateSelect(is_nan, splat(i32, 0x7e00), result);
  return b_.CreateTrunc(b_.CreateOr(result, sign), with_lane(a->getType(), b_.getInt16Ty()));
}

// What does not fit becomes the nearest number that does, NaN becomes 0.
Value* Arithmetic::float_to_integer(VectorType from, DType to, Value* a) {
  llvm::Type* target = llvm_type(b_.getContext(), {to, from.lanes});
  const auto saturate = ir::is_signed(to) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  return b_.CreateIntrinsic(saturate, {target, a->getType()}, {a});
}

Value* Arithmetic::convert(VectorType from, DType to, Value* a) {
  if (from.element == to) return a;
  const VectorType f32{DType::F32, from.lanes};
  if (from.element == DType::F16 || from.element == DType::BF16) return convert(f32, to, widen(from, a));
  if (to == DType::F16 || to == DType::BF16) return narrow(to, convert(from, DType::F32, a));
  llvm::Type* target = llvm_type(b_.getContext(), {to, from.lanes});
  const bool from_float = ir::is_float(from.element), to_float = ir::is_float(to);
  if (to == DType::Bool) {
    llvm::Constant* zero = llvm::Constant::getNullValue(a->getType());
    return from_float ? b_.CreateFCmpUNE(a, zero) : b_.CreateICmpNE(a, zero);
  }
  if (from_float && to_float) return to == DType::F64 ? b_.CreateFPExt(a, target) : b_.CreateFPTrunc(a, target);
  if (from_float) return float_to_integer(from, to, a);
  const bool is_signed = ir::is_signed(from.element);
  if (to_float) return is_signed ? b_.CreateSIToFP(a, target) : b_.CreateUIToFP(a, target);
  return is_signed ? b_.CreateSExtOrTrunc(a, target) : b_.CreateZExtOrTrunc(a, target);
}

Value* Arithmetic::bitcast(VectorType from, DType to, Value* a) {
  return b_.CreateBitCast(a, llvm_type(b_.getContext(), {to, from.lanes}));
}

}  // namespace hone::codegen
