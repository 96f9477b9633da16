#include "fuse/fuse.h"

#include "fuse/scope_fuser.h"

namespace hone::fuse {

Result<ir::KernelGraph> fuse(const ir::Program& program) {
  GraphWriter writer(program.name);
  auto signature = [&](const std::vector<ir::ValueId>& values, ir::Edge::Kind kind) {
    std::vector<int> edges;
    for (ir::ValueId id : values) {
      const ir::Value& value = program.values[static_cast<size_t>(id)];
      edges.push_back(writer.add_edge({kind, value.name, value.type, static_cast<int>(edges.size()), {}}));
    }
    return edges;
  };
  ScopeFuser scope(writer, program);
  scope.bind_inputs(signature(program.inputs, ir::Edge::Kind::Input));
  scope.bind_outputs(signature(program.outputs, ir::Edge::Kind::Output));
  std::vector<ir::Call> calls;
  HONE_PASS(scope.run(calls));
  return writer.finish(std::move(calls));
}

}  // namespace hone::fuse
