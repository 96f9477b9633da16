#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>

#include "codegen/llvm/emit/emitter.h"

namespace hone::codegen {

using ir::DType;
using ir::loop::LoopBuffer;
using ir::loop::VectorType;
using llvm::Value;

namespace {

bool streams(const ir::loop::Block& body) {
  return std::any_of(body.begin(), body.end(),
                     [](const ir::loop::Statement& s) { return s.stream || streams(s.body) || streams(s.otherwise); });
}

}  // namespace

Emitter::Emitter(llvm::Module& module, const ir::loop::Function& function, const Isa& isa)
    : module_(module), source_(function), isa_(isa), b_(module.getContext()), arithmetic_(b_, isa) {}

void Emitter::run() {
  create_function({});
  make_alias_scopes();
  load_arguments();
  block(source_.body);
  // What was streamed is seen by other threads only behind a fence.
  if (streams(source_.body)) b_.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {});
  b_.CreateRetVoid();
}

void Emitter::create_function(const Given& given) {
  llvm::Type* pointer = b_.getPtrTy();
  std::vector<llvm::Type*> types = {pointer, pointer, b_.getInt64Ty(), b_.getInt64Ty(), pointer};
  for (const auto& [name, variable] : given) types.push_back(llvm_type(b_.getContext(), variable));
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), types, false);
  function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, source_.name, module_);
  function_->setDSOLocal(true);
  function_->setDoesNotThrow();
  set_target_attributes(*function_, isa_);
  for (unsigned number : {0u, 1u}) {
    function_->addParamAttr(number, llvm::Attribute::NoAlias);
    function_->addParamAttr(number, llvm::Attribute::ReadOnly);
  }
  entry_ = llvm::BasicBlock::Create(b_.getContext(), "entry", function_);
  b_.SetInsertPoint(entry_);
}

// Pointers and sizes are read once, here; those that nobody uses vanish again.
void Emitter::load_arguments() {
  llvm::MDNode* empty = llvm::MDNode::get(b_.getContext(), {});
  for (size_t i = 0; i < source_.sizes.size(); ++i) {
    auto* place = b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), function_->getArg(1), i);
    auto* value = b_.CreateLoad(b_.getInt64Ty(), place, source_.sizes[i]);
    value->setMetadata(llvm::LLVMContext::MD_invariant_load, empty);
    sizes_.push_back(value);
  }
  for (const auto& [name, number] : {std::pair("task_begin", 2u), std::pair("task_end", 3u)})
    assign(name, VectorType{}, function_->getArg(number));
  for (size_t i = 0; i < source_.buffers.size(); ++i) {
    const LoopBuffer& buffer = source_.buffers[i];
    if (buffer.scratch) {
      buffers_.push_back(b_.CreateGEP(b_.getInt8Ty(), function_->getArg(4), expr(buffer.byte_offset), buffer.name));
      continue;
    }
    auto* place = b_.CreateConstInBoundsGEP1_64(b_.getPtrTy(), function_->getArg(0), i);
    auto* value = b_.CreateLoad(b_.getPtrTy(), place, buffer.name);
    value->setMetadata(llvm::LLVMContext::MD_invariant_load, empty);
    buffers_.push_back(value);
  }
}

void Emitter::make_alias_scopes() {
  llvm::MDBuilder metadata(b_.getContext());
  llvm::MDNode* domain = metadata.createAnonymousAliasScopeDomain(source_.name);
  std::vector<llvm::Metadata*> scopes;
  for (const LoopBuffer& buffer : source_.buffers)
    scopes.push_back(metadata.createAnonymousAliasScope(domain, buffer.name));
  for (size_t i = 0; i < scopes.size(); ++i) {
    std::vector<llvm::Metadata*> others = scopes;
    others.erase(others.begin() + static_cast<ptrdiff_t>(i));
    own_scope_.push_back(llvm::MDNode::get(b_.getContext(), scopes[i]));
    other_scopes_.push_back(llvm::MDNode::get(b_.getContext(), others));
  }
}

void Emitter::mark(llvm::Instruction* access, int buffer) {
  access->setMetadata(llvm::LLVMContext::MD_alias_scope, own_scope_[static_cast<size_t>(buffer)]);
  access->setMetadata(llvm::LLVMContext::MD_noalias, other_scopes_[static_cast<size_t>(buffer)]);
}

llvm::AllocaInst* Emitter::slot(const std::string& name, VectorType type) {
  llvm::AllocaInst*& place = variables_[name];
  if (!place) {
    Builder at_entry(entry_, entry_->begin());
    place = at_entry.CreateAlloca(llvm_type(b_.getContext(), type), nullptr, name);
  }
  return place;
}

}  // namespace hone::codegen
