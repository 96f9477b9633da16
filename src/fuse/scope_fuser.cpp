#include "fuse/scope_fuser.h"

#include <algorithm>

#include "fuse/attention.h"
#include "fuse/control/scan.h"
#include "fuse/reads.h"
#include "fuse/turned.h"

namespace hone::fuse {

using ir::Call;
using ir::MeaningKind;
using ir::ValueId;

ScopeFuser::ScopeFuser(GraphWriter& writer, const ir::Program& program) : writer_(writer) {
  scope_.parts = partition::partition(program);
  find_learned(scope_);
}

void ScopeFuser::bind_inputs(const std::vector<int>& edges) {
  const std::vector<ValueId>& inputs = scope_.flow().program.inputs;
  for (size_t i = 0; i < inputs.size(); ++i) edges_[inputs[i]] = edges[i];
}

void ScopeFuser::bind_outputs(const std::vector<int>& edges) {
  const std::vector<ValueId>& outputs = scope_.flow().program.outputs;
  for (size_t i = 0; i < outputs.size(); ++i) edges_[outputs[i]] = edges[i];
}

Status ScopeFuser::run(std::vector<Call>& calls) {
  auto is_weight = [&](ValueId value) { return writer_.edge(edge_of(value)).kind == ir::Edge::Kind::Constant; };
  for (const partition::Cluster& cluster : scope_.parts.clusters) {
    drafts_.push_back(draft_cluster(scope_, cluster));
    if (!cluster.attention) turn_operand(drafts_.back(), scope_.flow().program, is_weight);
  }
  demand_views();
  find_needed();
  for (int unit : scope_.parts.order) {
    if (unit < 0) {
      HONE_PASS(write_op(-1 - unit, calls));
    } else if (const Draft& draft = drafts_[static_cast<size_t>(unit)]; is_needed(draft)) {
      write(draft, calls);
    }
  }
  return Done{};
}

// Views that nobody can read through: outputs and operands of ops that are no tile programs.
void ScopeFuser::demand_views() {
  const partition::Flow& flow = scope_.flow();
  auto demand = [&](ValueId value) {
    if (auto view = unmaterialised_view(scope_, Read{value, false, {}, {}})) scope_.materialised.insert(*view);
  };
  for (ValueId output : flow.program.outputs) demand(output);
  for (size_t i = 0; i < flow.program.ops.size(); ++i) {
    MeaningKind kind = flow.kind(static_cast<int>(i));
    if (kind == MeaningKind::Indexed || kind == MeaningKind::View) continue;
    for (ValueId input : flow.program.ops[i].inputs)
      if (input != ir::kAbsent) demand(kind == MeaningKind::Scan ? affine_route(scope_, input).root : input);
  }
  for (ValueId value : scope_.materialised) view_drafts_.emplace(value, draft_view(scope_, value));
}

// Values that something reads from memory. What every reader has put into its body is not among them.
void ScopeFuser::find_needed() {
  const partition::Flow& flow = scope_.flow();
  auto need_reads = [&](const Draft& draft) {
    for (const Step& step : draft.steps)
      for (const auto* reads : {&step.reads, &step.after})
        for (const Read& read : *reads)
          if (!read.inside) needed_.insert(read.value);
  };
  for (const Draft& draft : drafts_) need_reads(draft);
  for (const auto& [value, draft] : view_drafts_) need_reads(draft);
  needed_.insert(flow.program.outputs.begin(), flow.program.outputs.end());
  for (size_t i = 0; i < flow.program.ops.size(); ++i) {
    const ir::Op& op = flow.program.ops[i];
    if (flow.kind(static_cast<int>(i)) == MeaningKind::Indexed) continue;
    if (flow.kind(static_cast<int>(i)) == MeaningKind::View && op.kind != ir::OpKind::Concat) continue;
    for (ValueId input : op.inputs)
      if (input != ir::kAbsent)
        needed_.insert(op.kind == ir::OpKind::Concat ? copied_from(scope_, input) : affine_route(scope_, input).root);
    needed_.insert(op.inputs.begin(), op.inputs.end());
    needed_.insert(op.outputs.begin(), op.outputs.end());
  }
}

bool ScopeFuser::is_needed(const Draft& draft) const {
  return std::any_of(draft.stores.begin(), draft.stores.end(),
                     [&](const Store& store) { return needed_.count(store.to) > 0; });
}

int ScopeFuser::edge_of(ValueId value) {
  auto [found, fresh] = edges_.try_emplace(value, 0);
  if (!fresh) return found->second;
  const ir::Value& described = scope_.flow().value(value);
  ir::Edge edge;
  edge.kind = described.constant ? ir::Edge::Kind::Constant : ir::Edge::Kind::Buffer;
  edge.name = described.name;
  edge.type = described.type;
  edge.constant = described.constant;
  found->second = writer_.add_edge(std::move(edge));
  return found->second;
}

void ScopeFuser::write(const Draft& draft, std::vector<Call>& calls) {
  const ir::Program& program = scope_.flow().program;
  write(draft.attention ? emit_attention(draft, program) : emit(draft, program), draft.label, calls);
}

void ScopeFuser::write(Emitted emitted, const std::string& label, std::vector<Call>& calls) {
  std::vector<int> edges;
  for (ValueId value : emitted.buffers) edges.push_back(edge_of(value));
  calls.push_back(writer_.call(std::move(emitted.kernel), std::move(edges), label));
}

Status ScopeFuser::write_op(int op, std::vector<Call>& calls) {
  switch (scope_.flow().kind(op)) {
    case MeaningKind::View: {
      ValueId result = scope_.flow().op(op).outputs[0];
      if (scope_.flow().op(op).kind == ir::OpKind::Concat)
        write_concat(op, calls);
      else if (scope_.materialised.count(result))
        write_view(result, calls);
      return Done{};
    }
    case MeaningKind::Control:
      return scope_.flow().op(op).kind == ir::OpKind::Loop ? write_loop(op, calls) : write_if(op, calls);
    case MeaningKind::Scan: {
      HONE_TRY(Emitted emitted, emit_scan(scope_, scope_.flow().op(op)));
      write(std::move(emitted), scope_.flow().op(op).name, calls);
      return Done{};
    }
    case MeaningKind::Trim:
    case MeaningKind::Library:
      return write_library(op, calls);
    case MeaningKind::Indexed:
    case MeaningKind::Composite:
      break;
  }
  return error("{} node '{}' has no kernel yet", ir::name_of(scope_.flow().op(op).kind), scope_.flow().op(op).name);
}

void ScopeFuser::write_view(ValueId result, std::vector<Call>& calls) {
  const partition::Flow& flow = scope_.flow();
  const ir::Op& view = flow.op(flow.producer(result));
  const Draft& draft = view_drafts_.at(result);
  bool in_place = draft.stores.size() == 1 && draft.stores[0].to == result;
  bool of_memory = !unmaterialised_view(scope_, Read{view.inputs[0], false, {}, {}});
  if (view.kind == ir::OpKind::Reshape && in_place && of_memory && !flow.is_output(result)) {
    Call alias;
    alias.kind = Call::Kind::Alias;
    alias.label = view.name;
    alias.edges = {edge_of(result), edge_of(view.inputs[0])};
    calls.push_back(std::move(alias));
    return;
  }
  write(draft, calls);
}

void ScopeFuser::write_concat(int op, std::vector<Call>& calls) {
  // Whoever fills this one fills the concatenations that it is a piece of, too.
  ValueId result = scope_.flow().op(op).outputs[0];
  partition::Coordinate origin(scope_.flow().program.type(result).shape.size(), ir::Index(0));
  for (const Destination& where : destinations(scope_, result, origin))
    if (where.piece) scope_.placed.insert(*where.piece);
  ir::View view = ir::view_meaning(scope_.flow().program, scope_.flow().op(op));
  for (const ir::ViewPiece& piece : view.pieces)
    if (!scope_.placed.count({op, piece.operand})) write(draft_piece(scope_, op, view, piece), calls);
}

// Results that nobody takes are written all the same: the function does not know.
Status ScopeFuser::write_library(int number, std::vector<Call>& calls) {
  const ir::Program& program = scope_.flow().program;
  const ir::Op& op = scope_.flow().op(number);
  HONE_TRY(std::vector<ir::TensorType> types, infer_types(program, op));
  ir::LibraryMeaning meaning = library_meaning(program, op);
  Call call;
  call.kind = Call::Kind::Library;
  call.label = op.name;
  call.function = meaning.function;
  call.integers = meaning.integers;
  call.outputs = types.size();
  for (ValueId input : op.inputs) call.edges.push_back(edge_of(input));
  for (size_t k = 0; k < types.size(); ++k) {
    bool taken = k < op.outputs.size() && op.outputs[k] != ir::kAbsent;
    ir::Edge unused;
    unused.name = op.name + ".unused";
    unused.type = types[k];
    call.edges.push_back(taken ? edge_of(op.outputs[k]) : writer_.add_edge(std::move(unused)));
  }
  calls.push_back(std::move(call));
  return Done{};
}

Status ScopeFuser::write_if(int op, std::vector<Call>& calls) {
  const ir::Op& control = scope_.flow().op(op);
  Call call;
  call.kind = Call::Kind::If;
  call.label = control.name;
  call.edges = {edge_of(control.inputs[0])};
  std::vector<int> captures, results;
  for (size_t i = 1; i < control.inputs.size(); ++i) captures.push_back(edge_of(control.inputs[i]));
  for (ValueId output : control.outputs) results.push_back(edge_of(output));
  for (const ir::Program& body : control.bodies) {
    ScopeFuser inner(writer_, body);
    inner.bind_inputs(captures);
    inner.bind_outputs(results);
    call.bodies.emplace_back();
    HONE_PASS(inner.run(call.bodies.back()));
  }
  calls.push_back(std::move(call));
  return Done{};
}

}  // namespace hone::fuse
