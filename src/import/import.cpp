#include "import/import.h"

#include "import/graph_internal.h"
#include "import/node_internal.h"

namespace hone::import {
namespace {

constexpr size_t kMostBytes = INT32_MAX;  // of one protobuf message
constexpr int64_t kMostNodes = 1'000'000;
constexpr int kDeepestGraph = 64;

Result<int64_t> count_nodes(const onnx::GraphProto& graph, int depth) {
  if (depth > kDeepestGraph) return error("the model's graphs are nested more than {} deep", kDeepestGraph);
  int64_t count = graph.node_size();
  for (const onnx::NodeProto& node : graph.node())
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      HONE_TRY(int64_t inner, count_nodes(attribute.g(), depth + 1));
      count += inner;
    }
  if (count > kMostNodes) return error("the model has more than {} nodes", kMostNodes);
  return count;
}

Result<int> opset_of(const onnx::ModelProto& model) {
  for (const onnx::OperatorSetIdProto& set : model.opset_import()) {
    if (!set.domain().empty() && set.domain() != "ai.onnx") continue;
    if (set.version() < kOldestOpset || set.version() > kNewestOpset)
      return error("the model is of opset {}; opsets {} to {} would work", set.version(), kOldestOpset, kNewestOpset);
    return static_cast<int>(set.version());
  }
  // Files of the first two versions of the format have no list of opsets; they are of the first one.
  if (model.opset_import().empty() && model.ir_version() < 3) return kOldestOpset;
  // Which one is of no matter to a model of other domains alone.
  for (const onnx::NodeProto& node : model.graph().node())
    if (node.domain().empty() || node.domain() == "ai.onnx") return error("the model names no opset of ONNX itself");
  return kNewestOpset;
}

Result<std::unique_ptr<Importer>> importer_of(std::span<const std::byte> bytes, const std::filesystem::path& folder,
                                              const ImportOptions& options) {
  if (bytes.size() > kMostBytes)
    return error("the model has {} bytes; below 2 GiB with external data would work", bytes.size());
  auto model = std::make_shared<onnx::ModelProto>();
  if (!model->ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return error("the bytes are not an ONNX model, or only a part of one");
  if (!model->has_graph()) return error("the file holds no ONNX graph");
  HONE_TRY(int opset, opset_of(*model));
  HONE_PASS(count_nodes(model->graph(), 0));
  return std::make_unique<Importer>(std::move(model), opset, folder, options);
}

}  // namespace

Importer::Importer(std::shared_ptr<const onnx::ModelProto> model, int opset, std::filesystem::path folder,
                   ImportOptions options)
    : model_(std::move(model)),
      sources_(std::make_shared<Sources>(Sources{model_, {}})),
      opset_(opset),
      files_(std::move(folder)),
      options_(std::move(options)) {}

Result<ir::Program> Importer::run() {
  frame_.program.name = model_->graph().name();
  Scope scope{&frame_, nullptr, {}};
  Open open(*this, scope);
  import_constants(scope, model_->graph());
  HONE_PASS(add_inputs(scope));
  for (const onnx::NodeProto& node : model_->graph().node()) import_node(scope, node, 0);
  HONE_PASS(add_outputs(scope));
  if (refusals_.any()) return refusals_.summary(opset_);
  return std::move(frame_.program);
}

Result<Undecided> Importer::run_undecided() {
  auto program = run();
  Undecided undecided;
  if (program) return undecided;
  if (!refusals_.any() || !refusals_.all_undecided()) return program.problem();
  HONE_TRY(undecided.face, face());
  undecided.inputs.assign(deciding_.begin(), deciding_.end());
  return undecided;
}

Result<ir::Program> import_model(std::span<const std::byte> bytes, const std::filesystem::path& model_folder,
                                 const ImportOptions& options) {
  HONE_TRY(std::unique_ptr<Importer> importer, importer_of(bytes, model_folder, options));
  return importer->run();
}

Result<Undecided> find_undecided(std::span<const std::byte> bytes, const std::filesystem::path& model_folder,
                                 const ImportOptions& options) {
  HONE_TRY(std::unique_ptr<Importer> importer, importer_of(bytes, model_folder, options));
  return importer->run_undecided();
}

Result<ir::Program> import_model(const std::filesystem::path& file, const ImportOptions& options) {
  HONE_TRY(ir::ConstantData mapped, map_file(file, fmt::format("'{}'", file.string())));
  auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  auto program = import_model(std::span(mapped.data, mapped.bytes), folder, options);
  if (!program) return error("{}: {}", file.string(), program.problem().message);
  return program;
}

}  // namespace hone::import
