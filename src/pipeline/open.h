// From a model to something that runs, whatever the model needs for it.
#pragma once

#include "pipeline/compile.h"
#include "pipeline/model_source.h"

namespace hone::pipeline {

// A Session; or, where the values of some inputs decide what is computed, a runner that compiles once they are seen; or,
// where sizes of inputs broadcast, one that compiles again when some are 1; or, where sizes depend on data, a chain of
// sessions.
Result<std::shared_ptr<runtime::Runner>> open_file(const std::filesystem::path& model, const Options& options);
Result<std::shared_ptr<runtime::Runner>> open_bytes(std::span<const std::byte> model, const Options& options);
Result<std::shared_ptr<runtime::Runner>> open_program(ir::Program program, const Options& options);
// The program that import made of the source with what was given.
Result<std::shared_ptr<runtime::Runner>> open_decided(std::shared_ptr<const ModelSource> source,
                                                      const import::ImportOptions& given, import::Decided decided,
                                                      const Options& options);

// What the options fix of a model.
import::ImportOptions import_options(const Options& options);

}  // namespace hone::pipeline
