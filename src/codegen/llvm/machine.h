// Instruction sets by the names that Hone uses, as LLVM wants them.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace hone::codegen {

struct Isa {
  const char* name;
  const char* cpu;   // what may be used
  const char* tune;  // what it is scheduled for
  int vector_bits;
  bool has_fma;
  bool has_f16c;
  bool has_rounding;
  bool has_scaling;          // x * 2^n is an instruction
  bool has_lane_masks;       // of a bit for each lane, for any instruction
  bool constants_in_memory;  // instructions read operands from memory, but broadcast none on the way
};

Result<Isa> isa_named(const std::string& name);
Result<std::unique_ptr<llvm::TargetMachine>> make_machine(const Isa& isa);
// Lets the widest registers of the instruction set be used in this function.
void set_target_attributes(llvm::Function& function, const Isa& isa);

}  // namespace hone::codegen
