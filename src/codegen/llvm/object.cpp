#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <chrono>
#include <cstring>

#include "codegen/llvm/codegen.h"
#include "codegen/llvm/emit/emitter.h"
#include "codegen/llvm/passes.h"

namespace hone::codegen {
namespace {

using Clock = std::chrono::steady_clock;

Result<llvm::SmallVector<char, 0>> emit(llvm::Module& module, llvm::TargetMachine& machine,
                                        llvm::CodeGenFileType kind) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind, /*DisableVerify=*/true))
    return error("this LLVM cannot write objects for {}", machine.getTargetCPU().str());
  passes.run(module);
  return bytes;
}

void check_module(const llvm::Module& module) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  const bool broken = llvm::verifyModule(module, &stream);
  HONE_CHECK(!broken, "{}", stream.str());
}

std::string text_of(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

}  // namespace

Result<Compiled> compile_to_object(const std::vector<ir::loop::Function>& functions, const CompileOptions& options) {
  Clock::time_point start = Clock::now();
  HONE_TRY(const Isa isa, isa_named(options.isa));
  HONE_TRY(const std::unique_ptr<llvm::TargetMachine> machine, make_machine(isa));
  llvm::LLVMContext context;
  llvm::Module module(options.name, context);
  module.setTargetTriple(machine->getTargetTriple().str());
  module.setDataLayout(machine->createDataLayout());
  module.setPICLevel(llvm::PICLevel::BigPIC);
  for (const ir::loop::Function& function : functions) {
    HONE_PASS(ir::loop::validate(function));
    Emitter(module, function, isa).run();
  }
  check_module(module);
  run_passes(module, *machine);

  Compiled result;
  if (options.keep_assembly) {
    const Clock::time_point before = Clock::now();
    result.llvm_ir = text_of(module);
    const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
    HONE_TRY(const auto text, emit(*copy, *machine, llvm::CodeGenFileType::AssemblyFile));
    result.assembly.assign(text.begin(), text.end());
    start += Clock::now() - before;
  }
  HONE_TRY(const auto bytes, emit(module, *machine, llvm::CodeGenFileType::ObjectFile));
  result.object.resize(bytes.size());
  std::memcpy(result.object.data(), bytes.data(), bytes.size());
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace hone::codegen
