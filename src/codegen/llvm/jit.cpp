#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <cstdio>

#include "codegen/llvm/codegen.h"
#include "codegen/llvm/machine.h"

namespace hone::codegen {
namespace {

struct Symbol {
  std::string name;
  uint64_t size = 0;
};

Error problem_of(llvm::Error problem, const char* doing) {
  return error("{} failed: {}", doing, llvm::toString(std::move(problem)));
}

std::unique_ptr<llvm::MemoryBuffer> copy_of(std::span<const std::byte> bytes) {
  const llvm::StringRef view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return llvm::MemoryBuffer::getMemBufferCopy(view, "kernels.o");
}

Result<std::vector<Symbol>> functions_of(const llvm::MemoryBuffer& object) {
  auto file = llvm::object::ObjectFile::createObjectFile(object.getMemBufferRef());
  if (!file) return problem_of(file.takeError(), "reading generated code");
  std::vector<Symbol> symbols;
  for (const llvm::object::SymbolRef& s : (*file)->symbols()) {
    auto type = s.getType();
    auto name = s.getName();
    auto flags = s.getFlags();
    if (!type || !name || !flags) return error("generated code has a broken symbol table");
    const bool global = (*flags & llvm::object::SymbolRef::SF_Global) != 0;
    const bool defined = (*flags & llvm::object::SymbolRef::SF_Undefined) == 0;
    if (*type == llvm::object::SymbolRef::ST_Function && global && defined)
      symbols.push_back({name->str(), llvm::object::ELFSymbolRef(s).getSize()});
  }
  return symbols;
}

void append_perf_map(const std::vector<std::pair<Symbol, uint64_t>>& placed) {
  std::FILE* file = std::fopen(fmt::format("/tmp/perf-{}.map", getpid()).c_str(), "a");
  if (!file) return;  // a profile without names is still a profile
  for (const auto& [symbol, address] : placed) fmt::print(file, "{:x} {:x} {}\n", address, symbol.size, symbol.name);
  std::fclose(file);
}

}  // namespace

struct JitModule::Session {
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

JitModule::JitModule(std::unique_ptr<Session> session) : session_(std::move(session)) {}
JitModule::~JitModule() = default;

Result<std::shared_ptr<JitModule>> JitModule::load(const std::vector<std::span<const std::byte>>& objects,
                                                   const JitOptions& options) {
  HONE_TRY(const Isa any, isa_named("x86-64"));
  HONE_TRY(const auto machine, make_machine(any));  // also registers the target
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(llvm::orc::JITTargetMachineBuilder(machine->getTargetTriple()))
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .create();
  if (!jit) return problem_of(jit.takeError(), "setting up the in-memory linker");
  auto session = std::make_unique<Session>(Session{std::move(*jit)});
  llvm::orc::LLJIT& linker = *session->jit;

  std::vector<Symbol> symbols;
  for (const std::span<const std::byte> bytes : objects) {
    std::unique_ptr<llvm::MemoryBuffer> object = copy_of(bytes);
    HONE_TRY(const std::vector<Symbol> found, functions_of(*object));
    symbols.insert(symbols.end(), found.begin(), found.end());
    if (auto problem = linker.addObjectFile(std::move(object)))
      return problem_of(std::move(problem), "loading generated code");
  }
  std::shared_ptr<JitModule> module(new JitModule(std::move(session)));
  std::vector<std::pair<Symbol, uint64_t>> placed;
  for (const Symbol& symbol : symbols) {
    auto address = linker.lookup(symbol.name);
    if (!address) return problem_of(address.takeError(), "linking generated code");
    module->functions_[symbol.name] = address->toPtr<hone_kernel_fn>();
    placed.emplace_back(symbol, address->getValue());
  }
  if (options.perf_map) append_perf_map(placed);
  return module;
}

hone_kernel_fn JitModule::find(const std::string& name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second;
}

}  // namespace hone::codegen
