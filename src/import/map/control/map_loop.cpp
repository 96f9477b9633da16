// ONNX Loop: a few rounds that are known when the model is read are unrolled, and may then carry sequences and change sizes;
// else it becomes a Loop.
#include <algorithm>

#include "import/map/control/body_internal.h"

namespace hone::import {
namespace {

constexpr int64_t kMostUnrolledRounds = 64, kMostUnrolledNodes = 2000;

const onnx::NodeProto* producer_of(const onnx::GraphProto& graph, const std::string& name) {
  for (const onnx::NodeProto& node : graph.node())
    for (const std::string& output : node.output())
      if (output == name) return &node;
  return nullptr;
}

bool holds_graph(const onnx::NodeProto& node) {
  return std::any_of(node.attribute().begin(), node.attribute().end(),
                     [](const onnx::AttributeProto& attribute) { return attribute.has_g(); });
}

class LoopNode {
 public:
  explicit LoopNode(Node& node) : node_(node), graph_(node.attributes().graph("body")) {}

  Result<Terms> run() {
    HONE_PASS(read());
    if (auto rounds = rounds_to_unroll()) return unroll(*rounds);
    for (size_t k = 0; k < carried_; ++k)
      if (!node_.is_tensor(k + 2))
        return error(
            "it carries a sequence or an optional; that works for up to {} rounds, known when the model is read",
            kMostUnrolledRounds);
    return loop();
  }

 private:
  Status read() {
    if (!graph_) return error("it lacks its body");
    if (graph_->input_size() < 2 || graph_->output_size() < graph_->input_size() - 1)
      return error("its body has {} inputs and {} outputs, which does not fit", graph_->input_size(),
                   graph_->output_size());
    carried_ = static_cast<size_t>(graph_->input_size()) - 2;
    stacked_ = static_cast<size_t>(graph_->output_size()) - 1 - carried_;
    for (size_t k = 0; k < std::max(carried_ + 2, node_.input_count()); ++k)
      if (k >= 2 && !node_.has(k)) return error("input number {} is missing", k);
    if (node_.input_count() > carried_ + 2 || node_.output_count() > carried_ + stacked_)
      return error("it has {} inputs and {} outputs, its body takes and gives fewer", node_.input_count(),
                   node_.output_count());
    for (size_t k : {0, 1}) {
      if (!node_.has(k)) continue;
      ir::DType wanted = k == 0 ? ir::DType::I64 : ir::DType::Bool;
      if (!node_.is_tensor(k) || node_.type(k).dtype != wanted || !product(node_.shape(k)).is(1))
        return error("its {} is not one {}", k == 0 ? "number of rounds" : "condition", name_of(wanted));
    }
    return Done{};
  }

  // The one element of an operand, if it is known; `otherwise` if the operand is not given.
  std::optional<Index> known_element(size_t k, const Index& otherwise) const {
    if (!node_.has(k)) return otherwise;
    const Known* known = node_.known(k);
    return known && known->elements.size() == 1 ? std::optional(known->elements[0]) : std::nullopt;
  }

  std::string condition_input() const { return graph_->input(1).name(); }

  // The name that the body's condition is a copy of.
  std::string condition_source() const {
    std::string name = graph_->output(0).name();
    const onnx::NodeProto* node = producer_of(*graph_, name);
    while (node && node->op_type() == "Identity" && node->input_size() == 1) {
      name = node->input(0);
      node = producer_of(*graph_, name);
    }
    return name;
  }

  // True if the name follows from numbers of the model and of the round alone.
  bool follows_from_numbers(const std::string& name, int budget = 32) {
    if (name.empty() || name == graph_->input(0).name() || name == condition_input()) return true;
    if (budget == 0) return false;
    for (int k = 2; k < graph_->input_size(); ++k)
      if (graph_->input(k).name() == name) return false;
    for (const onnx::TensorProto& constant : graph_->initializer())
      if (constant.name() == name) return true;
    if (const onnx::NodeProto* node = producer_of(*graph_, name))
      return !holds_graph(*node) &&
             std::all_of(node->input().begin(), node->input().end(),
                         [&](const std::string& input) { return follows_from_numbers(input, budget - 1); });
    Term* outer = node_.importer().find(node_.scope(), name);
    return outer && outer->known;
  }

  std::optional<int64_t> rounds_to_unroll() {
    auto rounds = known_element(0, Index(INT64_MAX)), condition = known_element(1, Index(1));
    if (condition && condition->is(0)) return 0;
    if (!rounds || !rounds->constant() || !condition || !condition->constant()) return std::nullopt;
    int64_t most = std::min(kMostUnrolledRounds, kMostUnrolledNodes / std::max<int64_t>(1, count_nodes(*graph_)));
    bool ends = *rounds->constant() <= most;
    if (!ends || !follows_from_numbers(graph_->output(0).name())) return std::nullopt;
    return std::max<int64_t>(0, *rounds->constant());
  }

  Result<Terms> unroll(int64_t rounds) {
    Terms values;
    for (size_t k = 0; k < carried_; ++k) values.push_back(node_.term(k + 2));
    std::vector<Values> slices(stacked_);
    for (int64_t round = 0; round < rounds; ++round) {
      Terms inputs{known_term({ir::DType::I64, {}, {Index(round)}}), known_term({ir::DType::Bool, {}, {Index(1)}})};
      inputs.insert(inputs.end(), values.begin(), values.end());
      Terms results = inline_graph(node_, *graph_, inputs);
      if (any_refused(results)) return Error{};
      for (size_t k = 0; k < carried_; ++k) values[k] = results[k + 1];
      for (size_t k = 0; k < stacked_; ++k) {
        HONE_TRY(ValueId slice, slice_of(results[carried_ + 1 + k]));
        slices[k].push_back(slice);
      }
      const std::optional<Known>& go = results[0].known;
      if (!go || go->elements.size() != 1 || !go->elements[0].constant())
        return error("its condition is not known after round {}; one that depends on the round alone would work",
                     round);
      if (go->elements[0].is(0)) break;
    }
    for (const Values& parts : slices) {
      if (parts.empty()) return error("it takes no round, so that the sizes of its stacked results are not known");
      HONE_TRY(ValueId stack, node_.emit(OpKind::Concat, parts, {{"axis", int64_t{0}}}));
      values.push_back(value_term(stack));
    }
    return values;
  }

  Result<ValueId> slice_of(Term& term) {
    if (!term.is_tensor()) return error("it stacks a sequence or an optional; tensors would work");
    ValueId id = node_.importer().value_of(*node_.scope().frame, term);
    ir::Shape shape = node_.type_of(id).shape;
    shape.insert(shape.begin(), Index(1));
    return node_.reshape(id, shape);
  }

  Result<Terms> loop() {
    Body body;
    HONE_PASS(read_body(body));
    HONE_TRY(ValueId rounds, one(0, ir::DType::I64, INT64_MAX));
    HONE_TRY(ValueId condition, one(1, ir::DType::Bool, 1));
    Values inputs{rounds, condition};
    std::vector<ir::TensorType> types;
    for (size_t k = 0; k < carried_; ++k) {
      inputs.push_back(node_.input(k + 2));
      types.push_back(node_.type_of(inputs.back()));
    }
    inputs.insert(inputs.end(), body.frame.captured.begin(), body.frame.captured.end());
    for (size_t k = 0; k < stacked_; ++k) {
      HONE_TRY(Index length, stack_length(body));
      ir::TensorType type = body.frame.program.type(body.frame.program.outputs[carried_ + 1 + k]);
      type.shape.insert(type.shape.begin(), length);
      types.push_back(type);
    }
    HONE_TRY(Values made, node_.emit_many(OpKind::Loop, inputs, {{"carried", static_cast<int64_t>(carried_)}},
                                          {std::move(body.frame.program)}, types));
    Terms terms;
    for (ValueId id : made) terms.push_back(value_term(id));
    return terms;
  }

  Status read_body(Body& body) {
    begin_body(node_, body, "round");
    Importer::Open open(node_.importer(), body.scope);
    add_input(node_, body, graph_->input(0).name(), {ir::DType::I64, {}});
    add_input(node_, body, condition_input(), {ir::DType::Bool, {}});
    for (size_t k = 0; k < carried_; ++k)
      add_input(node_, body, graph_->input(static_cast<int>(k) + 2).name(), node_.type(k + 2));
    HONE_PASS(import_body(node_, *graph_, body));
    HONE_PASS(add_results(node_.importer(), body));
    HONE_PASS(make_scalar(body));
    for (size_t k = 0; k < carried_; ++k)
      HONE_PASS(settle_type(
          node_.importer(), body, k + 1, [&] { return node_.type(k + 2); },
          fmt::format("carried value '{}'", graph_->input(static_cast<int>(k) + 2).name())));
    return Done{};
  }

  // The body's condition may have any rank.
  Status make_scalar(Body& body) {
    ir::Program& program = body.frame.program;
    ir::TensorType type = program.type(program.outputs[0]);
    if (type.dtype != ir::DType::Bool || !product(type.shape).is(1))
      return error("its body's condition is not one bool");
    if (type.shape.empty()) return Done{};
    ir::Op op{OpKind::Reshape, "condition", {program.outputs[0]}, {}, {}, {}};
    HONE_TRY(auto made, node_.importer().emit(body.frame, {std::move(op), {{ir::DType::Bool, {}}}, "condition"}));
    program.outputs[0] = made[0];
    return Done{};
  }

  Result<ValueId> one(size_t k, ir::DType type, int64_t otherwise) {
    if (node_.has(k)) return node_.reshape(node_.input(k), {});
    return node_.constant({type, {}}, constant_of(type, std::vector<int64_t>{otherwise}));
  }

  // Slices are stacked where all rounds take place.
  Result<Index> stack_length(const Body& body) const {
    auto rounds = known_element(0, Index(INT64_MAX)), condition = known_element(1, Index(1));
    const std::optional<Known>& again = body.results[0].known;
    bool goes_on = condition_source() == condition_input() || (again && again->elements[0].is(1));
    if (!node_.has(0) || !rounds || !is_reasonable(*rounds) || !condition || !condition->is(1) || !goes_on)
      return error(
          "the length of its stacked results depends on data; a number of rounds that is a number or a size, and a "
          "condition that always holds, would work");
    return max(Index(0), *rounds);
  }

  Node& node_;
  const onnx::GraphProto* graph_;
  size_t carried_ = 0, stacked_ = 0;
};

}  // namespace

Result<Terms> map_loop(Node& node) {
  return LoopNode(node).run();
}

}  // namespace hone::import
