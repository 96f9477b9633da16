#include "codegen/llvm/emit/emitter.h"

namespace hone::codegen {

using ir::loop::Block;
using ir::loop::ExprKind;
using ir::loop::Statement;
using ir::loop::StmtKind;
using ir::loop::VectorType;
using llvm::Value;

namespace {

// Known to run exactly once: no loop is needed.
bool runs_once(const Statement& s) {
  for (const auto& e : s.args)
    if (e->kind != ExprKind::IntConstant) return false;
  const int64_t lo = s.args[0]->integer, hi = s.args[1]->integer, step = s.args[2]->integer;
  return lo < hi && hi - lo <= step;
}

}  // namespace

void Emitter::block(const Block& statements) {
  for (const Statement& s : statements) statement(s);
}

void Emitter::statement(const Statement& s) {
  values_.clear();
  switch (s.kind) {
    case StmtKind::Assign:
      return assign(s.variable, s.args[0]->type, expr(s.args[0]));
    case StmtKind::Store:
      return store(s);
    case StmtKind::For:
      return loop(s);
    case StmtKind::If:
      return branch(s);
    case StmtKind::Part:
      return part(s);
    case StmtKind::Prefetch:
      return prefetch(s);
  }
}

void Emitter::assign(const std::string& name, VectorType type, Value* value) {
  b_.CreateStore(value, slot(name, type));
}

// Instructions that store past the caches want a multiple of their size; where the address is none, the store is an ordinary one.
void Emitter::stream(const Statement& s, Value* where, Value* value) {
  llvm::LLVMContext& context = b_.getContext();
  const uint64_t bytes = module_.getDataLayout().getTypeStoreSize(value->getType());
  auto* aligned = llvm::BasicBlock::Create(context, "aligned", function_);
  auto* otherwise = llvm::BasicBlock::Create(context, "unaligned", function_);
  auto* done = llvm::BasicBlock::Create(context, "streamed", function_);
  Value* below = b_.CreateAnd(b_.CreatePtrToInt(where, b_.getInt64Ty()), b_.getInt64(bytes - 1));
  b_.CreateCondBr(b_.CreateICmpEQ(below, b_.getInt64(0)), aligned, otherwise);
  b_.SetInsertPoint(aligned);
  llvm::StoreInst* past = b_.CreateAlignedStore(value, where, llvm::Align(bytes));
  past->setMetadata(llvm::LLVMContext::MD_nontemporal,
                    llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(b_.getInt32(1))));
  mark(past, s.buffer);
  b_.CreateBr(done);
  b_.SetInsertPoint(otherwise);
  mark(b_.CreateAlignedStore(value, where, alignment(s.buffer)), s.buffer);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

void Emitter::store(const Statement& s) {
  Value* where = address(s.buffer, expr(s.args[0]));
  Value* value = to_memory(s.buffer, expr(s.args[1]));
  if (s.stream && value->getType()->isVectorTy()) return stream(s, where, value);
  if (s.alone && goes_alone(s.args[1]->type.lanes))
    return mark(b_.CreateMaskedStore(value, where, alignment(s.buffer), every_lane(s.args[1]->type.lanes)), s.buffer);
  if (s.args.size() == 2) return mark(b_.CreateAlignedStore(value, where, alignment(s.buffer)), s.buffer);
  Value* mask = expr(s.args[2]);
  if (!value->getType()->isVectorTy()) {
    value = b_.CreateVectorSplat(1, value);
    mask = b_.CreateVectorSplat(1, mask);
  }
  mark(b_.CreateMaskedStore(value, where, alignment(s.buffer), mask), s.buffer);
}

// The test sits at the bottom, behind a guard: one jump per turn. It asks for the next value: were the addition known not to
// overflow, LLVM would ask for the last one, and keep both.
void Emitter::loop(const Statement& s) {
  const VectorType index{};
  Value* lo = expr(s.args[0]);
  Value* hi = expr(s.args[1]);
  Value* step = expr(s.args[2]);
  assign(s.variable, index, lo);
  if (runs_once(s)) return block(s.body);

  llvm::LLVMContext& context = b_.getContext();
  auto* body = llvm::BasicBlock::Create(context, s.variable + ".loop", function_);
  auto* done = llvm::BasicBlock::Create(context, s.variable + ".done");
  b_.CreateCondBr(b_.CreateICmpSLT(lo, hi), body, done);
  b_.SetInsertPoint(body);
  block(s.body);
  Value* next = b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), slot(s.variable, index)), step);
  assign(s.variable, index, next);
  b_.CreateCondBr(b_.CreateICmpSLT(next, hi), body, done);
  done->insertInto(function_);
  b_.SetInsertPoint(done);
}

void Emitter::branch(const Statement& s) {
  llvm::LLVMContext& context = b_.getContext();
  auto* then = llvm::BasicBlock::Create(context, "then", function_);
  auto* otherwise = llvm::BasicBlock::Create(context, "else");
  auto* done = llvm::BasicBlock::Create(context, "endif");
  b_.CreateCondBr(expr(s.args[0]), then, otherwise);
  b_.SetInsertPoint(then);
  block(s.body);
  b_.CreateBr(done);
  otherwise->insertInto(function_);
  b_.SetInsertPoint(otherwise);
  block(s.otherwise);
  b_.CreateBr(done);
  done->insertInto(function_);
  b_.SetInsertPoint(done);
}

void Emitter::prefetch(const Statement& s) {
  Value* where = address(s.buffer, expr(s.args[0]));
  constexpr uint32_t kRead = 0, kKeepInL1 = 3, kData = 1;
  b_.CreateIntrinsic(llvm::Intrinsic::prefetch, {where->getType()},
                     {where, b_.getInt32(kRead), b_.getInt32(kKeepInL1), b_.getInt32(kData)});
}

}  // namespace hone::codegen
