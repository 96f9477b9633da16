#include "fuse/fuse.h"

#include "fuse/scope_fuser.h"

namespace hone::fuse {
namespace {

using ir::Index;
using Names = std::map<std::string, Index>;

void collect_symbols(const ir::Program& program, std::set<std::string>& names) {
  for (const ir::Value& value : program.values)
    for (const Index& size : value.type.shape)
      for (const std::string& name : size.symbols()) names.insert(name);
  for (const ir::Op& op : program.ops)
    for (const ir::Program& body : op.bodies) collect_symbols(body, names);
}

void rename(ir::Program& program, const Names& by) {
  for (ir::Value& value : program.values)
    for (Index& size : value.type.shape) size = size.substitute(by);
  for (ir::Op& op : program.ops)
    for (ir::Program& body : op.bodies) rename(body, by);
}

void rename(std::vector<ir::Call>& calls, const Names& by) {
  for (ir::Call& call : calls) {
    for (auto& [name, size] : call.sizes) size = size.substitute(by);
    for (Index& integer : call.integers) integer = integer.substitute(by);
    for (auto& body : call.bodies) rename(body, by);
  }
}

// Axes of kernels have names such as n and k, and an index knows an axis and a symbol of the same name as one: inside, a
// symbol of one letter has a longer name.
struct LongNames {
  Names there, back;

  explicit LongNames(const ir::Program& program) {
    std::set<std::string> names;
    collect_symbols(program, names);
    for (const std::string& name : std::set<std::string>(names)) {
      if (name.size() != 1) continue;
      std::string longer = name + "_size";
      while (!names.insert(longer).second) longer += "_";
      there[name] = Index::symbol(longer);
      back[longer] = Index::symbol(name);
    }
  }
};

Result<ir::KernelGraph> fuse_named(const ir::Program& program) {
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

}  // namespace

Result<ir::KernelGraph> fuse(const ir::Program& program) {
  LongNames names(program);
  if (names.there.empty()) return fuse_named(program);
  ir::Program renamed = program;
  rename(renamed, names.there);
  HONE_TRY(ir::KernelGraph graph, fuse_named(renamed));
  for (ir::Edge& edge : graph.edges)
    for (Index& size : edge.type.shape) size = size.substitute(names.back);
  rename(graph.calls, names.back);
  return graph;
}

}  // namespace hone::fuse
