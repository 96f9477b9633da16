#include "runtime/artefact.h"

#include <dlfcn.h>

#include <cstring>
#include <filesystem>

#include "runtime/elf_file.h"
#include "runtime/host.h"
#include "runtime/seal.h"

namespace hone::runtime {

namespace {

Result<Executable> read_executable(const ElfFile& file, const std::string& path) {
  Result<ElfFile::Symbol> size_symbol = file.find("hone_executable_size");
  Result<ElfFile::Symbol> symbol = file.find("hone_executable");
  if (!size_symbol.ok() || !symbol.ok())
    return error("'{}' is a shared library, but no model compiled by Hone: it does not export 'hone_executable'", path);
  uint64_t size = 0;
  if (size_symbol->content.size() < sizeof(size)) return error("'{}' is damaged: it states no size", path);
  std::memcpy(&size, size_symbol->content.data(), sizeof(size));
  if (size > symbol->content.size()) return error("'{}' is damaged: it states a wrong size", path);
  auto from_file = [&](const Error& problem) { return error("'{}': {}", path, problem.message); };
  // Before the seal: a file of another version is sealed otherwise, or not at all.
  if (Status format = check_format(symbol->content.data(), size); !format.ok()) return from_file(format.problem());
  if (!is_sealed(file.content()))
    return error("'{}' was changed or cut off since it was compiled; compile it again", path);
  Result<Executable> executable = deserialize(symbol->content.data(), size);
  if (!executable.ok()) return from_file(executable.problem());
  return executable;
}

Status check_weights(const ElfFile& file, const Executable& executable, const std::string& path) {
  if (executable.weight_bytes == 0) return Done{};
  HONE_TRY(ElfFile::Symbol weights, file.find("hone_weights"));
  if (weights.size < executable.weight_bytes)
    return error("'{}' is damaged: it holds {} bytes of weights instead of {}", path, weights.size,
                 executable.weight_bytes);
  return Done{};
}

Result<std::shared_ptr<void>> load(const std::string& path) {
  // A bare file name would be looked for in the system's folders.
  std::string absolute = std::filesystem::absolute(path).string();
  void* handle = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return error("cannot load '{}': {}", path, dlerror());
  return std::shared_ptr<void>(handle, [](void* h) { dlclose(h); });
}

}  // namespace

Result<Executable> read_artefact(const std::string& path) {
  HONE_TRY(ElfFile file, ElfFile::open(path));
  return read_executable(file, path);
}

Result<std::shared_ptr<Session>> load_artefact(const std::string& path, int threads) {
  HONE_TRY(ElfFile file, ElfFile::open(path));
  HONE_TRY(Executable executable, read_executable(file, path));
  HONE_PASS(check_host(executable));
  HONE_PASS(check_weights(file, executable, path));
  HONE_TRY(std::shared_ptr<void> library, load(path));
  Code code{{}, library};
  for (const std::string& name : executable.functions) {
    void* function = dlsym(library.get(), name.c_str());
    if (function == nullptr) return error("'{}' is damaged: it lacks the function '{}'", path, name);
    code.functions.push_back(reinterpret_cast<hone_kernel_fn>(function));
  }
  Weights weights{nullptr, executable.weight_bytes, library};
  if (executable.weight_bytes > 0) weights.data = static_cast<const std::byte*>(dlsym(library.get(), "hone_weights"));
  return Session::create(std::move(executable), std::move(code), std::move(weights), threads);
}

}  // namespace hone::runtime
