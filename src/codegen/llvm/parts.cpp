#include "base/parallel.h"
#include "codegen/llvm/codegen.h"

namespace hone::codegen {
namespace {

// Enough that setting LLVM up for a part stays a small share of it, and few enough that the last part keeps nobody waiting.
// The cut depends on the functions alone: the same model gives the same bytes on every machine.
constexpr size_t functions_of_a_part = 3;

}  // namespace

Result<std::vector<Compiled>> compile_in_parts(std::vector<ir::loop::Function> functions, const CompileOptions& options,
                                               int threads) {
  const size_t count = (functions.size() + functions_of_a_part - 1) / functions_of_a_part;
  return make_in_parallel<Compiled>(count, threads, [&](size_t part) {
    std::vector<ir::loop::Function> own;  // taken, so that the thread that compiled them also frees them
    for (size_t k = part * functions_of_a_part; k < functions.size() && own.size() < functions_of_a_part; ++k)
      own.push_back(std::move(functions[k]));
    return compile_to_object(own, options);
  });
}

}  // namespace hone::codegen
