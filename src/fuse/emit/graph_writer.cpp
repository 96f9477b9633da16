#include "fuse/emit/graph_writer.h"

#include <utility>

#include "fuse/sizes.h"

namespace hone::fuse {

int GraphWriter::add_edge(ir::Edge edge) {
  std::string stem = edge.name.empty() ? "t" : edge.name;
  edge.name = stem;
  for (int n = 2; !edge_names_.insert(edge.name).second; ++n) edge.name = fmt::format("{}_{}", stem, n);
  graph_.edges.push_back(std::move(edge));
  return static_cast<int>(graph_.edges.size()) - 1;
}

ir::Call GraphWriter::call(ir::Kernel kernel, std::vector<int> edges, std::string label) {
  ir::Call call;
  call.kind = ir::Call::Kind::Kernel;
  call.label = std::move(label);
  call.edges = std::move(edges);
  call.sizes = abstract_sizes(kernel);
  std::string name = std::exchange(kernel.name, std::string("k"));
  auto [found, fresh] = kernels_.try_emplace(ir::text_of(kernel), static_cast<int>(graph_.kernels.size()));
  call.kernel = found->second;
  if (fresh) {
    int count = ++kernel_names_[name];
    kernel.name = count == 1 ? name : fmt::format("{}_{}", name, count);
    graph_.kernels.push_back(std::move(kernel));
  }
  return call;
}

ir::KernelGraph GraphWriter::finish(std::vector<ir::Call> calls) {
  graph_.calls = std::move(calls);
  return std::move(graph_);
}

}  // namespace hone::fuse
