// Sequences and optionals: lists of terms, which no operator of the Program sees.
#include "import/map/control/body_internal.h"

namespace hone::import {
namespace {

Result<Terms> elements_of(Node& node, size_t k) {
  if (!node.term(k).sequence) return error("input number {} is not a sequence", k);
  return node.term(k).sequence->elements;
}

// A place among `count`, from input k; `otherwise` if it is not given.
Result<size_t> place_in(Node& node, size_t k, size_t count, size_t otherwise) {
  if (!node.has(k)) return otherwise;
  if (!node.is_tensor(k)) return error("its position is not a tensor");
  HONE_TRY(std::vector<int64_t> numbers, node.integers(k, "positions"));
  int64_t limit = static_cast<int64_t>(count);
  if (numbers.size() != 1 || numbers[0] < -limit || numbers[0] >= limit)
    return error("its position is outside a sequence of {} elements", count);
  return static_cast<size_t>(numbers[0] < 0 ? numbers[0] + limit : numbers[0]);
}

}  // namespace

Result<Terms> map_identity_of_any(Node& node) {
  if (!node.is_tensor(0)) return Terms{node.term(0)};
  HONE_TRY(Values values, map_identity(node));
  return Terms{value_term(values[0])};
}

Result<Terms> map_sequence_empty(Node&) {
  return Terms{sequence_term({})};
}

Result<Terms> map_sequence_construct(Node& node) {
  Terms elements;
  for (size_t k = 0; k < node.input_count(); ++k) {
    if (!node.is_tensor(k)) return error("input number {} is not a tensor", k);
    elements.push_back(node.term(k));
  }
  return Terms{sequence_term(std::move(elements))};
}

Result<Terms> map_sequence_at(Node& node) {
  HONE_TRY(Terms elements, elements_of(node, 0));
  HONE_TRY(size_t place, place_in(node, 1, elements.size(), 0));
  return Terms{elements[place]};
}

// A new element may also stand behind the last.
Result<Terms> map_sequence_insert(Node& node) {
  HONE_TRY(Terms elements, elements_of(node, 0));
  if (!node.is_tensor(1)) return error("what it inserts is not a tensor");
  size_t count = elements.size(), place = count;
  auto numbers = node.has(2) && node.is_tensor(2) ? node.numbers(2) : std::nullopt;
  bool behind = numbers && numbers->size() == 1 && (*numbers)[0] == static_cast<double>(count);
  if (!behind) {
    HONE_TRY(place, place_in(node, 2, count, count));
  }
  elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(place), node.term(1));
  return Terms{sequence_term(std::move(elements))};
}

Result<Terms> map_sequence_erase(Node& node) {
  HONE_TRY(Terms elements, elements_of(node, 0));
  if (elements.empty()) return error("the sequence is empty");
  HONE_TRY(size_t place, place_in(node, 1, elements.size(), elements.size() - 1));
  elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(place));
  return Terms{sequence_term(std::move(elements))};
}

Result<Terms> map_sequence_length(Node& node) {
  HONE_TRY(Terms elements, elements_of(node, 0));
  return Terms{known_term({ir::DType::I64, {}, {Index(static_cast<int64_t>(elements.size()))}})};
}

// The body sees the element of each sequence; tensors it sees whole.
Result<Terms> map_sequence_map(Node& node) {
  const onnx::GraphProto* graph = node.attributes().graph("body");
  if (!graph) return error("it lacks its body");
  if (static_cast<size_t>(graph->input_size()) != node.input_count())
    return error("it has {} inputs, its body takes {}", node.input_count(), graph->input_size());
  HONE_TRY(Terms first, elements_of(node, 0));
  std::vector<Terms> results(static_cast<size_t>(graph->output_size()));
  for (size_t i = 0; i < first.size(); ++i) {
    Terms inputs;
    for (size_t k = 0; k < node.input_count(); ++k) {
      if (!node.has(k)) return error("input number {} is missing", k);
      const auto& sequence = node.term(k).sequence;
      if (sequence && sequence->elements.size() != first.size())
        return error("its sequences have {} and {} elements", first.size(), sequence->elements.size());
      inputs.push_back(sequence ? sequence->elements[i] : node.term(k));
    }
    Terms outputs = inline_graph(node, *graph, inputs);
    if (any_refused(outputs)) return Error{};
    for (size_t k = 0; k < outputs.size(); ++k) results[k].push_back(outputs[k]);
  }
  Terms sequences;
  for (Terms& list : results) sequences.push_back(sequence_term(std::move(list)));
  return sequences;
}

Result<Terms> map_concat_from_sequence(Node& node) {
  HONE_TRY(Terms elements, elements_of(node, 0));
  if (elements.empty()) return error("the sequence is empty");
  if (!node.attributes().has("axis")) return error("it lacks its axis");
  bool fresh = node.attributes().integer("new_axis", 0) != 0;
  Values parts;
  for (Term& element : elements) parts.push_back(node.importer().value_of(*node.scope().frame, element));
  size_t rank = node.type_of(parts[0]).shape.size();
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", 0), rank + (fresh ? 1 : 0)));
  for (ValueId& part : parts) {
    if (node.type_of(part).shape.size() != rank) return error("its elements differ in rank");
    for (size_t d = 0; d < rank; ++d)
      if (fresh || d != static_cast<size_t>(axis)) HONE_PASS(node.match(parts[0], d, part, d));
  }
  for (ValueId& part : parts) {
    if (!fresh) break;
    ir::Shape shape = node.type_of(part).shape;
    shape.insert(shape.begin() + axis, Index(1));
    HONE_TRY(part, node.reshape(part, shape));
  }
  HONE_TRY(ValueId joined, node.emit(OpKind::Concat, parts, {{"axis", int64_t{axis}}}));
  return Terms{value_term(joined)};
}

Result<Terms> map_optional(Node& node) {
  if (node.has(0)) return Terms{node.term(0)};
  Term empty;
  empty.nothing = true;
  return Terms{empty};
}

Result<Terms> map_optional_has_element(Node& node) {
  bool has = node.has(0) && !node.term(0).nothing;
  return Terms{known_term({ir::DType::Bool, {}, {Index(has ? 1 : 0)}})};
}

Result<Terms> map_optional_get_element(Node& node) {
  if (node.term(0).nothing) return error("the optional is empty");
  return Terms{node.term(0)};
}

}  // namespace hone::import
