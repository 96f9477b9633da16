// Loop IR to machine code, in memory. Nothing here decides: vector shape, unrolling and order stay as lower wrote them.
// LLVM stays behind this header.
//
// Numbers: no fast-math; an Fma of Loop IR is one rounding where the instruction set has it. On "x86-64" it is a
// multiplication and an addition (the numerics contract allows either). Arithmetic of f16 and bf16 is done in f32 and
// rounded back.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abi/kernel.h"
#include "base/result.h"
#include "ir/loop/loop.h"

namespace hone::codegen {

struct CompileOptions {
  std::string isa = "avx2";    // "avx512" (x86-64-v4), "avx2" (x86-64-v3) or "x86-64"
  bool keep_assembly = false;  // fill llvm_ir and assembly, which takes as long again as compiling
  std::string name = "hone";   // of the module, for messages
};

struct Compiled {
  std::vector<std::byte> object;  // relocatable ELF: fit for JitModule::load and link_shared_object
  std::string llvm_ir;            // after our passes
  std::string assembly;           // AT&T syntax
  double seconds = 0;
};

// Each function becomes a symbol of its name with the type hone_kernel_fn. May be called from any thread.
Result<Compiled> compile_to_object(const std::vector<ir::loop::Function>& functions, const CompileOptions& options);

struct JitOptions {
  bool perf_map = false;  // append addresses, sizes and names to /tmp/perf-PID.map, where perf looks for them
};

// Machine code in memory, callable as long as the module lives.
class JitModule {
 public:
  static Result<std::shared_ptr<JitModule>> load(const std::vector<std::span<const std::byte>>& objects,
                                                 const JitOptions& options = {});
  ~JitModule();
  hone_kernel_fn find(const std::string& name) const;  // null if there is no such function

 private:
  struct Session;
  explicit JitModule(std::unique_ptr<Session> session);
  std::unique_ptr<Session> session_;
  std::map<std::string, hone_kernel_fn> functions_;
};

// Bytes that a shared object carries under a symbol, with their count as a uint64_t under `<symbol>_size`. Read-only,
// in a section of their own.
struct DataBlob {
  std::string symbol{};
  std::span<const std::byte> bytes{};
  size_t alignment = 64;  // a power of two; with 4096 the bytes are mapped by themselves and written to disk once
};

struct SharedObject {
  std::vector<std::span<const std::byte>> objects{};
  std::vector<DataBlob> blobs{};
  std::vector<std::string> exports{};  // functions to export; symbols of blobs always are
  std::string soname{};
};

// Writes a shared object with LLD, in this process. Page-aligned blobs are not copied in memory. One link at a time; others
// wait.
Status link_shared_object(const SharedObject& parts, const std::string& path);

}  // namespace hone::codegen
