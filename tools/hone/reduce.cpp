// hone reduce: a model that departs from onnxruntime or is refused, made small. Nodes behind the fault are cut off, then
// nodes before it become inputs, with the values that onnxruntime computes where the model departs.
#include <algorithm>
#include <filesystem>

#include "hone/departure.h"
#include "hone/inputs.h"
#include "hone/npy.h"
#include "hone/process.h"
#include "hone/refusal.h"
#include "hone/verb.h"

namespace hone::tools {
namespace {

struct ReduceOptions {
  ModelOptions model;
  InputOptions inputs;
  std::string output = "reduced.onnx";
  Tolerance tolerance;
};

struct Small {
  std::filesystem::path model;
  Departure::Values inputs;
  size_t nodes = 0;
};

Result<Departure> on_inputs(const ReduceOptions& options) {
  HONE_TRY(LoadedModel loaded, load_model(options.model));
  HONE_TRY(Inputs inputs, make_inputs(loaded.runner->face(), options.inputs));
  Departure::Values values;
  for (size_t k = 0; k < inputs.tensors.size(); ++k)
    values[loaded.runner->face().inputs[k].name] = std::move(inputs.tensors[k]);
  return Departure(options.model, std::move(values), options.tolerance);
}

// The last `count` nodes of a model of `nodes`, on what onnxruntime computes before them; nothing if they agree.
Result<std::optional<Small>> tail(const ReduceOptions& options, const Departure& whole, const Small& from, size_t count,
                                  const std::filesystem::path& folder) {
  size_t first = from.nodes - count;
  HONE_TRY(std::vector<std::string> names, frontier(from.model, first));
  Small small{folder / fmt::format("tail{}.onnx", count), whole.inputs(), count};
  std::vector<eval::Tensor> values;
  if (!names.empty()) {
    HONE_PASS(write_with_outputs(from.model, names, folder / "front.onnx"));
    HONE_TRY(values, whole.reference_of(folder / "front.onnx"));
  }
  for (size_t k = 0; k < names.size(); ++k) small.inputs[names[k]] = values[k];
  HONE_PASS(write_from_node(from.model, first, names, values, small.model));
  HONE_TRY(bool departs, Departure(options.model, small.inputs, options.tolerance).departs(small.model));
  return departs ? std::optional(small) : std::nullopt;
}

Result<Small> without_front(const ReduceOptions& options, const Departure& whole, const Small& from,
                            const std::filesystem::path& folder) {
  for (size_t count = 1; count < from.nodes; count += std::max<size_t>(1, count / 2)) {
    auto found = tail(options, whole, from, count, folder);
    // A tail that cannot be compiled by itself is just not smaller.
    if (found && *found) return **found;
  }
  return from;
}

Status write_model(const std::filesystem::path& model, const std::string& output) {
  std::error_code failed;
  std::filesystem::copy_file(model, output, std::filesystem::copy_options::overwrite_existing, failed);
  if (failed) return error("'{}' cannot be written: {}", output, failed.message());
  return Done{};
}

std::string wrote(const std::string& output, size_t nodes) {
  return fmt::format("wrote {} with {} node{}", output, nodes, nodes == 1 ? "" : "s");
}

Status write_small(const Small& small, const std::string& output) {
  HONE_TRY(std::vector<std::string> names, inputs_of(small.model));
  HONE_TRY(size_t nodes, node_count(small.model));
  HONE_PASS(write_model(small.model, output));
  std::string command = fmt::format("hone verify {}", output);
  for (size_t k = 0; k < names.size(); ++k) {
    std::string file = fmt::format("{}.in{}.npy", std::filesystem::path(output).replace_extension().string(), k);
    HONE_PASS(write_npy(file, small.inputs.at(names[k])));
    command += fmt::format(" --input '{}={}'", names[k], file);
  }
  fmt::print("{}; to see it depart:\n{}\n", wrote(output, nodes), command);
  return Done{};
}

// The node that is refused comes last in the cut; ever more nodes before it are kept until the reason is the same.
Result<int> reduce_refused(const ReduceOptions& options, const Refusal& refusal) {
  HONE_TRY(TemporaryFolder folder, TemporaryFolder::make());
  HONE_TRY(Layer layer, refusal.first_layer(options.model.path, folder.path()));
  std::filesystem::path cut = folder.path() / "cut.onnx", small = cut, part = folder.path() / "tail.onnx";
  HONE_PASS(write_with_outputs(options.model.path, {layer.tensor}, cut));
  HONE_TRY(size_t nodes, node_count(cut));
  for (size_t count = 1; count < nodes && small == cut; count += std::max<size_t>(1, count / 2))
    // What onnx cannot tell the types of is just not smaller.
    if (write_from_node(cut, nodes - count, part).ok() && refusal.holds_for(part)) small = part;
  HONE_TRY(nodes, node_count(small));
  HONE_PASS(write_model(small, options.output));
  fmt::print("{}; it is refused too:\n{}\n", wrote(options.output, nodes), refusal.reason());
  return kSuccess;
}

Result<int> run(const ReduceOptions& options) {
  if (is_library(options.model.path))
    return error("reduce needs the ONNX file that '{}' was made of", options.model.path);
  auto loaded = on_inputs(options);
  if (!loaded) {
    auto refusal = Refusal::of(options.model.path);
    return refusal ? reduce_refused(options, *refusal) : loaded.problem();
  }
  const Departure& whole = *loaded;
  HONE_TRY(bool departs, whole.departs(options.model.path));
  if (!departs) {
    fmt::print("the model agrees with onnxruntime on these inputs: there is nothing to reduce\n");
    return kFailure;
  }
  HONE_TRY(TemporaryFolder folder, TemporaryFolder::make());
  HONE_TRY(std::vector<Layer> layers, layers_of(options.model.path));
  HONE_TRY(std::optional<size_t> first, whole.first_layer(layers, folder.path()));
  Small small{options.model.path, whole.inputs(), 0};
  if (first) {
    small.model = folder.path() / "front_cut.onnx";
    HONE_PASS(write_with_outputs(options.model.path, {layers[*first].tensor}, small.model));
  }
  HONE_TRY(small.nodes, node_count(small.model));
  HONE_TRY(small, without_front(options, whole, small, folder.path()));
  HONE_PASS(write_small(small, options.output));
  return kSuccess;
}

}  // namespace

void add_reduce(CLI::App& app, Verb& chosen) {
  CLI::App* verb =
      app.add_subcommand("reduce", "Shrink a model that departs from onnxruntime, or is refused, to a small one");
  auto options = std::make_shared<ReduceOptions>();
  add_model_options(*verb, options->model);
  add_threads_option(*verb, options->model);
  add_input_options(*verb, options->inputs);
  verb->add_option("-o,--output", options->output, "the small model to write; its inputs become .npy files beside it")
      ->capture_default_str();
  add_tolerance_options(*verb, options->tolerance);
  verb->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace hone::tools
