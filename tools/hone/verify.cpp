// hone verify: the same inputs through Hone and through a judge; the largest differences, and yes or no.
#include "eval/interpreter.h"
#include "hone/call.h"
#include "hone/compare.h"
#include "hone/departure.h"
#include "hone/inputs.h"
#include "hone/model.h"
#include "hone/onnxruntime.h"
#include "hone/print.h"
#include "hone/process.h"
#include "hone/verb.h"
#include "import/import.h"

namespace hone::tools {
namespace {

struct VerifyOptions {
  ModelOptions model;
  InputOptions inputs;
  std::string library;  // what to judge instead of compiling the model
  std::string against = "onnxruntime";
  Tolerance tolerance;
  bool per_layer = false;
};

Result<Reference> run_judge(const std::string& model, const std::vector<eval::Tensor>& inputs) {
  HONE_TRY(ir::Program program, import::import_model(std::filesystem::path(model)));
  HONE_TRY(std::vector<eval::Tensor> outputs, eval::evaluate(program, inputs));
  return Reference{"Hone's reference interpreter", std::move(outputs)};
}

Result<LoadedModel> load_subject(const VerifyOptions& options) {
  ModelOptions subject = options.model;
  if (!options.library.empty()) subject.path = options.library;
  return load_model(subject);
}

std::vector<std::string> row_of(const std::string& name, const eval::Tensor& got, const eval::Tensor& wanted,
                                const Difference& d) {
  bool same = d.absolute == 0;
  return {name,
          shape_text(got.shape),
          fmt::format("{:.3g}", d.absolute),
          same ? "-" : place_text(got.shape, d.absolute_at),
          same ? "-" : fmt::format("{:.7g}", eval::element(got, d.absolute_at)),
          same ? "-" : fmt::format("{:.7g}", eval::element(wanted, d.absolute_at)),
          fmt::format("{:.3g}", d.relative),
          d.relative == 0 ? "-" : place_text(got.shape, d.relative_at),
          d.outside == 0 ? "ok" : fmt::format("{} of {} differ", d.outside, d.elements)};
}

Result<int> judge(const runtime::Executable& executable, const std::vector<eval::Tensor>& outputs,
                  const Reference& reference, const Tolerance& tolerance) {
  if (outputs.size() != reference.outputs.size())
    return error("Hone has {} outputs, {} has {}", outputs.size(), reference.name, reference.outputs.size());
  Table table({{"output"},
               {"shape"},
               {"abs. error", Align::Right},
               {"at"},
               {"hone", Align::Right},
               {"reference", Align::Right},
               {"rel. error", Align::Right},
               {"at"},
               {"verdict"}});
  bool agree = true;
  for (size_t k = 0; k < outputs.size(); ++k) {
    const std::string& name = executable.outputs[k].name;
    auto difference = compare(outputs[k], reference.outputs[k], tolerance);
    if (!difference) return error("output '{}': {}", name, difference.problem().message);
    table.add(row_of(name, outputs[k], reference.outputs[k], *difference));
    agree = agree && difference->outside == 0;
  }
  fmt::print("{}{}: {} {} (tolerance {:g} + {:g} * |reference|)\n", table.text(), agree ? "PASS" : "FAIL",
             agree ? "agrees with" : "differs from", reference.name, tolerance.absolute, tolerance.relative);
  return agree ? kSuccess : kFailure;
}

// Every tensor as an output first: that shows each operator alone. Where all agree, fusion may be at fault, and the model
// is cut ever shorter.
Result<int> judge_layers(const VerifyOptions& options, const runtime::Executable& executable,
                         const std::vector<eval::Tensor>& inputs) {
  Departure::Values values;
  for (size_t k = 0; k < inputs.size(); ++k) values[executable.inputs[k].name] = inputs[k];
  Departure departure(options.model, values, options.tolerance);
  HONE_TRY(TemporaryFolder folder, TemporaryFolder::make());
  HONE_TRY(std::vector<Layer> layers, layers_of(options.model.path));
  auto told = [](const Layer& layer) {
    return fmt::format("'{}' of {} node '{}'", layer.tensor, layer.op_type, layer.node);
  };
  std::vector<std::string> tensors;
  for (const Layer& layer : layers) tensors.push_back(layer.tensor);
  HONE_PASS(write_with_outputs(options.model.path, tensors, folder.path() / "layers.onnx"));
  HONE_TRY(std::vector<Departure::Verdict> verdicts, departure.outputs_of(folder.path() / "layers.onnx"));
  for (size_t k = 0; k < verdicts.size(); ++k)
    if (verdicts[k].departs) {
      fmt::print("FAIL: the first tensor that departs is {}: {}\n", told(layers[k]), verdicts[k].detail);
      return kFailure;
    }
  HONE_TRY(std::optional<size_t> fused, departure.first_layer(layers, folder.path()));
  if (fused) {
    fmt::print("FAIL: alone every operator agrees; fused, the model departs from {} on\n", told(layers[*fused]));
    return kFailure;
  }
  fmt::print("PASS: all {} tensors agree with onnxruntime\n", layers.size());
  return kSuccess;
}

Result<int> run(const VerifyOptions& options) {
  if (is_library(options.model.path))
    return error("verify needs the ONNX file; `hone verify model.onnx --library {}` would work", options.model.path);
  HONE_TRY(LoadedModel subject, load_subject(options));
  const runtime::Executable& executable = subject.runner->face();
  HONE_TRY(Inputs inputs, make_inputs(executable, options.inputs));
  for (const std::string& note : inputs.notes) fmt::print("note: {}\n", note);
  HONE_TRY(Call call, Call::make(subject.runner, inputs.tensors));
  HONE_PASS(call.run());
  if (options.per_layer) return judge_layers(options, executable, inputs.tensors);
  HONE_TRY(Reference reference, options.against == "judge" ? run_judge(options.model.path, inputs.tensors)
                                                           : run_onnxruntime(options.model.path, inputs.tensors));
  return judge(executable, call.outputs(), reference, options.tolerance);
}

}  // namespace

void add_verify(CLI::App& app, Verb& chosen) {
  CLI::App* verb =
      app.add_subcommand("verify", "Compare a model's outputs with onnxruntime's; exit code 0 if they agree");
  auto options = std::make_shared<VerifyOptions>();
  add_model_options(*verb, options->model);
  add_threads_option(*verb, options->model);
  add_input_options(*verb, options->inputs);
  CLI::Option* library =
      verb->add_option("--library", options->library, "judge this compiled library instead of compiling the model");
  CLI::Option* against =
      verb->add_option("--against", options->against, "onnxruntime, or judge: Hone's slow and plain interpreter")
          ->check(CLI::IsMember({"onnxruntime", "judge"}))
          ->capture_default_str();
  verb->add_flag("--per-layer", options->per_layer, "find the first tensor that departs from onnxruntime")
      ->excludes(library)
      ->excludes(against);
  add_tolerance_options(*verb, options->tolerance);
  verb->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace hone::tools
