#include <algorithm>

#include "import/map/control/body_internal.h"

namespace hone::import {

bool any_refused(const std::vector<Term>& terms) {
  return std::any_of(terms.begin(), terms.end(), [](const Term& term) { return term.refused; });
}

int64_t count_nodes(const onnx::GraphProto& graph) {
  int64_t count = graph.node_size();
  for (const onnx::NodeProto& node : graph.node())
    for (const onnx::AttributeProto& attribute : node.attribute())
      if (attribute.has_g()) count += count_nodes(attribute.g());
  return count;
}

std::vector<Term> inline_graph(Node& node, const onnx::GraphProto& graph, const std::vector<Term>& inputs) {
  Scope scope{node.scope().frame, &node.scope(), {}};
  for (size_t k = 0; k < inputs.size(); ++k) scope.names[graph.input(static_cast<int>(k)).name()] = inputs[k];
  Importer::Open open(node.importer(), scope);
  node.importer().import_graph(scope, graph, node.depth() + 1);
  return node.importer().output_terms(scope, graph, node.op_type());
}

void begin_body(Node& node, Body& body, const std::string& name) {
  body.frame.outer = node.scope().frame;
  body.frame.program.name = name;
  body.scope = Scope{&body.frame, &node.scope(), {}};
}

ValueId add_input(Node& node, Body& body, const std::string& name, const ir::TensorType& type) {
  ValueId id = body.frame.program.add_value({node.importer().unique_name(body.frame, name), type, {}, {}});
  body.frame.program.inputs.push_back(id);
  body.scope.names[name] = value_term(id);
  return id;
}

Status import_body(Node& node, const onnx::GraphProto& graph, Body& body) {
  node.importer().import_graph(body.scope, graph, node.depth() + 1);
  body.results = node.importer().output_terms(body.scope, graph, node.op_type());
  if (any_refused(body.results)) return Error{};
  for (size_t k = 0; k < body.results.size(); ++k)
    if (!body.results[k].is_tensor())
      return error(
          "result '{}' of its graph is a sequence or an optional; that works only where the condition or the "
          "number of rounds is known when the model is read",
          graph.output(static_cast<int>(k)).name());
  return Done{};
}

Status add_results(Importer& importer, Body& body) {
  ir::Program& program = body.frame.program;
  for (Term& term : body.results) {
    ValueId id = importer.value_of(body.frame, term);
    auto taken = [&](const std::vector<ValueId>& ids) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
    if (program.values[static_cast<size_t>(id)].constant || taken(program.inputs) || taken(program.outputs)) {
      ir::Op op{ir::OpKind::Identity, "result", {id}, {}, {}, {}};
      HONE_TRY(auto made, importer.emit(body.frame, {std::move(op), {program.type(id)}, "result"}));
      id = made[0];
    }
    program.outputs.push_back(id);
  }
  return Done{};
}

std::string type_text(const ir::TensorType& type) {
  std::string text = fmt::format("{}[", name_of(type.dtype));
  for (size_t d = 0; d < type.shape.size(); ++d) text += (d ? ", " : "") + type.shape[d].text();
  return text + "]";
}

Status settle_type(Importer& importer, const Body& body, size_t k, const std::function<ir::TensorType()>& wanted,
                   const std::string& what) {
  const ir::Program& program = body.frame.program;
  auto have = [&] { return program.type(program.outputs[k]); };
  auto changes = [&] {
    return error("{} is {} before a round and {} after it; a type that stays the same would work", what,
                 type_text(wanted()), type_text(have()));
  };
  if (have().dtype != wanted().dtype || have().shape.size() != wanted().shape.size()) return changes();
  for (size_t d = 0; d < have().shape.size(); ++d)
    if (!importer.equate(wanted().shape[d], have().shape[d])) return changes();
  return Done{};
}

}  // namespace hone::import
