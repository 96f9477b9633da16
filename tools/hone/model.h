// The model that a verb works on: an ONNX file, compiled here, or a library that `hone compile` wrote.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "pipeline/compile.h"

namespace hone::tools {

struct ModelOptions {
  std::string path;
  pipeline::Options compile;
};

// The model with all the names it goes by elsewhere, and the options of compiling.
void add_model_options(CLI::App& verb, ModelOptions& options);
void add_threads_option(CLI::App& verb, ModelOptions& options);

bool is_library(const std::string& path);  // by its name: *.so

struct LoadedModel {
  std::shared_ptr<runtime::Runner> runner;
  std::optional<pipeline::Report> report;  // of a model that was compiled here as one executable
  size_t code_bytes = 0;
  double seconds = 0;  // from the file to ready
};

Result<LoadedModel> load_model(const ModelOptions& options);

// Seconds of each phase: passes "canon.x" and "canon.y" count as "canon".
std::vector<pipeline::PassTime> phases_of(const pipeline::Report& report);
std::string phases_text(const pipeline::Report& report);

}  // namespace hone::tools
