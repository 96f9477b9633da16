#include "import/functions_internal.h"

#include <algorithm>
#include <map>
#include <set>

#include "import/graph_internal.h"
#include "import/map/control/body_internal.h"
#include "import/node_internal.h"

namespace hone::import {
namespace {

constexpr int64_t kMostInlinedNodes = 1'000'000;
constexpr size_t kDeepestCalls = 64;

std::string domain_of(const std::string& domain) {
  return is_onnx_itself(domain) ? "" : domain;
}

class Instance {
 public:
  Instance(const onnx::FunctionProto& function, const onnx::NodeProto& call) {
    for (const onnx::AttributeProto& attribute : function.attribute_proto()) values_[attribute.name()] = &attribute;
    for (const onnx::AttributeProto& attribute : call.attribute()) values_[attribute.name()] = &attribute;
    for (int k = 0; k < function.input_size(); ++k)
      if (k >= call.input_size() || call.input(k).empty()) missing_.insert(function.input(k));
  }

  void fill(onnx::NodeProto& node) const {
    for (std::string& input : *node.mutable_input())
      if (missing_.contains(input)) input.clear();
    onnx::NodeProto before = node;
    node.clear_attribute();
    for (const onnx::AttributeProto& attribute : before.attribute()) {
      if (attribute.ref_attr_name().empty()) {
        fill_graphs(*node.add_attribute() = attribute);
        continue;
      }
      auto found = values_.find(attribute.ref_attr_name());
      if (found == values_.end()) continue;  // the operator's default
      onnx::AttributeProto& filled = *node.add_attribute() = *found->second;
      filled.set_name(attribute.name());
    }
  }

 private:
  void fill_graphs(onnx::AttributeProto& attribute) const {
    if (!attribute.has_g()) return;
    for (onnx::NodeProto& node : *attribute.mutable_g()->mutable_node()) fill(node);
  }

  std::map<std::string, const onnx::AttributeProto*> values_;
  std::set<std::string> missing_;
};

int opset_of(const onnx::FunctionProto& function, int otherwise) {
  for (const onnx::OperatorSetIdProto& set : function.opset_import())
    if (is_onnx_itself(set.domain())) return static_cast<int>(set.version());
  return otherwise;
}

}  // namespace

const onnx::FunctionProto* find_function(const onnx::ModelProto& model, const onnx::NodeProto& node) {
  for (const onnx::FunctionProto& function : model.functions())
    if (function.name() == node.op_type() && domain_of(function.domain()) == domain_of(node.domain()) &&
        function.overload() == node.overload())
      return &function;
  return nullptr;
}

onnx::GraphProto instantiate(const onnx::FunctionProto& function, const onnx::NodeProto& call) {
  Instance instance(function, call);
  onnx::GraphProto graph;
  graph.set_name(function.name());
  for (const onnx::NodeProto& node : function.node()) instance.fill(*graph.add_node() = node);
  for (const std::string& name : function.output()) graph.add_output()->set_name(name);
  return graph;
}

// A function sees nothing but its inputs, and reads its nodes by its own opset.
Result<std::vector<Term>> Importer::call_function(Scope& scope, const onnx::NodeProto& node,
                                                  const onnx::FunctionProto& function, int depth) {
  if (std::find(calls_.begin(), calls_.end(), &function) != calls_.end())
    return error("the function calls itself; functions without recursion would work");
  if (calls_.size() >= kDeepestCalls) return error("functions call each other more than {} deep", kDeepestCalls);
  if (node.input_size() > function.input_size() || node.output_size() > function.output_size())
    return error("it has {} inputs and {} outputs, the function {} and {}", node.input_size(), node.output_size(),
                 function.input_size(), function.output_size());
  int opset = opset_of(function, opset_);
  if (opset < kOldestOpset || opset > kNewestOpset)
    return error("the function is of opset {}; opsets {} to {} would work", opset, kOldestOpset, kNewestOpset);
  const onnx::GraphProto& graph = sources_->functions.emplace_back(instantiate(function, node));
  inlined_nodes_ += count_nodes(graph);
  if (inlined_nodes_ > kMostInlinedNodes)
    return error("the model's functions come to more than {} nodes", kMostInlinedNodes);
  Scope inner{scope.frame, nullptr, {}};
  for (int k = 0; k < node.input_size(); ++k)
    if (!node.input(k).empty()) inner.names[function.input(k)] = *find(scope, node.input(k));
  Open open(*this, inner);
  calls_.push_back(&function);
  int own_opset = opset_;
  opset_ = opset;
  import_graph(inner, graph, depth + 1);
  opset_ = own_opset;
  calls_.pop_back();
  std::vector<Term> results = output_terms(inner, graph, function.name());
  results.resize(static_cast<size_t>(node.output_size()));
  if (any_refused(results)) return Error{};
  return results;
}

}  // namespace hone::import
