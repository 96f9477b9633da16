#include "hone/model.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "hone/print.h"
#include "pipeline/open.h"
#include "runtime/artefact.h"

namespace hone::tools {
namespace {

// From the start of a file to what can run.
Result<LoadedModel> load_library(const ModelOptions& options) {
  LoadedModel model;
  HONE_TRY(model.runner, runtime::load_artefact(options.path, options.compile.threads));
  return model;
}

Result<LoadedModel> compile_and_load(const ModelOptions& options) {
  LoadedModel model;
  auto compiled = pipeline::compile_file(options.path, options.compile);
  if (!compiled) {
    // Not one executable; perhaps several, or one per value of some inputs.
    HONE_TRY(model.runner, pipeline::open_file(options.path, options.compile));
    return model;
  }
  model.report = std::move(compiled->report);
  model.code_bytes = compiled->code_bytes();
  HONE_TRY(model.runner, pipeline::load(std::move(*compiled), options.compile));
  return model;
}

Status check_file(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return error("there is no file '{}'", path);
  if (std::filesystem::is_directory(path, failed))
    return error("'{}' is a folder; a .onnx or .so file would work", path);
  return Done{};
}

// NAME=SIZE, each name once.
std::map<std::string, int64_t> parse_sizes(const std::vector<std::string>& texts) {
  std::map<std::string, int64_t> sizes;
  for (const std::string& text : texts) {
    size_t split = std::min(text.rfind('='), text.size());
    int64_t size = 0;
    const char *begin = text.data() + std::min(split + 1, text.size()), *end = text.data() + text.size();
    auto [stop, failed] = std::from_chars(begin, end, size);
    if (split == 0 || failed != std::errc() || stop != end || size < 0)
      throw CLI::ValidationError("--size", fmt::format("'{}' is no size; NAME=NUMBER would work", text));
    if (!sizes.emplace(text.substr(0, split), size).second)
      throw CLI::ValidationError("--size", fmt::format("'{}' is given twice", text.substr(0, split)));
  }
  return sizes;
}

}  // namespace

void add_model_options(CLI::App& verb, ModelOptions& options) {
  verb.add_option("model,-m,--model,--onnx,--loadEngine", options.path,
                  "an ONNX file, or a library made by `hone compile`")
      ->required();
  verb.add_option("--isa", options.compile.isa, "highest instruction set to use: avx512, avx2 or x86-64");
  auto fix_sizes = [&options](const std::vector<std::string>& texts) { options.compile.sizes = parse_sizes(texts); };
  verb.add_option_function<std::vector<std::string>>(
          "--size", fix_sizes, "NAME=NUMBER: an open dimension by its name, and the size that it shall always have")
      ->allow_extra_args(false);
  verb.add_option("--skip", options.compile.skip, "a pass to leave out, by its name; may be given several times")
      ->allow_extra_args(false);
  verb.add_option("--dump", options.compile.dump, "folder that gets the program's text after every pass");
}

void add_threads_option(CLI::App& verb, ModelOptions& options) {
  verb.add_option("--threads,--nthreads", options.compile.threads, "default: every core that this process may use")
      ->check(CLI::Range(1, 1024));
}

bool is_library(const std::string& path) {
  return std::filesystem::path(path).extension() == ".so";
}

Result<LoadedModel> load_model(const ModelOptions& options) {
  HONE_PASS(check_file(options.path));
  auto begin = std::chrono::steady_clock::now();
  HONE_TRY(LoadedModel model, is_library(options.path) ? load_library(options) : compile_and_load(options));
  model.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return model;
}

std::vector<pipeline::PassTime> phases_of(const pipeline::Report& report) {
  std::vector<pipeline::PassTime> phases;
  for (const pipeline::PassTime& pass : report.passes) {
    std::string phase = pass.name.substr(0, pass.name.find('.'));
    if (phases.empty() || phases.back().name != phase) phases.push_back({phase, 0});
    phases.back().seconds += pass.seconds;
  }
  return phases;
}

std::string phases_text(const pipeline::Report& report) {
  std::vector<std::string> texts;
  for (const pipeline::PassTime& phase : phases_of(report))
    texts.push_back(fmt::format("{} {:.1f} ms", phase.name, phase.seconds * 1e3));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace hone::tools
