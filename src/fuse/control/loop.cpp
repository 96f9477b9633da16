#include "fuse/scope_fuser.h"

namespace hone::fuse {

using ir::Call;
using ir::ValueId;

// Where a result of a loop lies; one that nobody takes needs memory all the same, for the rounds.
int ScopeFuser::result_edge(ValueId output, const ir::TensorType& type) {
  if (output != ir::kAbsent) return edge_of(output);
  return writer_.add_edge({ir::Edge::Kind::Buffer, "carried", type, 0, {}});
}

// What is carried lies in the loop's results; a round computes the next values beside them.
Status ScopeFuser::write_loop(int op, std::vector<Call>& calls) {
  const ir::Op& control = scope_.flow().op(op);
  const ir::Program& body = control.bodies[0];
  const auto carried = static_cast<size_t>(control.integer("carried", 0));
  auto buffer = [&](const std::string& name, const ir::TensorType& type) {
    return writer_.add_edge({ir::Edge::Kind::Buffer, name, type, 0, {}});
  };
  auto type_of = [&](size_t output) { return body.type(body.outputs[output]); };
  Call call;
  call.kind = Call::Kind::Loop;
  call.label = control.name;
  call.carried = static_cast<int>(carried) + 1;
  int round = buffer("round", {ir::DType::I64, {}});
  call.edges = {edge_of(control.inputs[0]), round};
  std::vector<int> inputs{round}, outputs;
  for (size_t k = 0; k <= carried; ++k) {
    int value = k == 0 ? buffer("condition", type_of(0))
                       : result_edge(control.outputs.size() >= k ? control.outputs[k - 1] : ir::kAbsent, type_of(k));
    int next = buffer("next", type_of(k));
    call.edges.insert(call.edges.end(), {value, edge_of(control.inputs[k + 1]), next});
    inputs.push_back(value);
    outputs.push_back(next);
  }
  for (size_t k = carried + 2; k < control.inputs.size(); ++k) inputs.push_back(edge_of(control.inputs[k]));
  for (size_t k = carried + 1; k < body.outputs.size(); ++k) {
    int slice = buffer("slice", type_of(k));
    outputs.push_back(slice);
    if (k <= control.outputs.size() && control.outputs[k - 1] != ir::kAbsent)
      call.edges.insert(call.edges.end(), {edge_of(control.outputs[k - 1]), slice});
  }
  ScopeFuser inner(writer_, body);
  inner.bind_inputs(inputs);
  inner.bind_outputs(outputs);
  call.bodies.emplace_back();
  HONE_PASS(inner.run(call.bodies.back()));
  calls.push_back(std::move(call));
  return Done{};
}

}  // namespace hone::fuse
