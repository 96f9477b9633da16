#include <llvm/IR/InlineAsm.h>

#include "codegen/llvm/emit/emitter.h"

namespace hone::codegen {

using ir::DType;
using ir::loop::Expr;
using ir::loop::ExprKind;
using ir::loop::ExprNode;
using llvm::Value;

namespace {

llvm::Constant* float_constant(llvm::LLVMContext& context, const ExprNode& e, Arithmetic& arithmetic) {
  const ir::loop::VectorType f32{DType::F32, e.type.lanes};
  if (e.type.element == DType::F32 || e.type.element == DType::F64) {
    const double value = e.type.element == DType::F32 ? static_cast<double>(static_cast<float>(e.number)) : e.number;
    return llvm::ConstantFP::get(llvm_type(context, e.type), value);
  }
  Value* wide = llvm::ConstantFP::get(llvm_type(context, f32), static_cast<double>(static_cast<float>(e.number)));
  return llvm::cast<llvm::Constant>(arithmetic.convert(f32, e.type.element, wide));
}

}  // namespace

Value* Emitter::expr(const Expr& e) {
  const auto found = values_.find(e.get());
  if (found != values_.end()) return found->second;
  Value* value = compute(*e);
  values_[e.get()] = value;
  return value;
}

Value* Emitter::variable(const ExprNode& e) {
  return b_.CreateLoad(llvm_type(b_.getContext(), e.type), slot(e.name, e.type), e.name);
}

// A multiply-add takes a constant from memory, as it can any operand: polynomials have more coefficients than there are
// registers. Known constants would be broadcast, which no instruction of AVX2 does on the way, moved out of the loop, and
// others spilled for them; a volatile load stays where it is used.
Value* Emitter::operand(const Expr& e) {
  Value* value = expr(e);
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant) return value;
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(constant->getType());
  const bool whole = type && type->getPrimitiveSizeInBits() == static_cast<unsigned>(isa_.vector_bits);
  if (!whole || !isa_.constants_in_memory || constant->isNullValue()) return constant;
  llvm::GlobalVariable*& place = constants_[constant];
  if (!place) {
    const std::string name = fmt::format("constant.{}", module_.global_size());
    place = llvm::cast<llvm::GlobalVariable>(module_.getOrInsertGlobal(name, type));
    place->setInitializer(constant);
    place->setConstant(true);
    place->setLinkage(llvm::GlobalValue::PrivateLinkage);
    place->setAlignment(llvm::Align(static_cast<uint64_t>(isa_.vector_bits) / 8));
  }
  return b_.CreateLoad(type, place, /*isVolatile=*/true);
}

Value* Emitter::compute(const ExprNode& e) {
  llvm::Type* type = llvm_type(b_.getContext(), e.type);
  switch (e.kind) {
    case ExprKind::IntConstant:
      return llvm::ConstantInt::get(type, static_cast<uint64_t>(e.integer));
    case ExprKind::FloatConstant:
      return float_constant(b_.getContext(), e, arithmetic_);
    case ExprKind::Variable:
      return variable(e);
    case ExprKind::Size:
      return sizes_.at(static_cast<size_t>(e.integer));
    case ExprKind::Unary:
      return arithmetic_.unary(e.unary, e.type, expr(e.args[0]));
    case ExprKind::Binary:
      return arithmetic_.binary(e.binary, e.args[0]->type, expr(e.args[0]), expr(e.args[1]));
    case ExprKind::Fma:
      return arithmetic_.fma(e.type, operand(e.args[0]), operand(e.args[1]), operand(e.args[2]));
    case ExprKind::Select:
      return b_.CreateSelect(expr(e.args[0]), expr(e.args[1]), expr(e.args[2]));
    case ExprKind::Load:
      return load(e);
    case ExprKind::Gather:
      return gather(e);
    case ExprKind::Broadcast:
      return b_.CreateVectorSplat(static_cast<unsigned>(e.type.lanes), expr(e.args[0]));
    case ExprKind::Ramp:
      return arithmetic_.ramp(b_.getInt64Ty(), e.type.lanes);
    case ExprKind::TailMask:
      return arithmetic_.tail_mask(expr(e.args[0]), e.type.lanes);
    case ExprKind::Convert:
      return arithmetic_.convert(e.args[0]->type, e.type.element, expr(e.args[0]));
    case ExprKind::Bitcast:
      return arithmetic_.bitcast(e.args[0]->type, e.type.element, expr(e.args[0]));
    case ExprKind::ReduceAdd:
    case ExprKind::ReduceMul:
    case ExprKind::ReduceMax:
    case ExprKind::ReduceMin:
      return arithmetic_.reduce(e.kind, e.args[0]->type, expr(e.args[0]));
    case ExprKind::Extract:
      return b_.CreateExtractElement(expr(e.args[0]), static_cast<uint64_t>(e.integer));
    case ExprKind::Shuffle:
      return b_.CreateShuffleVector(expr(e.args[0]), expr(e.args[1]), e.lanes);
  }
  return nullptr;
}

llvm::Type* Emitter::memory_type(int buffer, int lanes) {
  const DType type = dtype(buffer);
  return llvm_type(b_.getContext(), {type == DType::Bool ? DType::U8 : type, lanes});
}

llvm::Align Emitter::alignment(int buffer) const {
  return llvm::Align(ir::size_of(dtype(buffer)));
}

Value* Emitter::address(int buffer, Value* offset) {
  return b_.CreateGEP(memory_type(buffer, 1), buffers_[static_cast<size_t>(buffer)], offset);
}

Value* Emitter::from_memory(int buffer, Value* value) {
  if (dtype(buffer) != DType::Bool) return value;
  return b_.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
}

Value* Emitter::to_memory(int buffer, Value* value) {
  if (dtype(buffer) != DType::Bool) return value;
  return b_.CreateZExt(value, value->getType()->getWithNewType(b_.getInt8Ty()));
}

// Processors that fetch ahead do so behind plain loads and stores, not behind those that have a mask.
bool Emitter::goes_alone(int lanes) const {
  return isa_.has_lane_masks && lanes > 1;
}

// A mask that lets every lane through, of which LLVM knows nothing: made once a function.
Value* Emitter::every_lane(int lanes) {
  Value*& mask = every_lane_[lanes];
  if (mask) return mask;
  Builder entry(entry_, entry_->getFirstInsertionPt());
  auto* bits = entry.getIntNTy(static_cast<unsigned>(lanes));
  auto* type = llvm::FunctionType::get(entry.getInt64Ty(), {entry.getInt64Ty()}, false);
  auto* unknown = llvm::InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false);
  Value* ones = entry.CreateCall(type, unknown, {entry.getInt64(~uint64_t{0})});
  mask = entry.CreateBitCast(entry.CreateTrunc(ones, bits),
                             llvm::FixedVectorType::get(entry.getInt1Ty(), bits->getBitWidth()));
  return mask;
}

Value* Emitter::load(const ExprNode& e) {
  Value* where = address(e.buffer, expr(e.args[0]));
  llvm::Type* type = memory_type(e.buffer, e.type.lanes);
  if (e.alone && goes_alone(e.type.lanes)) {
    auto* value = b_.CreateMaskedLoad(type, where, alignment(e.buffer), every_lane(e.type.lanes),
                                      llvm::Constant::getNullValue(type));
    mark(value, e.buffer);
    return from_memory(e.buffer, value);
  }
  if (e.args.size() == 1) {
    auto* value = b_.CreateAlignedLoad(type, where, alignment(e.buffer));
    mark(value, e.buffer);
    return from_memory(e.buffer, value);
  }
  Value* mask = expr(e.args[1]);
  const bool scalar = e.type.lanes == 1;
  if (scalar) {
    type = llvm::FixedVectorType::get(type, 1);
    mask = b_.CreateVectorSplat(1, mask);
  }
  auto* value = b_.CreateMaskedLoad(type, where, alignment(e.buffer), mask, llvm::Constant::getNullValue(type));
  mark(value, e.buffer);
  return from_memory(e.buffer, scalar ? b_.CreateExtractElement(value, uint64_t{0}) : value);
}

Value* Emitter::gather(const ExprNode& e) {
  Value* offsets = expr(e.args[0]);
  Value* mask = e.args.size() > 1 ? expr(e.args[1]) : nullptr;
  const bool scalar = e.type.lanes == 1;
  if (scalar) {
    offsets = b_.CreateVectorSplat(1, offsets);
    if (mask) mask = b_.CreateVectorSplat(1, mask);
  }
  const auto lanes = static_cast<unsigned>(e.type.lanes);
  auto* type = llvm::FixedVectorType::get(memory_type(e.buffer, 1), lanes);
  if (!mask) mask = llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(b_.getInt1Ty(), lanes));
  auto* value = b_.CreateMaskedGather(type, address(e.buffer, offsets), alignment(e.buffer), mask,
                                      llvm::Constant::getNullValue(type));
  mark(value, e.buffer);
  return from_memory(e.buffer, scalar ? b_.CreateExtractElement(value, uint64_t{0}) : value);
}

}  // namespace hone::codegen
