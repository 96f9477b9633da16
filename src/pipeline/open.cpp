#include "pipeline/open.h"

#include <cstdint>
#include <filesystem>

#include "import/import.h"
#include "pipeline/specialised.h"
#include "pipeline/staged.h"
#include "pipeline/stages.h"

namespace hone::pipeline {
namespace {

import::ImportOptions given_values(const Options& options) {
  import::ImportOptions import;
  import.values = options.values;
  return import;
}

}  // namespace

Result<std::shared_ptr<runtime::Runner>> open_program(ir::Program program, const Options& options) {
  HONE_PASS(ir::validate(program));
  if (depends_on_data(program)) return open_staged(program, options);
  HONE_TRY(CompiledModel compiled, compile_program(std::move(program), options));
  HONE_TRY(std::shared_ptr<runtime::Session> session, load(std::move(compiled), options));
  return std::shared_ptr<runtime::Runner>(std::move(session));
}

Result<std::shared_ptr<runtime::Runner>> open_file(const std::filesystem::path& model, const Options& options) {
  auto program = import::import_model(model, given_values(options));
  if (program) return open_program(std::move(*program), options);
  std::error_code failed;
  auto bytes = std::filesystem::file_size(model, failed);  // fails for what is no regular file
  if (failed || bytes > INT32_MAX) return program.problem();
  return specialise(read_source(model), options, program.problem());
}

Result<std::shared_ptr<runtime::Runner>> open_bytes(std::span<const std::byte> model, const Options& options) {
  auto program = import::import_model(model, {}, given_values(options));
  if (program) return open_program(std::move(*program), options);
  return specialise(ModelSource{{model.begin(), model.end()}, {}}, options, program.problem());
}

}  // namespace hone::pipeline
