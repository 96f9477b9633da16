#include "codegen/llvm/emit/remainder.h"

#include <llvm/IR/IRBuilder.h>

namespace hone::codegen {
namespace {

using llvm::Value;

constexpr const char* kName = "hone.remainder";
constexpr uint64_t kMantissaBits = 52, kBias = 1023, kExponentMask = 0x7ff;

// Biased exponent of a magnitude; numbers below the normal range count as having the least one.
Value* exponent(llvm::IRBuilder<>& b, Value* magnitude) {
  Value* bits = b.CreateLShr(b.CreateBitCast(magnitude, b.getInt64Ty()), kMantissaBits);
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, b.CreateAnd(bits, kExponentMask), b.getInt64(1));
}

Value* power_of_two(llvm::IRBuilder<>& b, Value* n) {
  return b.CreateBitCast(b.CreateShl(b.CreateAdd(n, b.getInt64(kBias)), kMantissaBits), b.getDoubleTy());
}

// The multiple of `divisor` by a power of two that fits into `rest` with no more than one bit to spare.
Value* largest_multiple(llvm::IRBuilder<>& b, Value* rest, Value* divisor) {
  Value* distance = b.CreateSub(exponent(b, rest), exponent(b, divisor));
  Value* half = b.CreateLShr(distance, 1);  // two factors: one alone could overflow
  Value* scaled =
      b.CreateFMul(b.CreateFMul(divisor, power_of_two(b, half)), power_of_two(b, b.CreateSub(distance, half)));
  Value* fits = b.CreateFCmpOLE(scaled, rest);
  return b.CreateSelect(fits, scaled, b.CreateFMul(scaled, llvm::ConstantFP::get(b.getDoubleTy(), 0.5)));
}

void emit_body(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", &function));
  auto* entry = b.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(context, "loop", &function);
  auto* done = llvm::BasicBlock::Create(context, "done", &function);
  Value* x = function.getArg(0);
  Value* magnitude = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  Value* divisor = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, function.getArg(1));
  Value* infinity = llvm::ConstantFP::getInfinity(b.getDoubleTy());
  Value* zero = llvm::ConstantFP::get(b.getDoubleTy(), 0.0);
  // NaN fails both comparisons.
  Value* defined = b.CreateAnd(b.CreateFCmpOLT(magnitude, infinity), b.CreateFCmpOGT(divisor, zero));
  b.CreateCondBr(b.CreateAnd(defined, b.CreateFCmpOGE(magnitude, divisor)), loop, done);

  b.SetInsertPoint(loop);
  auto* rest = b.CreatePHI(b.getDoubleTy(), 2);
  Value* less = b.CreateFSub(rest, largest_multiple(b, rest, divisor));  // exact: a multiple of the divisor's last bit
  rest->addIncoming(magnitude, entry);
  rest->addIncoming(less, loop);
  b.CreateCondBr(b.CreateFCmpOGE(less, divisor), loop, done);

  b.SetInsertPoint(done);
  auto* result = b.CreatePHI(b.getDoubleTy(), 2);
  result->addIncoming(magnitude, entry);
  result->addIncoming(less, loop);
  Value* with_sign = b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, x);
  b.CreateRet(b.CreateSelect(defined, with_sign, llvm::ConstantFP::getNaN(b.getDoubleTy())));
}

}  // namespace

llvm::Function* remainder_function(llvm::Module& module) {
  if (llvm::Function* known = module.getFunction(kName)) return known;
  llvm::Type* real = llvm::Type::getDoubleTy(module.getContext());
  auto* type = llvm::FunctionType::get(real, {real, real}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::InternalLinkage, kName, module);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  emit_body(*function);
  return function;
}

}  // namespace hone::codegen
