#include "codegen/llvm/passes.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include "codegen/llvm/emit/known_stores.h"

namespace hone::codegen {
namespace {

// Moves what does not change out of the two innermost levels of loops, where the time goes, and no further: from outer loops it
// would all end up at the function's entry, alive everywhere, and push the values of inner loops onto the stack.
class InnerInvariants : public llvm::PassInfoMixin<InnerInvariants> {
 public:
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                              llvm::LoopStandardAnalysisResults& standard, llvm::LPMUpdater& updater) {
    for (const llvm::Loop* inside : loop)
      if (!inside->isInnermost()) return llvm::PreservedAnalyses::all();
    return llvm::LICMPass(llvm::LICMOptions()).run(loop, analyses, standard, updater);
  }
};

llvm::FunctionPassManager make_pipeline() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::PromotePass());
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(KnownStores());
  llvm::LoopPassManager loops;
  loops.addPass(InnerInvariants());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  return passes;
}

}  // namespace

void run_passes(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loop_analyses;
  llvm::FunctionAnalysisManager function_analyses;
  llvm::CGSCCAnalysisManager graph_analyses;
  llvm::ModuleAnalysisManager module_analyses;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(module_analyses);
  builder.registerCGSCCAnalyses(graph_analyses);
  builder.registerFunctionAnalyses(function_analyses);
  builder.registerLoopAnalyses(loop_analyses);
  builder.crossRegisterProxies(loop_analyses, function_analyses, graph_analyses, module_analyses);
  llvm::FunctionPassManager passes = make_pipeline();
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, function_analyses);
}

}  // namespace hone::codegen
