// Masked stores whose mask is known when the code is written: a prefix of lanes is two plain stores at most, where a masked
// one takes dozens of steps on some machines.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hone::codegen {

class KnownStores : public llvm::PassInfoMixin<KnownStores> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hone::codegen
