#include "codegen/llvm/machine.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>

#include <array>
#include <mutex>

namespace hone::codegen {
namespace {

constexpr std::array<Isa, 3> kIsas = {{
    {"avx512", "x86-64-v4", "znver4", 512, true, true, true, true, true, false},
    {"avx2", "x86-64-v3", "znver3", 256, true, true, true, false, false, true},
    {"x86-64", "x86-64", "generic", 128, false, false, false, false, false, true},
}};

constexpr const char* kTriple = "x86_64-unknown-linux-gnu";

// Passes that take time and gain none. Loop strength reduction would rewrite the addresses that lower chose, and take a third of the
// time of code generation; in large loop bodies it spills. Ordering once more after registers are given out took 7 % and made no kernel
// faster: cores order for themselves. Looking for common subexpressions, for places to sink to and for masks among integers once more
// took 9 % together and changed no kernel. LLVM has no settings for them but these of the process.
void leave_out_passes() {
  auto& options = llvm::cl::getRegisteredOptions();
  for (const char* name : {"disable-lsr", "disable-post-ra", "disable-machine-cse", "disable-machine-sink",
                           "disable-x86-domain-reassignment"})
    if (auto found = options.find(name); found != options.end())
      static_cast<llvm::cl::opt<bool>*>(found->second)->setValue(true);
}

void initialize_llvm_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    leave_out_passes();
  });
}

}  // namespace

Result<Isa> isa_named(const std::string& name) {
  for (const Isa& isa : kIsas)
    if (name == isa.name) return isa;
  return error("no code can be generated for instruction set '{}'; known are avx512, avx2 and x86-64", name);
}

Result<std::unique_ptr<llvm::TargetMachine>> make_machine(const Isa& isa) {
  initialize_llvm_once();
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(kTriple, problem);
  if (!target) return error("this LLVM cannot generate code for x86-64: {}", problem);
  llvm::TargetOptions options;
  options.UnsafeFPMath = false;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  // Higher levels take a tenth longer for the same speed: what they look for, lower has already written.
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      kTriple, isa.cpu, "", options, llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Less));
  if (!machine) return error("this LLVM has no machine model '{}'", isa.cpu);
  return machine;
}

void set_target_attributes(llvm::Function& function, const Isa& isa) {
  const std::string width = std::to_string(isa.vector_bits);
  function.addFnAttr("target-cpu", isa.cpu);
  function.addFnAttr("tune-cpu", isa.tune);
  function.addFnAttr("prefer-vector-width", width);
  function.addFnAttr("min-legal-vector-width", width);
}

}  // namespace hone::codegen
