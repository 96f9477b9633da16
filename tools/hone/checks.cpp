#include "hone/checks.h"

#include <unistd.h>

#include <fstream>

#include "base/knobs.h"
#include "codegen/llvm/codegen.h"
#include "hone/onnxruntime.h"
#include "target/target.h"

namespace hone::tools {
namespace {

using namespace ir::loop;

std::string first_line(const char* file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

// y[i] = x[i] * x[i] + 1 for one vector.
Function square_plus_one(int lanes) {
  Expr x = load(0, ir::DType::F32, lanes, int_constant(0));
  Function function;
  function.name = "hone_doctor";
  function.buffers = {{"x", ir::DType::F32}, {"y", ir::DType::F32}};
  function.body = {store(1, int_constant(0), fma(x, x, float_constant(1, {ir::DType::F32, lanes})))};
  return function;
}

Result<std::string> compile_and_call() {
  constexpr int kLanes = 8;
  HONE_TRY(target::Target target, target::default_target());
  codegen::CompileOptions options;
  options.isa = target::name_of(target.isa);
  HONE_TRY(codegen::Compiled compiled, codegen::compile_to_object({square_plus_one(kLanes)}, options));
  HONE_TRY(auto module, codegen::JitModule::load({compiled.object}));
  hone_kernel_fn kernel = module->find("hone_doctor");
  if (kernel == nullptr) return error("the compiled function cannot be found");
  alignas(64) float x[kLanes], y[kLanes] = {};
  for (int k = 0; k < kLanes; ++k) x[k] = static_cast<float>(k);
  void* buffers[] = {x, y};
  kernel(buffers, nullptr, 0, 1, nullptr);
  for (int k = 0; k < kLanes; ++k)
    if (y[k] != static_cast<float>(k * k + 1))
      return error("a compiled function gives {} instead of {}", y[k], k * k + 1);
  return fmt::format("LLVM compiled a function for {} in {:.1f} ms", options.isa, compiled.seconds * 1e3);
}

Check check_of(const std::string& name, bool needed, const Result<std::string>& result) {
  return {name, result.ok(), needed, result.ok() ? *result : result.problem().message};
}

Result<std::string> perf_names() {
  if (access("/tmp", W_OK) != 0) return error("/tmp cannot be written, so perf cannot be told the names of kernels");
  std::string level = first_line("/proc/sys/kernel/perf_event_paranoid");
  bool on = knob(Knob::PerfMap) == "1";
  return fmt::format("{}; kernel.perf_event_paranoid is {}",
                     on ? "perf sees the names of kernels" : "HONE_PERF_MAP=1 gives perf the names of kernels",
                     level.empty() ? "unknown" : level);
}

Result<std::string> huge_pages() {
  std::string state = first_line("/sys/kernel/mm/transparent_hugepage/enabled");
  if (state.empty() || state.find("[never]") != std::string::npos)
    return error("off; large models run somewhat slower");
  return state;
}

}  // namespace

std::vector<Check> run_checks() {
  return {check_of("code generation", true, compile_and_call()), check_of("perf", false, perf_names()),
          check_of("huge pages", false, huge_pages()), check_of("onnxruntime", false, onnxruntime_version())};
}

}  // namespace hone::tools
