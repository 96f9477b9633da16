// Walks the nodes of a graph: works out shape arithmetic, hands the rest to the mappings.
#include <algorithm>

#include "import/functions_internal.h"
#include "import/graph_internal.h"
#include "import/node_internal.h"

namespace hone::import {
namespace {

constexpr int kDeepestNesting = 64;

std::string label(const onnx::NodeProto& node) {
  if (!node.name().empty()) return node.name();
  return node.output_size() > 0 ? node.output(0) : "without a name";
}

}  // namespace

bool Importer::work_out(Scope& scope, const onnx::NodeProto& node, const std::vector<Term*>& terms) {
  Attributes attributes(node);
  KnownNode known{node.op_type(), opset_, attributes, {}, {}, static_cast<size_t>(node.output_size())};
  for (Term* term : terms) {
    if (term && !term->is_tensor()) return false;
    known.inputs.push_back(term && term->known ? &*term->known : nullptr);
    known.types.push_back(term ? std::optional(type_of(*scope.frame, *term)) : std::nullopt);
  }
  auto results = evaluate_known(known);
  if (!results || attributes.problem() || results->size() < static_cast<size_t>(node.output_size())) return false;
  // A size that is too long or too large to be one is computed as data, and refused where it is used as a size.
  auto usable = [](const ir::Index& size) {
    return size.constant() || (is_reasonable(size) && size.text().size() <= kLongestSize * 9 / 10);
  };
  for (const Known& result : *results)
    if (!std::all_of(result.elements.begin(), result.elements.end(), usable)) return false;
  std::vector<Term> made;
  for (Known& result : *results) made.push_back(known_term(std::move(result)));
  define(scope, node, std::move(made));
  return true;
}

Result<std::vector<Term>> Importer::map_node(Node& node, const Entry& entry) {
  if (node.input_count() > entry.most)
    return error("it has {} inputs, the operator takes at most {}", node.input_count(), entry.most);
  for (size_t k = 0; k < entry.fewest; ++k)
    if (!node.has(k)) return error("input number {} is missing", k);
  if (entry.map_terms) {
    auto terms = entry.map_terms(node);
    if (node.attributes().problem()) return *node.attributes().problem();
    return terms;
  }
  for (size_t k = 0; k < node.input_count(); ++k)
    if (node.has(k) && !node.is_tensor(k))
      return error("input number {} is {}, not a tensor", k,
                   node.term(k).sequence ? "a sequence" : "an empty optional");
  auto values = entry.map(node);
  if (node.attributes().problem()) return *node.attributes().problem();
  if (!values) return values.problem();
  std::vector<Term> terms;
  for (ir::ValueId id : *values) terms.push_back(value_term(id));
  return terms;
}

std::optional<std::vector<Term>> Importer::map_or_refuse(Scope& scope, const onnx::NodeProto& proto, int depth) {
  bool own = is_onnx_itself(proto.domain());
  auto refuse = [&](const std::string& reason, bool undecided = false) -> std::optional<std::vector<Term>> {
    // What was refused in a body or function has told its reasons there.
    if (!reason.empty())
      refusals_.add(own ? proto.op_type() : proto.domain() + "." + proto.op_type(), label(proto), reason, undecided);
    return std::nullopt;
  };
  if (const onnx::FunctionProto* function = find_function(*model_, proto)) {
    auto results = call_function(scope, proto, *function, depth);
    return results ? std::move(*results) : refuse(results.problem().message);
  }
  const Entry* entry = find_entry(proto.domain(), proto.op_type());
  if (!entry)
    return refuse(
        own ? "this operator is not supported"
            : "this operator is not supported; operators of ONNX itself and functions of the model would work");
  Node node(*this, scope, proto, *entry, depth);
  auto results = map_node(node, *entry);
  if (results) return std::move(*results);
  const std::set<std::string>& sizes = node.sizes_asked_in_vain();
  deciding_sizes_.insert(sizes.begin(), sizes.end());
  return refuse(results.problem().message, !sizes.empty() || decided_by_inputs(*scope.frame, node.asked_in_vain()));
}

void Importer::import_node(Scope& scope, const onnx::NodeProto& node, int depth) {
  std::vector<Term*> terms;
  bool refused = false;
  for (const std::string& name : node.input()) {
    terms.push_back(name.empty() ? nullptr : find(scope, name));
    if (name.empty()) continue;
    if (!terms.back())
      refusals_.add(node.op_type(), label(node),
                    fmt::format("input '{}' is not defined before it; nodes must be sorted", name));
    if (terms.back() && !terms.back()->reason.empty())
      refusals_.add(node.op_type(), label(node),
                    fmt::format("it uses '{}': of that node, {}", name, terms.back()->reason));
    refused = refused || !terms.back() || terms.back()->refused;
  }
  if (node.output_size() == 0) return refusals_.add(node.op_type(), label(node), "it has no output");
  if (refused) return define_refused(scope, node);
  bool plain = is_onnx_itself(node.domain()) && !find_function(*model_, node);
  if (plain && work_out(scope, node, terms)) return;
  if (auto results = map_or_refuse(scope, node, depth)) return define(scope, node, std::move(*results));
  define_refused(scope, node);
}

void Importer::import_graph(Scope& scope, const onnx::GraphProto& graph, int depth) {
  if (depth > kDeepestNesting) return refusals_.add("If", graph.name(), "graphs are nested more than 64 deep");
  import_constants(scope, graph);
  for (const onnx::NodeProto& node : graph.node()) import_node(scope, node, depth);
}

}  // namespace hone::import
