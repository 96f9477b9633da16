#include "pipeline/open.h"

#include "pipeline/broadcasting.h"
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

Result<std::shared_ptr<runtime::Runner>> open_decided(std::shared_ptr<const ModelSource> source,
                                                      const import::ImportOptions& given, import::Decided decided,
                                                      const Options& options) {
  if (decided.broadcast.empty()) return open_program(std::move(decided.program), options);
  return open_broadcasting(std::move(source), given, std::move(decided), options);
}

Result<std::shared_ptr<runtime::Runner>> open_file(const std::filesystem::path& model, const Options& options) {
  std::shared_ptr<const ModelSource> file = source_in_file(model);
  import::ImportOptions given = import_options(options);
  HONE_TRY(import::Imported imported, import::import_or_ask(model, given));
  if (auto* decided = std::get_if<import::Decided>(&imported))
    return open_decided(std::move(file), given, std::move(*decided), options);
  HONE_TRY(std::shared_ptr<const ModelSource> source, source_in_memory(model));
  return specialise(std::move(source), options, std::get<import::Undecided>(imported));
}

Result<std::shared_ptr<runtime::Runner>> open_bytes(std::span<const std::byte> model, const Options& options) {
  import::ImportOptions given = import_options(options);
  HONE_TRY(import::Imported imported, import::import_or_ask(model, {}, given));
  auto* decided = std::get_if<import::Decided>(&imported);
  if (decided && decided->broadcast.empty()) return open_program(std::move(decided->program), options);
  std::shared_ptr<const ModelSource> source = source_in_memory(model);
  if (decided) return open_decided(std::move(source), given, std::move(*decided), options);
  return specialise(std::move(source), options, std::get<import::Undecided>(imported));
}

}  // namespace hone::pipeline
