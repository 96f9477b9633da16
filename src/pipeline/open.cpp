#include "pipeline/open.h"

#include "pipeline/specialised.h"
#include "pipeline/staged.h"
#include "pipeline/stages.h"

namespace hone::pipeline {

import::ImportOptions import_options(const Options& options) {
  import::ImportOptions import;
  import.values = options.values;
  import.sizes = options.sizes;
  return import;
}

Result<std::shared_ptr<runtime::Runner>> open_program(ir::Program program, const Options& options) {
  HONE_PASS(ir::validate(program));
  if (depends_on_data(program)) return open_staged(program, options);
  HONE_TRY(CompiledModel compiled, compile_program(std::move(program), options));
  HONE_TRY(std::shared_ptr<runtime::Session> session, load(std::move(compiled), options));
  return std::shared_ptr<runtime::Runner>(std::move(session));
}

Result<std::shared_ptr<runtime::Runner>> open_file(const std::filesystem::path& model, const Options& options) {
  HONE_TRY(import::Imported imported, import::import_or_ask(model, import_options(options)));
  if (auto* program = std::get_if<ir::Program>(&imported)) return open_program(std::move(*program), options);
  HONE_TRY(ModelSource source, read_source(model));
  return specialise(std::move(source), options, std::get<import::Undecided>(imported));
}

Result<std::shared_ptr<runtime::Runner>> open_bytes(std::span<const std::byte> model, const Options& options) {
  HONE_TRY(import::Imported imported, import::import_or_ask(model, {}, import_options(options)));
  if (auto* program = std::get_if<ir::Program>(&imported)) return open_program(std::move(*program), options);
  ModelSource source{{model.begin(), model.end()}, {}};
  return specialise(std::move(source), options, std::get<import::Undecided>(imported));
}

}  // namespace hone::pipeline
