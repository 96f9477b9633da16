#include <algorithm>

#include "import/map/control/body_internal.h"

namespace hone::import {
namespace {

// Brings the second branch's results to the types of the first's; false if they cannot agree.
Result<bool> agree(Importer& importer, const Body& first, Body& second) {
  for (size_t k = 0; k < first.results.size(); ++k) {
    ValueId a = first.frame.program.outputs[k];
    ValueId& b = second.frame.program.outputs[k];
    auto types = [&] { return std::pair(first.frame.program.type(a), second.frame.program.type(b)); };
    if (types().first.dtype != types().second.dtype || types().first.shape.size() != types().second.shape.size())
      return false;
    for (size_t d = 0; d < types().first.shape.size(); ++d) {
      if (provably_different(types().first.shape[d], types().second.shape[d])) return false;
      importer.equate(types().first.shape[d], types().second.shape[d]);
    }
    if (types().first == types().second) continue;
    ir::Op op{ir::OpKind::Reshape, "same size as the other branch", {b}, {}, {}, {}};
    HONE_TRY(auto made, importer.emit(second.frame, {std::move(op), {types().first}, "result"}));
    b = made[0];
  }
  return true;
}

// Both bodies take all that either captures, in one order.
std::vector<ValueId> join_captures(Importer& importer, Frame& then, Frame& otherwise) {
  std::vector<ValueId> captures = then.captured;
  for (ValueId id : otherwise.captured)
    if (std::find(captures.begin(), captures.end(), id) == captures.end()) captures.push_back(id);
  for (Frame* frame : {&then, &otherwise}) {
    std::vector<ValueId> inputs;
    for (ValueId id : captures) {
      auto found = frame->own_copy.find(id);
      if (found != frame->own_copy.end()) {
        inputs.push_back(found->second);
        continue;
      }
      const ir::Value& outer = frame->outer->program.values[static_cast<size_t>(id)];
      inputs.push_back(frame->program.add_value({importer.unique_name(*frame, outer.name), outer.type, {}, {}}));
    }
    frame->program.inputs = inputs;
  }
  return captures;
}

// A Reshape whose element counts agree only for some sizes: it is checked when sizes are bound.
bool checks_sizes(const ir::Program& program) {
  return std::any_of(program.ops.begin(), program.ops.end(), [&](const ir::Op& op) {
    return op.kind == ir::OpKind::Reshape &&
           !(product(program.type(op.inputs[0]).shape) == product(program.type(op.outputs[0]).shape));
  });
}

// Takes a body into the frame around it.
std::vector<Term> splice(Importer& importer, Body& branch) {
  Frame& outer = *branch.frame.outer;
  const ir::Program& body = branch.frame.program;
  std::map<ValueId, ValueId> moved{{ir::kAbsent, ir::kAbsent}};
  for (size_t k = 0; k < body.inputs.size(); ++k) moved[body.inputs[k]] = branch.frame.captured[k];
  for (size_t v = 0; v < body.values.size(); ++v) {
    ValueId id = static_cast<ValueId>(v);
    if (moved.contains(id)) continue;
    ir::Value value = body.values[v];
    value.name = importer.unique_name(outer, value.name);
    moved[id] = outer.program.add_value(std::move(value));
  }
  for (ir::Op op : body.ops) {
    for (ValueId& id : op.inputs) id = moved[id];
    for (ValueId& id : op.outputs) id = moved[id];
    outer.program.ops.push_back(std::move(op));
  }
  std::vector<Term> results;
  for (ValueId id : body.outputs) results.push_back(value_term(moved[id]));
  return results;
}

std::string types_text(const Body& branch) {
  std::string text;
  for (ValueId id : branch.frame.program.outputs) {
    const ir::TensorType& type = branch.frame.program.type(id);
    text += fmt::format("{}{}[", text.empty() ? "" : ", ", name_of(type.dtype));
    for (size_t d = 0; d < type.shape.size(); ++d) text += (d ? ", " : "") + type.shape[d].text();
    text += "]";
  }
  return text;
}

size_t total_rank(const Body& branch) {
  size_t rank = 0;
  for (ValueId id : branch.frame.program.outputs) rank += branch.frame.program.type(id).shape.size();
  return rank;
}

bool same_elements(const Body& then, const Body& otherwise) {
  auto same = [&](ValueId a, ValueId b) {
    return then.frame.program.type(a).dtype == otherwise.frame.program.type(b).dtype;
  };
  const auto &a = then.frame.program.outputs, &b = otherwise.frame.program.outputs;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

Result<ValueId> condition_value(Node& node) {
  ir::TensorType type = node.type(0);
  if (type.dtype != ir::DType::Bool || !product(type.shape).is(1)) return error("its condition is not one boolean");
  return type.shape.empty() ? node.input(0) : node.reshape(node.input(0), {});
}

Result<Terms> emit_if(Node& node, Body& then, Body& otherwise) {
  HONE_TRY(ValueId condition, condition_value(node));
  std::vector<ValueId> inputs{condition};
  for (ValueId id : join_captures(node.importer(), then.frame, otherwise.frame)) inputs.push_back(id);
  std::vector<ir::TensorType> types;
  for (ValueId id : then.frame.program.outputs) types.push_back(then.frame.program.type(id));
  HONE_TRY(Values made,
           node.emit_many(ir::OpKind::If, inputs, {}, {then.frame.program, otherwise.frame.program}, types));
  std::vector<Term> terms;
  for (ValueId id : made) terms.push_back(value_term(id));
  return terms;
}

}  // namespace

Result<Terms> map_if(Node& node) {
  if (!node.is_tensor(0)) return error("its condition is not a tensor");
  const onnx::GraphProto* graphs[] = {node.attributes().graph("then_branch"), node.attributes().graph("else_branch")};
  for (const onnx::GraphProto* graph : graphs) {
    if (!graph) return error("it lacks a branch");
    if (graph->input_size() > 0) return error("a branch has inputs of its own");
    if (graph->output_size() < static_cast<int>(node.output_count())) return error("a branch has too few outputs");
  }
  if (graphs[0]->output_size() != graphs[1]->output_size())
    return error("its branches have {} and {} outputs", graphs[0]->output_size(), graphs[1]->output_size());
  const Known* condition = node.known(0);
  if (condition && condition->elements.size() == 1 && condition->elements[0].constant()) {
    auto terms = inline_graph(node, *graphs[condition->elements[0].is(0) ? 1 : 0], {});
    if (any_refused(terms)) return Error{};
    return terms;
  }

  Importer& importer = node.importer();
  Body then, otherwise;
  std::vector<std::unique_ptr<Importer::Open>> open;
  int number = 0;
  for (Body* branch : {&then, &otherwise}) {
    begin_body(node, *branch, number == 0 ? "then" : "else");
    open.push_back(std::make_unique<Importer::Open>(importer, branch->scope));
    HONE_PASS(import_body(node, *graphs[number++], *branch));
    HONE_PASS(add_results(importer, *branch));
  }
  HONE_TRY(bool same, agree(importer, then, otherwise));
  if (same) return emit_if(node, then, otherwise);

  // "Squeeze if the size is 1": the branch that drops the dimension is taken, for its Reshape checks the size itself.
  Body& smaller = total_rank(then) < total_rank(otherwise) ? then : otherwise;
  // Which branch a call takes may decide about sizes and ranks, never about the type of elements.
  if (!same_elements(then, otherwise))
    node.no_value_helps();
  else if (condition && total_rank(then) != total_rank(otherwise) && checks_sizes(smaller.frame.program))
    return splice(importer, smaller);
  return error(
      "its branches have results of different types ({} and {}); equal types, or a condition known when the "
      "model is read, would work",
      types_text(then), types_text(otherwise));
}

}  // namespace hone::import
