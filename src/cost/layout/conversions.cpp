#include "cost/layout/conversions.h"

#include <algorithm>

namespace hone::cost {
namespace {

// Copies every element; which order is read and written follows from the layouts of its buffers.
ir::Kernel copy_kernel(ir::DType type, size_t rank) {
  ir::Kernel kernel;
  kernel.name = fmt::format("convert_{}_{}d", ir::name_of(type), rank);
  ir::Shape shape;
  std::vector<ir::Index> at;
  ir::Group group;
  for (size_t d = 0; d < rank; ++d) {
    const ir::Index size = ir::Index::symbol(fmt::format("D_e{}", d));
    std::string axis = fmt::format("e{}", d);
    shape.push_back(size);
    at.push_back(ir::Index::axis(axis));
    kernel.axes.push_back({axis, size});
    group.parallel.push_back({axis, {}, {}});
  }
  kernel.buffers = {{"x0", type, shape, false}, {"y0", type, shape, true}};
  ir::Stmt stmt;
  stmt.result = "y0";
  stmt.at = at;
  stmt.accesses = {{0, at, {}}};
  stmt.body = ir::access_value(type, 0);
  group.inner = {stmt};
  kernel.body = {group};
  for (size_t d : {2, 1, 0}) {
    ir::Nest nest;
    nest.grid = true;
    nest.axis = kernel.axes[d].name;
    if (d > 0) nest.step = ir::Index::symbol("T_" + nest.axis);
    nest.body = std::move(kernel.body);
    kernel.body = {std::make_shared<const ir::Nest>(std::move(nest))};
  }
  return kernel;
}

class Copies {
 public:
  explicit Copies(ir::KernelGraph& graph) : graph_(graph) {}

  // The edge between the kernels and the copy.
  int add(int edge) {
    const bool input = graph_.edges[static_cast<size_t>(edge)].kind == ir::Edge::Kind::Input;
    int copy = static_cast<int>(graph_.edges.size());
    ir::Edge inner = graph_.edges[static_cast<size_t>(edge)];
    inner.kind = ir::Edge::Kind::Buffer;
    inner.name = fresh_name(inner.name + (input ? "_in" : "_out"));
    ir::Call call;
    call.label = fmt::format("convert {}", graph_.edges[static_cast<size_t>(edge)].name);
    call.kernel = kernel_for(inner.type);
    for (size_t d = 0; d < inner.type.shape.size(); ++d) call.sizes[fmt::format("D_e{}", d)] = inner.type.shape[d];
    call.edges = input ? std::vector<int>{edge, copy} : std::vector<int>{copy, edge};
    graph_.edges.push_back(std::move(inner));
    size_t at = input ? graph_.calls.size() : 0;
    for (size_t c = 0; c < graph_.calls.size(); ++c) {
      ir::Call& user = graph_.calls[c];
      if (user.kind != ir::Call::Kind::Kernel) continue;
      for (size_t b = 0; b < user.edges.size(); ++b) {
        if (user.edges[b] != edge) continue;
        user.edges[b] = copy;
        bool writes = graph_.kernels[static_cast<size_t>(user.kernel)].buffers[b].output;
        if (input)
          at = std::min(at, c);
        else if (writes)
          at = c + 1;
      }
    }
    graph_.calls.insert(graph_.calls.begin() + static_cast<std::ptrdiff_t>(at), std::move(call));
    return copy;
  }

 private:
  std::string fresh_name(std::string name) const {
    auto taken = [&](const ir::Edge& edge) { return edge.name == name; };
    while (std::any_of(graph_.edges.begin(), graph_.edges.end(), taken)) name += "_";
    return name;
  }

  int kernel_for(const ir::TensorType& type) {
    ir::Kernel kernel = copy_kernel(type.dtype, type.shape.size());
    auto& kernels = graph_.kernels;
    for (;;) {
      auto named =
          std::find_if(kernels.begin(), kernels.end(), [&](const ir::Kernel& k) { return k.name == kernel.name; });
      if (named == kernels.end()) break;
      if (ir::text_of(*named) == ir::text_of(kernel)) return static_cast<int>(named - kernels.begin());
      kernel.name += "_";  // the model has a kernel of that name
    }
    kernels.push_back(std::move(kernel));
    return static_cast<int>(kernels.size()) - 1;
  }

  ir::KernelGraph& graph_;
};

}  // namespace

std::map<int, int> add_copies(ir::KernelGraph& graph, std::map<int, layout::Layout>& layouts) {
  std::map<int, int> copies;
  std::map<int, layout::Layout> inner;
  for (auto& [edge, layout] : layouts) {
    const bool outside = graph.edges[static_cast<size_t>(edge)].kind != ir::Edge::Kind::Buffer;
    if (outside) copies[edge] = Copies(graph).add(edge);
    inner.emplace(outside ? copies[edge] : edge, std::move(layout));
  }
  layouts = std::move(inner);
  return copies;
}

}  // namespace hone::cost
