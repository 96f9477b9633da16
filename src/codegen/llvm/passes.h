// The passes between emitted and machine code: they clean up what the emitter wrote naively (variables in memory, the
// same address computed twice), and never change vector shape, unrolling or loop order. No vectoriser, no unroller, no
// inliner.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace hone::codegen {

void run_passes(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace hone::codegen
