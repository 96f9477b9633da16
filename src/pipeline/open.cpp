#include "pipeline/open.h"

#include <fstream>

#include "import/import.h"
#include "pipeline/specialised.h"

namespace hone::pipeline {
namespace {

Result<std::shared_ptr<runtime::Runner>> start(CompiledModel compiled, const Options& options) {
  HONE_TRY(std::shared_ptr<runtime::Session> session, load(std::move(compiled), options));
  return std::shared_ptr<runtime::Runner>(std::move(session));
}

}  // namespace

Result<std::shared_ptr<runtime::Runner>> open_file(const std::filesystem::path& model, const Options& options) {
  auto compiled = compile_file(model, options);
  if (compiled) return start(std::move(*compiled), options);
  return specialise(read_source(model), options, compiled.problem());
}

Result<std::shared_ptr<runtime::Runner>> open_bytes(std::span<const std::byte> model, const Options& options) {
  auto compiled = compile_bytes(model, options);
  if (compiled) return start(std::move(*compiled), options);
  return specialise(ModelSource{{model.begin(), model.end()}, {}}, options, compiled.problem());
}

}  // namespace hone::pipeline
