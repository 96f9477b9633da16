#include "import/survey.h"

#include <map>
#include <set>

#include "import/node_internal.h"

namespace hone::import {
namespace {

constexpr int kDeepestGraph = 64;

Status count_operators(const onnx::GraphProto& graph, int depth, const std::set<std::string>& functions,
                       std::map<std::string, OperatorUse>& found) {
  if (depth > kDeepestGraph) return error("the model's graphs are nested more than {} deep", kDeepestGraph);
  for (const onnx::NodeProto& node : graph.node()) {
    bool own = is_onnx_itself(node.domain());
    std::string name = own ? node.op_type() : node.domain() + "." + node.op_type();
    OperatorUse& use = found[name];
    use.name = name;
    use.known = find_entry(node.domain(), node.op_type()) != nullptr || functions.contains(name);
    ++use.count;
    for (const onnx::AttributeProto& attribute : node.attribute())
      if (attribute.has_g()) HONE_PASS(count_operators(attribute.g(), depth + 1, functions, found));
  }
  return Done{};
}

}  // namespace

Result<Survey> survey_model(const std::filesystem::path& file) {
  HONE_TRY(ir::ConstantData mapped, map_file(file, fmt::format("'{}'", file.string())));
  onnx::ModelProto model;
  if (mapped.bytes > INT32_MAX || !model.ParseFromArray(mapped.data, static_cast<int>(mapped.bytes)) ||
      !model.has_graph())
    return error("'{}' is not an ONNX model", file.string());
  Survey survey;
  survey.producer = model.producer_name();
  for (const onnx::OperatorSetIdProto& set : model.opset_import())
    if (is_onnx_itself(set.domain())) survey.opset = set.version();
  std::map<std::string, OperatorUse> found;
  std::set<std::string> functions;
  for (const onnx::FunctionProto& function : model.functions())
    functions.insert(function.domain().empty() ? function.name() : function.domain() + "." + function.name());
  HONE_PASS(count_operators(model.graph(), 0, functions, found));
  for (auto& [name, use] : found) survey.operators.push_back(std::move(use));
  return survey;
}

}  // namespace hone::import
