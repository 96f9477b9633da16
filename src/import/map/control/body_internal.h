// Graphs that a node holds: read in the scope of the node, either into its own frame or as a Program of their own.
#pragma once

#include <functional>

#include "import/node_internal.h"

namespace hone::import {

bool any_refused(const std::vector<Term>& terms);

// All nodes of the graph and the graphs in it.
int64_t count_nodes(const onnx::GraphProto& graph);

// The graph's results, its nodes read into the node's frame with `inputs` for the graph's inputs.
std::vector<Term> inline_graph(Node& node, const onnx::GraphProto& graph, const std::vector<Term>& inputs);

// A graph as a Program of its own. Its scope is to be opened before it is read.
struct Body {
  Frame frame;
  Scope scope;
  std::vector<Term> results;
};
void begin_body(Node& node, Body& body, const std::string& name);
ir::ValueId add_input(Node& node, Body& body, const std::string& name, const ir::TensorType& type);
// Fails without a text where the graph's nodes have told why; results that are no tensors are refused.
Status import_body(Node& node, const onnx::GraphProto& graph, Body& body);
// Makes the results the outputs of the Program. Each is computed by an op of it, so that it is nobody else's.
Status add_results(Importer& importer, Body& body);
// Shows that output `k` has the type that it must have, or makes it so by sizes taken as equal; `what` names it in the
// refusal.
Status settle_type(Importer& importer, const Body& body, size_t k, const std::function<ir::TensorType()>& wanted,
                   const std::string& what);
std::string type_text(const ir::TensorType& type);

}  // namespace hone::import
