// hone compile: a model as a shared library that runs without the compiler.
#include <filesystem>

#include "hone/model.h"
#include "hone/print.h"
#include "hone/verb.h"

namespace hone::tools {
namespace {

struct CompileOptions {
  ModelOptions model;
  std::string output;
};

double file_bytes(const std::filesystem::path& file) {
  std::error_code failed;
  auto bytes = std::filesystem::file_size(file, failed);
  return failed ? 0 : static_cast<double>(bytes);
}

Result<int> run(const CompileOptions& options) {
  if (is_library(options.model.path))
    return error("'{}' is compiled already; an ONNX file would work", options.model.path);
  std::filesystem::path library = options.output;
  if (library.empty()) library = std::filesystem::path(options.model.path).replace_extension(".so");
  if (library.extension() != ".so")
    return error("the library '{}' must be called *.so, or it cannot be told from a model", library.string());
  HONE_TRY(pipeline::CompiledModel model, pipeline::compile_file(options.model.path, options.model.compile));
  HONE_PASS(pipeline::write_artefact(model, library));

  const runtime::Executable& executable = model.executable;
  print_fact("model", fmt::format("{} ({} operators)", options.model.path, model.report.operators));
  print_fact("isa", executable.isa);
  for (const runtime::PortSpec& port : executable.inputs) print_fact("input", port_text(port));
  for (const runtime::PortSpec& port : executable.outputs) print_fact("output", port_text(port));
  print_fact("kernels", fmt::format("{}, {} steps", executable.functions.size(), executable.steps.size()));
  print_fact("compile", fmt::format("{} ({})", seconds_text(model.report.seconds), phases_text(model.report)));
  print_fact("code", bytes_text(static_cast<double>(model.code_bytes())));
  print_fact("weights", bytes_text(static_cast<double>(executable.weight_bytes)));
  print_fact("library", fmt::format("{} ({})", library.string(), bytes_text(file_bytes(library))));
  print_fact("header", std::filesystem::path(library).replace_extension(".h").string());
  return kSuccess;
}

}  // namespace

void add_compile(CLI::App& app, Verb& chosen) {
  CLI::App* verb = app.add_subcommand("compile", "Compile a model to a shared library and a C header");
  auto options = std::make_shared<CompileOptions>();
  add_model_options(*verb, options->model);
  verb->add_option("-o,--output,--saveEngine", options->output,
                   "the library to write; default: the model's name with .so");
  verb->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace hone::tools
