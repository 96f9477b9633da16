// fmod as a function inside the generated module, so that objects need no libm.
#pragma once

#include <llvm/IR/Module.h>

namespace hone::codegen {

// double (double, double), exact, with C's results for zeros, infinities and NaN. Made on the first call.
llvm::Function* remainder_function(llvm::Module& module);

}  // namespace hone::codegen
