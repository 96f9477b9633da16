// hone run: one call of a model, its outputs described and, if asked, written as .npy.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "hone/call.h"
#include "hone/inputs.h"
#include "hone/model.h"
#include "hone/npy.h"
#include "hone/print.h"
#include "hone/verb.h"

namespace hone::tools {
namespace {

struct RunOptions {
  ModelOptions model;
  InputOptions inputs;
  std::string output_folder;
};

struct Range {
  double min = NAN, max = NAN, mean = NAN;
  int64_t not_numbers = 0;
};

Range range_of(const eval::Tensor& tensor) {
  Range range;
  int64_t count = eval::count_of(tensor.shape), numbers = 0;
  double sum = 0;
  for (int64_t k = 0; k < count; ++k) {
    double value = eval::element(tensor, k);
    if (std::isnan(value)) {
      ++range.not_numbers;
      continue;
    }
    range.min = numbers == 0 ? value : std::min(range.min, value);
    range.max = numbers == 0 ? value : std::max(range.max, value);
    sum += value;
    ++numbers;
  }
  if (numbers > 0) range.mean = sum / static_cast<double>(numbers);
  return range;
}

// Names of a model may hold characters that file names may not.
std::string file_name_of(const std::string& name) {
  std::string result = name.empty() ? "output" : name;
  for (char& c : result)
    if (c == '/' || c == '\\' || c == ':' || c == '\0') c = '_';
  return result + ".npy";
}

Status write_outputs(const std::string& folder, const runtime::Executable& executable,
                     const std::vector<eval::Tensor>& outputs) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return error("folder '{}' cannot be made: {}", folder, failed.message());
  for (size_t k = 0; k < outputs.size(); ++k) {
    auto file = std::filesystem::path(folder) / file_name_of(executable.outputs[k].name);
    HONE_PASS(write_npy(file, outputs[k]));
    fmt::print("wrote {}\n", file.string());
  }
  return Done{};
}

Result<int> run(const RunOptions& options) {
  HONE_TRY(LoadedModel model, load_model(options.model));
  const runtime::Executable& executable = model.runner->face();
  HONE_TRY(Inputs inputs, make_inputs(executable, options.inputs));
  for (const std::string& note : inputs.notes) fmt::print("note: {}\n", note);
  HONE_TRY(Call call, Call::make(model.runner, inputs.tensors));
  HONE_PASS(call.run());
  std::vector<eval::Tensor> outputs = call.outputs();

  Table table({{"output"},
               {"type"},
               {"shape"},
               {"min", Align::Right},
               {"max", Align::Right},
               {"mean", Align::Right},
               {"NaNs", Align::Right}});
  for (size_t k = 0; k < outputs.size(); ++k) {
    Range range = range_of(outputs[k]);
    table.add({executable.outputs[k].name, executable.outputs[k].dtype, shape_text(outputs[k].shape),
               fmt::format("{:.6g}", range.min), fmt::format("{:.6g}", range.max), fmt::format("{:.6g}", range.mean),
               std::to_string(range.not_numbers)});
  }
  fmt::print("{}", table.text());
  if (!options.output_folder.empty()) HONE_PASS(write_outputs(options.output_folder, executable, outputs));
  return kSuccess;
}

}  // namespace

void add_run(CLI::App& app, Verb& chosen) {
  CLI::App* verb = app.add_subcommand("run", "Run a model once and describe its outputs");
  auto options = std::make_shared<RunOptions>();
  add_model_options(*verb, options->model);
  add_threads_option(*verb, options->model);
  add_input_options(*verb, options->inputs);
  verb->add_option("--output-dir", options->output_folder, "write every output there as NAME.npy");
  verb->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace hone::tools
