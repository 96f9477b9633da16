#include "import/survey.h"

#include <map>
#include <set>

#include "import/model_file_internal.h"
#include "import/node_internal.h"

namespace hone::import {
namespace {

void count_operators(const onnx::GraphProto& graph, const std::set<std::string>& functions,
                     std::map<std::string, OperatorUse>& found) {
  for (const onnx::NodeProto& node : graph.node()) {
    bool own = is_onnx_itself(node.domain());
    std::string name = own ? node.op_type() : node.domain() + "." + node.op_type();
    OperatorUse& use = found[name];
    use.name = name;
    use.known = find_entry(node.domain(), node.op_type()) != nullptr || functions.contains(name);
    ++use.count;
    for (const onnx::AttributeProto& attribute : node.attribute())
      if (attribute.has_g()) count_operators(attribute.g(), functions, found);
  }
}

}  // namespace

Result<Survey> survey_model(const std::filesystem::path& file) {
  HONE_TRY(ir::ConstantData mapped, map_model(file));
  auto parsed = parse_model(std::span(mapped.data, mapped.bytes));
  if (!parsed) return error("{}: {}", file.string(), parsed.problem().message);
  const onnx::ModelProto& model = **parsed;
  Survey survey;
  survey.producer = model.producer_name();
  for (const onnx::OperatorSetIdProto& set : model.opset_import())
    if (is_onnx_itself(set.domain())) survey.opset = set.version();
  std::map<std::string, OperatorUse> found;
  std::set<std::string> functions;
  for (const onnx::FunctionProto& function : model.functions())
    functions.insert(function.domain().empty() ? function.name() : function.domain() + "." + function.name());
  count_operators(model.graph(), functions, found);
  for (auto& [name, use] : found) survey.operators.push_back(std::move(use));
  return survey;
}

}  // namespace hone::import
