// Names, values and constants of the Programs under construction.
#include "import/graph_internal.h"

#include <algorithm>

#include "eval/interpreter.h"
#include "import/node_internal.h"
#include "ir/program/meaning.h"

namespace hone::import {

namespace {

// The reason alone: nodes refused for the same reason are listed together.
Error without_node(const Error& problem, const ir::Op& op) {
  std::string label = fmt::format("{} node '{}': ", name_of(op.kind), op.name);
  return problem.message.starts_with(label) ? Error{problem.message.substr(label.size())} : problem;
}

}  // namespace

Term term_of(const ir::Program& program, ValueId id) {
  Term term{id, std::nullopt, false, {}};
  const ir::Value& value = program.values[static_cast<size_t>(id)];
  if (!value.constant) return term;
  auto integers = integers_of(value.type, *value.constant, kMostKnown);
  if (!integers) return term;
  Known known{value.type.dtype, {}, {integers->begin(), integers->end()}};
  for (const Index& dim : value.type.shape) known.dims.push_back(*dim.constant());
  term.known = std::move(known);
  return term;
}

Term value_term(ValueId id) {
  return Term{id, std::nullopt, false, {}};
}

Term known_term(Known known) {
  return Term{ir::kAbsent, std::move(known), false, {}};
}

Term refused_term(std::string reason) {
  return Term{ir::kAbsent, std::nullopt, true, std::move(reason)};
}

Term sequence_term(std::vector<Term> elements) {
  Term term;
  term.sequence = std::make_shared<const Sequence>(Sequence{std::move(elements)});
  return term;
}

std::string Importer::unique_name(Frame& frame, const std::string& wanted) {
  std::string name = wanted;
  while (!frame.used_names.insert(name).second) name = fmt::format("{}.{}", wanted, ++fresh_);
  return name;
}

ValueId Importer::add_constant(Frame& frame, const std::string& stem, ir::TensorType type, ir::ConstantData data) {
  return frame.program.add_value({unique_name(frame, stem), std::move(type), std::move(data), std::nullopt});
}

Result<std::vector<ValueId>> Importer::emit(Frame& frame, Emission emission) {
  ir::Op op = std::move(emission.op);
  for (ir::TensorType& type : emission.types) {
    ValueId id =
        frame.program.add_value({unique_name(frame, emission.stem), std::move(type), std::nullopt, std::nullopt});
    op.outputs.push_back(id);
  }
  auto inferred = infer_types(frame.program, op);
  if (!inferred) return without_node(inferred.problem(), op);
  const std::vector<ir::TensorType>& types = *inferred;
  HONE_CHECK(types.size() >= op.outputs.size(), "{} has {} results, {} are wanted", name_of(op.kind), types.size(),
             op.outputs.size());
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    HONE_PASS(element_count(types[i].shape));
    frame.program.values[static_cast<size_t>(op.outputs[i])].type = types[i];
  }
  std::vector<ValueId> outputs = op.outputs;
  if (!fold(frame, op)) frame.program.ops.push_back(std::move(op));
  return outputs;
}

// Small constants are worked out at once: sizes and bounds may come from them.
bool Importer::fold(Frame& frame, const ir::Op& op) {
  auto small = [&](ValueId id) {
    const ir::Shape& shape = frame.program.type(id).shape;
    bool numbers = std::all_of(shape.begin(), shape.end(), [](const Index& dim) { return dim.constant().has_value(); });
    return numbers && *product(shape).constant() <= static_cast<int64_t>(kMostKnown);
  };
  if (op.inputs.empty() || !op.bodies.empty()) return false;
  ir::Op copy = op;
  ir::Program alone;
  for (ValueId& id : copy.inputs) {
    if (id == ir::kAbsent) continue;
    if (!frame.program.values[static_cast<size_t>(id)].constant || !small(id)) return false;
    id = alone.add_value(frame.program.values[static_cast<size_t>(id)]);
  }
  // Few numbers may come from many steps, such as a window of padding.
  constexpr int64_t kMostSteps = 1 << 16;
  if (meaning_kind(op.kind) == ir::MeaningKind::Indexed)
    for (const ir::Axis& axis : indexed_meaning(frame.program, op).reduce)
      if (axis.extent.constant().value_or(kMostSteps) >= kMostSteps) return false;
  for (ValueId& id : copy.outputs) {
    if (!small(id)) return false;
    id = alone.add_value(frame.program.values[static_cast<size_t>(id)]);
  }
  alone.outputs = copy.outputs;
  alone.ops.push_back(std::move(copy));
  auto results = eval::evaluate(alone, std::vector<eval::Tensor>{});
  if (!results) return false;
  for (size_t k = 0; k < op.outputs.size(); ++k)
    frame.program.values[static_cast<size_t>(op.outputs[k])].constant = owned(std::move((*results)[k].bytes));
  return true;
}

// The number as data: the sum of as many ones. Sizes are rarely used so; this needs no operator of its own.
ValueId Importer::count_to(Frame& frame, const Index& size) {
  if (auto number = size.constant())
    return add_constant(frame, "number", {ir::DType::I64, {1}},
                        constant_of(ir::DType::I64, std::vector<int64_t>{*number}));
  auto apply = [&](OpKind kind, std::vector<ValueId> inputs, std::map<std::string, ir::Attribute> attributes,
                   ir::Shape shape) {
    ir::Op op{kind, "size", std::move(inputs), {}, std::move(attributes), {}};
    auto made = emit(frame, {std::move(op), {{ir::DType::I64, std::move(shape)}}, "size"});
    HONE_CHECK(made.ok(), "{}", made.problem().message);
    return (*made)[0];
  };
  auto sum_of_ones = [&](const Index& count) {
    ValueId ones = apply(OpKind::Fill, {}, {{"value", int64_t{1}}, {"dtype", std::string("i64")}}, {count});
    return apply(OpKind::ReduceSum, {ones}, {{"axes", std::vector<int64_t>{0}}, {"keepdims", int64_t{1}}}, {});
  };
  ValueId positive = sum_of_ones(max(Index(0), size));
  if (provably_at_most(0, size)) return positive;
  return apply(OpKind::Sub, {positive, sum_of_ones(max(Index(0), -size))}, {}, {});
}

ValueId Importer::value_of(Frame& frame, Term& term) {
  if (term.id != ir::kAbsent) return term.id;
  HONE_CHECK(term.known, "a term is neither a value nor known");
  const Known& known = *term.known;
  ir::TensorType type{known.dtype, {known.dims.begin(), known.dims.end()}};
  std::vector<int64_t> numbers;
  for (const Index& element : known.elements)
    if (element.constant()) numbers.push_back(*element.constant());
  if (numbers.size() == known.elements.size()) {
    auto data = constant_of(known.dtype, numbers);
    return term.id = add_constant(frame, "known", type, data);
  }
  auto apply = [&](OpKind kind, std::vector<ValueId> inputs, std::map<std::string, ir::Attribute> attributes) {
    ir::Op op{kind, "size", std::move(inputs), {}, std::move(attributes), {}};
    auto made = emit(frame, {std::move(op), {type}, "size"});
    HONE_CHECK(made.ok(), "{}", made.problem().message);
    return (*made)[0];
  };
  std::vector<ValueId> parts;
  for (const Index& element : known.elements) parts.push_back(count_to(frame, element));
  ValueId id = parts.size() == 1 ? parts[0] : apply(OpKind::Concat, parts, {{"axis", int64_t{0}}});
  if (known.dtype != ir::DType::I64) id = apply(OpKind::Cast, {id}, {{"to", std::string(name_of(known.dtype))}});
  if (known.rank() != 1) id = apply(OpKind::Reshape, {id}, {});
  return term.id = id;
}

ir::TensorType Importer::type_of(const Frame& frame, const Term& term) const {
  if (term.id != ir::kAbsent) return frame.program.type(term.id);
  HONE_CHECK(term.known, "a term is neither a value nor known");
  return {term.known->dtype, {term.known->dims.begin(), term.known->dims.end()}};
}

ValueId Importer::adopt(Frame& frame, const Frame& home, ValueId id) {
  if (&frame == &home) return id;
  ValueId outer = adopt(*frame.outer, home, id);
  if (auto found = frame.own_copy.find(outer); found != frame.own_copy.end()) return found->second;
  ir::Value copy = frame.outer->program.values[static_cast<size_t>(outer)];
  copy.name = unique_name(frame, copy.name);
  bool constant = copy.constant.has_value();
  ValueId own = frame.program.add_value(std::move(copy));
  if (!constant) {
    frame.program.inputs.push_back(own);
    frame.captured.push_back(outer);
  }
  return frame.own_copy[outer] = own;
}

Term Importer::brought_into(Frame& frame, const Frame& home, Term term) {
  if (term.id != ir::kAbsent) term.id = adopt(frame, home, term.id);
  if (!term.sequence) return term;
  std::vector<Term> elements = term.sequence->elements;
  for (Term& element : elements) element = brought_into(frame, home, std::move(element));
  return sequence_term(std::move(elements));
}

Term* Importer::find(Scope& scope, const std::string& name) {
  for (Scope* s = &scope; s; s = s->outer) {
    auto found = s->names.find(name);
    if (found == s->names.end()) continue;
    if (s->frame == scope.frame) return &found->second;
    return &(scope.names[name] = brought_into(*scope.frame, *s->frame, found->second));
  }
  return nullptr;
}

void Importer::define(Scope& scope, const onnx::NodeProto& node, std::vector<Term> terms) {
  for (int k = 0; k < node.output_size(); ++k) {
    const std::string& name = node.output(k);
    if (name.empty()) continue;
    Term term{ir::kAbsent, std::nullopt, true, fmt::format("its output number {} is not supported", k)};
    if (static_cast<size_t>(k) < terms.size()) term = terms[static_cast<size_t>(k)];
    if (term.is_tensor() && !term.known) term = term_of(scope.frame->program, term.id);
    if (!scope.names.emplace(name, std::move(term)).second)
      refusals_.add(node.op_type(), node.name().empty() ? name : node.name(),
                    fmt::format("'{}' is defined twice", name));
  }
}

void Importer::define_refused(Scope& scope, const onnx::NodeProto& node) {
  for (const std::string& name : node.output())
    if (!name.empty()) scope.names.emplace(name, refused_term());
}

void Importer::import_constants(Scope& scope, const onnx::GraphProto& graph) {
  for (const onnx::TensorProto& proto : graph.initializer()) {
    auto refuse = [&](const std::string& reason) {
      refusals_.add("initializer", proto.name(), reason);
      scope.names[proto.name()] = refused_term();
    };
    if (proto.name().empty() || scope.names.contains(proto.name())) {
      refuse(proto.name().empty() ? "it has no name" : "its name is defined twice");
      continue;
    }
    auto tensor = read(proto);
    if (!tensor) {
      refuse(tensor.problem().message);
      continue;
    }
    ValueId id = add_constant(*scope.frame, proto.name(), tensor->type, tensor->data);
    scope.names[proto.name()] = term_of(scope.frame->program, id);
  }
  for (const onnx::SparseTensorProto& sparse : graph.sparse_initializer())
    refusals_.add("initializer", sparse.values().name(), "it is sparse; a dense tensor would work");
}

std::vector<Term> Importer::output_terms(Scope& scope, const onnx::GraphProto& graph, const std::string& node) {
  std::vector<Term> terms;
  for (const onnx::ValueInfoProto& output : graph.output()) {
    Term* term = find(scope, output.name());
    if (!term)
      refusals_.add("graph output", node, fmt::format("'{}' is produced by no node", output.name()));
    else if (!term->reason.empty())
      refusals_.add("graph output", output.name(), "of its node, " + term->reason);
    terms.push_back(term ? *term : refused_term());
  }
  return terms;
}

}  // namespace hone::import
