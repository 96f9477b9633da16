#include "codegen/llvm/emit/arithmetic.h"

#include <llvm/IR/Constants.h>

namespace hone::codegen {

using ir::DType;
using ir::loop::BinaryOp;
using ir::loop::ExprKind;
using ir::loop::UnaryOp;
using ir::loop::VectorType;
using llvm::Value;

llvm::Type* element_type(llvm::LLVMContext& context, DType type) {
  switch (type) {
    case DType::F32:
      return llvm::Type::getFloatTy(context);
    case DType::F64:
      return llvm::Type::getDoubleTy(context);
    case DType::F16:
    case DType::BF16:
    case DType::I16:
    case DType::U16:
      return llvm::Type::getInt16Ty(context);
    case DType::I8:
    case DType::U8:
    case DType::F8E4M3FN:
    case DType::F8E4M3FNUZ:
    case DType::F8E5M2:
    case DType::F8E5M2FNUZ:
    case DType::F8E8M0:
    case DType::F4E2M1:
    case DType::I4:
    case DType::U4:
    case DType::I2:
    case DType::U2:
      return llvm::Type::getInt8Ty(context);
    case DType::I32:
    case DType::U32:
      return llvm::Type::getInt32Ty(context);
    case DType::I64:
    case DType::U64:
      return llvm::Type::getInt64Ty(context);
    case DType::Bool:
      return llvm::Type::getInt1Ty(context);
  }
  return nullptr;
}

llvm::Type* llvm_type(llvm::LLVMContext& context, VectorType type) {
  llvm::Type* element = element_type(context, type.element);
  if (type.lanes == 1) return element;
  return llvm::FixedVectorType::get(element, static_cast<unsigned>(type.lanes));
}

Value* Arithmetic::unary(UnaryOp op, VectorType type, Value* a) {
  if (ir::is_half(type.element)) {
    Value* wide = unary(op, {DType::F32, type.lanes}, widen(type, a));
    return narrow(type.element, wide);
  }
  const bool real = ir::is_float(type.element);
  switch (op) {
    case UnaryOp::Neg:
      return real ? b_.CreateFNeg(a) : b_.CreateNeg(a);
    case UnaryOp::Abs:
      if (real) return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
      if (!ir::is_signed(type.element)) return a;
      return b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a, b_.getFalse());
    case UnaryOp::Sqrt:
      return b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
    case UnaryOp::Floor:
    case UnaryOp::Ceil:
    case UnaryOp::RoundEven:
    case UnaryOp::Trunc:
      return isa_.has_rounding ? round(op, a) : round_by_addition(op, a);
    case UnaryOp::Not:
      return b_.CreateNot(a);
  }
  return nullptr;
}

Value* Arithmetic::binary(BinaryOp op, VectorType type, Value* x, Value* y) {
  if (ir::is_half(type.element)) {
    Value* wide = binary(op, {DType::F32, type.lanes}, widen(type, x), widen(type, y));
    return op >= BinaryOp::Less ? wide : narrow(type.element, wide);
  }
  if (ir::is_float(type.element)) return float_binary(op, x, y);
  if (type.element == DType::Bool) return bool_binary(op, x, y);
  return integer_binary(op, ir::is_signed(type.element), x, y);
}

Value* Arithmetic::fma(VectorType type, Value* x, Value* y, Value* z) {
  if (ir::is_half(type.element)) {
    Value* wide = fma({DType::F32, type.lanes}, widen(type, x), widen(type, y), widen(type, z));
    return narrow(type.element, wide);
  }
  if (!isa_.has_fma) return b_.CreateFAdd(b_.CreateFMul(x, y), z);
  return b_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
}

Value* Arithmetic::reduce(ExprKind kind, VectorType type, Value* a) {
  const BinaryOp op = kind == ExprKind::ReduceAdd   ? BinaryOp::Add
                      : kind == ExprKind::ReduceMul ? BinaryOp::Mul
                      : kind == ExprKind::ReduceMax ? BinaryOp::Max
                                                    : BinaryOp::Min;
  int lanes = type.lanes;
  while (lanes > 1) {
    const int pairs = lanes / 2, kept = lanes - pairs;
    std::vector<int> low(static_cast<size_t>(kept)), high(static_cast<size_t>(kept)), merge(low.size());
    for (int i = 0; i < kept; ++i) {
      low[static_cast<size_t>(i)] = i;
      // The lane without a partner meets itself, and is then taken back from below.
      high[static_cast<size_t>(i)] = i < pairs ? i + kept : i;
      merge[static_cast<size_t>(i)] = i < pairs ? i : i + kept;
    }
    Value* below = b_.CreateShuffleVector(a, low);
    Value* sum = binary(op, {type.element, kept}, below, b_.CreateShuffleVector(a, high));
    a = pairs == kept ? sum : b_.CreateShuffleVector(sum, below, merge);
    lanes = kept;
  }
  return type.lanes == 1 ? a : b_.CreateExtractElement(a, uint64_t{0});
}

Value* Arithmetic::ramp(llvm::Type* lane, int lanes) {
  std::vector<llvm::Constant*> values;
  for (int i = 0; i < lanes; ++i) values.push_back(llvm::ConstantInt::get(lane, static_cast<uint64_t>(i)));
  return llvm::ConstantVector::get(values);
}

// Lanes of 32 bits, because the masked instructions for f32 take their mask in that form.
Value* Arithmetic::tail_mask(Value* count, int lanes) {
  if (lanes == 1) return b_.CreateICmpSGT(count, b_.getInt64(0));
  Value* limited = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, count, b_.getInt64(static_cast<uint64_t>(lanes)));
  limited = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, limited, b_.getInt64(0));
  Value* splat = b_.CreateVectorSplat(static_cast<unsigned>(lanes), b_.CreateTrunc(limited, b_.getInt32Ty()));
  return b_.CreateICmpSLT(ramp(b_.getInt32Ty(), lanes), splat);
}

}  // namespace hone::codegen
