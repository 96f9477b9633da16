#include "import/import.h"

#include "import/graph_internal.h"
#include "import/model_file_internal.h"
#include "import/node_internal.h"

namespace hone::import {
namespace {

Result<int> opset_of(const onnx::ModelProto& model) {
  std::optional<int64_t> named;
  for (const onnx::OperatorSetIdProto& set : model.opset_import()) {
    if (!is_onnx_itself(set.domain())) continue;
    if (set.version() < kOldestOpset || set.version() > kNewestOpset)
      return error("the model is of opset {}; opsets {} to {} would work", set.version(), kOldestOpset, kNewestOpset);
    if (named && *named != set.version())
      return error("the model is of the opsets {} and {}; one of them would work", *named, set.version());
    named = set.version();
  }
  if (named) return static_cast<int>(*named);
  // Files of the first two versions of the format have no list of opsets; they are of the first one.
  if (model.opset_import().empty() && model.ir_version() < 3) return kOldestOpset;
  // Which one is of no matter to a model of other domains alone.
  for (const onnx::NodeProto& node : model.graph().node())
    if (is_onnx_itself(node.domain())) return error("the model names no opset of ONNX itself");
  return kNewestOpset;
}

Result<std::unique_ptr<Importer>> importer_of(std::span<const std::byte> bytes, const std::filesystem::path& folder,
                                              const ImportOptions& options) {
  HONE_TRY(std::shared_ptr<const onnx::ModelProto> model, parse_model(bytes));
  HONE_TRY(int opset, opset_of(*model));
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
  HONE_PASS(check_ports());
  frame_.program.name = model_->graph().name();
  Scope scope{&frame_, nullptr, {}};
  Open open(*this, scope);
  import_constants(scope, model_->graph());
  HONE_PASS(add_inputs(scope));
  for (const onnx::NodeProto& node : model_->graph().node()) import_node(scope, node, 0);
  HONE_PASS(add_outputs(scope));
  if (refusals_.any()) return refusals_.summary(opset_);
  // What a later node told of a size may contradict what an earlier one was imported with.
  if (has_replaced_) HONE_PASS(ir::validate(frame_.program));
  return std::move(frame_.program);
}

Result<Imported> Importer::run_or_ask() {
  auto program = run();
  auto places_of = [&](const std::set<std::string>& symbols) {
    std::vector<OpenSize> places;
    for (const std::string& symbol : symbols) places.push_back(declared_.at(symbol).place);
    return places;
  };
  if (program) return Imported{Decided{std::move(*program), places_of(broadcast_sizes_)}};
  if (!refusals_.any() || !refusals_.all_undecided() || (deciding_.empty() && deciding_sizes_.empty()))
    return program.problem();
  auto outside = face();
  if (!outside) return program.problem();
  Undecided undecided{std::move(*outside), {deciding_.begin(), deciding_.end()}, places_of(deciding_sizes_)};
  return Imported{std::move(undecided)};
}

Result<ir::Program> import_model(std::span<const std::byte> bytes, const std::filesystem::path& model_folder,
                                 const ImportOptions& options) {
  HONE_TRY(std::unique_ptr<Importer> importer, importer_of(bytes, model_folder, options));
  return importer->run();
}

Result<Imported> import_or_ask(std::span<const std::byte> bytes, const std::filesystem::path& model_folder,
                               const ImportOptions& options) {
  HONE_TRY(std::unique_ptr<Importer> importer, importer_of(bytes, model_folder, options));
  return importer->run_or_ask();
}

namespace {

// Imports the content of a file; the error of `import` gets the file's name.
template <typename Import>
auto from_file(const std::filesystem::path& file, Import import) -> decltype(import({}, file)) {
  HONE_TRY(ir::ConstantData mapped, map_model(file));
  auto imported = import(std::span(mapped.data, mapped.bytes), folder_of(file));
  if (!imported) return error("{}: {}", file.string(), imported.problem().message);
  return imported;
}

}  // namespace

std::filesystem::path folder_of(const std::filesystem::path& model) {
  return model.has_parent_path() ? model.parent_path() : ".";
}

Result<ir::Program> import_model(const std::filesystem::path& file, const ImportOptions& options) {
  return from_file(file, [&](std::span<const std::byte> bytes, const std::filesystem::path& folder) {
    return import_model(bytes, folder, options);
  });
}

Result<Imported> import_or_ask(const std::filesystem::path& file, const ImportOptions& options) {
  return from_file(file, [&](std::span<const std::byte> bytes, const std::filesystem::path& folder) {
    return import_or_ask(bytes, folder, options);
  });
}

}  // namespace hone::import
