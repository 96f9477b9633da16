#include "codegen/llvm/arithmetic.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

namespace hone::codegen {

using ir::DType;
using ir::loop::BinaryOp;
using ir::loop::ExprKind;
using ir::loop::UnaryOp;
using ir::loop::VectorType;
using llvm::Value;

namespace {

bool is_half(DType type) {
  return type == DType::F16 || type == DType::BF16;
}

bool is_number_constant(const Value* v) {
  const auto* c = llvm::dyn_cast<llvm::Constant>(v);
  if (!c) return false;
  if (c->getType()->isVectorTy()) c = c->getSplatValue();
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(c);
  return number && !number->isNaN();
}

}  // namespace

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
  if (is_half(type.element)) {
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
      return b_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, a);
    case UnaryOp::Ceil:
      return b_.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, a);
    case UnaryOp::RoundEven:
      return b_.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, a);
    case UnaryOp::Trunc:
      return b_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, a);
    case UnaryOp::Not:
      return b_.CreateNot(a);
  }
  return nullptr;
}

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

Value* Arithmetic::binary(BinaryOp op, VectorType type, Value* x, Value* y) {
  if (is_half(type.element)) {
    Value* wide = binary(op, {DType::F32, type.lanes}, widen(type, x), widen(type, y));
    return op >= BinaryOp::Less ? wide : narrow(type.element, wide);
  }
  if (ir::is_float(type.element)) return float_binary(op, x, y);
  if (type.element == DType::Bool) return bool_binary(op, x, y);
  return integer_binary(op, ir::is_signed(type.element), x, y);
}

Value* Arithmetic::fma(VectorType type, Value* x, Value* y, Value* z) {
  if (is_half(type.element)) {
    Value* wide = fma({DType::F32, type.lanes}, widen(type, x), widen(type, y), widen(type, z));
    return narrow(type.element, wide);
  }
  if (!isa_.has_fma) return b_.CreateFAdd(b_.CreateFMul(x, y), z);
  return b_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
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
      return b_.CreateFRem(x, y);
    case BinaryOp::Min:
      return float_extreme(true, x, y);
    case BinaryOp::Max:
      return float_extreme(false, x, y);
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

// MINPS and MAXPS give their second operand if either is NaN. With x a number that is the whole contract; else x is
// taken back where it is NaN itself.
Value* Arithmetic::float_extreme(bool smallest, Value* x, Value* y) {
  if (is_number_constant(y)) std::swap(x, y);
  Value* wins = smallest ? b_.CreateFCmpOLT(x, y) : b_.CreateFCmpOGT(x, y);
  Value* extreme = b_.CreateSelect(wins, x, y);
  if (is_number_constant(x)) return extreme;
  return b_.CreateSelect(b_.CreateFCmpUNO(x, x), x, extreme);
}

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
