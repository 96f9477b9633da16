// Operations of Loop IR on LLVM values. In registers, Bool is i1 and f16 and bf16 are their bits in i16; lanes of 1 are
// plain scalars.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "codegen/llvm/machine.h"
#include "ir/loop/loop.h"

namespace hone::codegen {

using Builder = llvm::IRBuilder<>;

llvm::Type* element_type(llvm::LLVMContext& context, ir::DType type);
llvm::Type* llvm_type(llvm::LLVMContext& context, ir::loop::VectorType type);

class Arithmetic {
 public:
  Arithmetic(Builder& builder, const Isa& isa) : b_(builder), isa_(isa) {}

  // `type` is that of the operands.
  llvm::Value* unary(ir::loop::UnaryOp op, ir::loop::VectorType type, llvm::Value* a);
  llvm::Value* binary(ir::loop::BinaryOp op, ir::loop::VectorType type, llvm::Value* x, llvm::Value* y);
  llvm::Value* fma(ir::loop::VectorType type, llvm::Value* x, llvm::Value* y, llvm::Value* z);
  llvm::Value* convert(ir::loop::VectorType from, ir::DType to, llvm::Value* a);
  llvm::Value* bitcast(ir::loop::VectorType from, ir::DType to, llvm::Value* a);
  // A tree of halves: lane i meets lane i + ceil(n/2).
  llvm::Value* reduce(ir::loop::ExprKind kind, ir::loop::VectorType type, llvm::Value* a);
  llvm::Value* tail_mask(llvm::Value* count, int lanes);
  llvm::Value* ramp(llvm::Type* lane, int lanes);

 private:
  llvm::Value* round(ir::loop::UnaryOp op, llvm::Value* a);
  llvm::Value* round_by_addition(ir::loop::UnaryOp op, llvm::Value* a);
  llvm::Value* float_binary(ir::loop::BinaryOp op, llvm::Value* x, llvm::Value* y);
  llvm::Value* float_remainder(llvm::Value* x, llvm::Value* y);
  llvm::Value* float_scale(llvm::Value* x, llvm::Value* n);
  llvm::Value* scale_by_halves(llvm::Value* x, llvm::Value* n);
  llvm::Value* float_extreme(bool smallest, llvm::Value* x, llvm::Value* y);
  llvm::Value* integer_binary(ir::loop::BinaryOp op, bool is_signed, llvm::Value* x, llvm::Value* y);
  llvm::Value* bool_binary(ir::loop::BinaryOp op, llvm::Value* x, llvm::Value* y);
  llvm::Value* divide(ir::loop::BinaryOp op, bool is_signed, llvm::Value* x, llvm::Value* y);
  llvm::Value* floor_by_power_of_two(ir::loop::BinaryOp op, llvm::Value* x, const llvm::APInt& divisor);
  llvm::Value* safe_divisor(bool is_signed, llvm::Value* x, llvm::Value* y);
  llvm::Value* widen(ir::loop::VectorType from, llvm::Value* a);
  llvm::Value* narrow(ir::DType to, llvm::Value* f32);
  llvm::Value* f16_to_f32_by_bits(llvm::Value* a);
  llvm::Value* f32_to_f16_by_bits(llvm::Value* a);
  llvm::Value* float_to_integer(ir::loop::VectorType from, ir::DType to, llvm::Value* a);

  Builder& b_;
  const Isa& isa_;
};

}  // namespace hone::codegen
