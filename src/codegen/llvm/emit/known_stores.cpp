#include "codegen/llvm/emit/known_stores.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <bit>
#include <numeric>
#include <optional>

namespace hone::codegen {
namespace {

// How many lanes from the first on are alive, if all others are known to be dead.
std::optional<unsigned> prefix_of(llvm::Value* mask) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(mask->getType());
  if (!constant || !type) return std::nullopt;
  unsigned alive = 0;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    llvm::Constant* element = constant->getAggregateElement(lane);
    if (!element || !(element->isOneValue() || element->isNullValue())) return std::nullopt;
    if (element->isNullValue()) continue;
    if (alive != lane) return std::nullopt;
    ++alive;
  }
  return alive;
}

void store_lanes(llvm::IRBuilder<>& b, llvm::IntrinsicInst& masked, unsigned from, unsigned count) {
  llvm::Value* value = masked.getArgOperand(0);
  llvm::Type* element = llvm::cast<llvm::FixedVectorType>(value->getType())->getElementType();
  std::vector<int> lanes(count);
  std::iota(lanes.begin(), lanes.end(), static_cast<int>(from));
  llvm::Value* part = count == 1 ? b.CreateExtractElement(value, uint64_t{from}) : b.CreateShuffleVector(value, lanes);
  llvm::Value* where = b.CreateConstGEP1_64(element, masked.getArgOperand(1), from);
  auto* store = b.CreateAlignedStore(part, where, llvm::Align(element->getPrimitiveSizeInBits() / 8));
  store->copyMetadata(masked, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias});
}

}  // namespace

llvm::PreservedAnalyses KnownStores::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  std::vector<llvm::IntrinsicInst*> found;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::masked_store && prefix_of(call->getArgOperand(3)))
        found.push_back(call);
  for (llvm::IntrinsicInst* call : found) {
    llvm::IRBuilder<> b(call);
    const unsigned alive = *prefix_of(call->getArgOperand(3));
    const unsigned first = std::bit_floor(alive);
    if (alive > 0) store_lanes(b, *call, 0, first);
    // The rest is a power of two as well, if it may begin among the lanes that are stored already.
    if (const unsigned rest = std::bit_ceil(alive - first); alive > first) store_lanes(b, *call, alive - rest, rest);
    call->eraseFromParent();
  }
  return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace hone::codegen
