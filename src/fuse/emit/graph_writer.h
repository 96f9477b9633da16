// The kernel graph while it is written: edges with names of their own, kernels shared by calls.
#pragma once

#include "fuse/draft.h"
#include "ir/mugraph/kernel_graph.h"

namespace hone::fuse {

class GraphWriter {
 public:
  explicit GraphWriter(std::string name) { graph_.name = std::move(name); }

  int add_edge(ir::Edge edge);  // its name is made unique
  const ir::Edge& edge(int number) const { return graph_.edges[static_cast<size_t>(number)]; }

  // The call of a kernel whose sizes are still those of this call. Equal kernels are kept once.
  ir::Call call(ir::Kernel kernel, std::vector<int> edges, std::string label);

  ir::KernelGraph finish(std::vector<ir::Call> calls);

 private:
  ir::KernelGraph graph_;
  std::map<std::string, int> kernels_;       // by text without name
  std::map<std::string, int> kernel_names_;  // how often a name was given
  std::set<std::string> edge_names_;
};

}  // namespace hone::fuse
