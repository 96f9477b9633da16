#include "base/parallel.h"
#include "codegen/llvm/codegen.h"

namespace hone::codegen {
namespace {

// Enough that setting LLVM up for a part stays a small share of it, and few enough that the last part keeps nobody waiting.
// The cut depends on the functions alone: the same model gives the same bytes on every machine.
constexpr size_t functions_of_a_part = 3;

}  // namespace

Result<std::vector<Compiled>> compile_in_parts(const std::vector<ir::loop::Function>& functions,
                                               const CompileOptions& options, int threads) {
  const size_t count = (functions.size() + functions_of_a_part - 1) / functions_of_a_part;
  return make_in_parallel<Compiled>(count, threads, [&](size_t part) {
    const size_t begin = part * functions_of_a_part;
    const size_t end = std::min(begin + functions_of_a_part, functions.size());
    return compile_to_object(
        {functions.begin() + static_cast<std::ptrdiff_t>(begin), functions.begin() + static_cast<std::ptrdiff_t>(end)},
        options);
  });
}

}  // namespace hone::codegen
