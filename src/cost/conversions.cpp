#include "cost/conversions.h"

#include <algorithm>

#include "cost/layouts.h"
#include "cost/stride.h"

namespace hone::cost {
namespace {

using ir::Index;

// Cycles of one core. In row-major order every channel of a pixel lies in another line, which costs a window the more the more
// channels there are. Without a window vectors run along the pixels, and only very many long steps hurt.
constexpr double kMultiplyAddsPerCycle = 16;
constexpr double kLostPerChannel = 0.001, kLeastLost = 0.1;
constexpr double kLostByLongSteps = 0.3;
constexpr double kCopyOfAnElement = 0.7;
constexpr int64_t kFewChannels = 8;    // so few channels fill no vector and are read as they lie
constexpr double kManyChannels = 256;  // more rows than translations of addresses are kept for

double points_of(const ir::Kernel& kernel, const Use& use, const std::vector<ir::GroupAxis>& axes) {
  double points = 1;
  for (const ir::GroupAxis& axis : axes) points *= static_cast<double>(extent_of(kernel, use, axis.axis));
  return points;
}

// What the call loses if its operands stay row-major.
double lost_cycles(const ir::Kernel& kernel, const Use& use, const std::set<int>& wanting) {
  double lost = 0;
  for (const ir::Group* group : ir::groups_of(kernel)) {
    if (!is_contraction(*group)) continue;
    double work = points_of(kernel, use, group->parallel) * points_of(kernel, use, group->over) / kMultiplyAddsPerCycle;
    for (const ir::Access& access : group->inner.front().accesses) {
      if (!wanting.contains(access.operand)) continue;
      auto channel = access.index[1].axes();
      bool reduced = channel.size() == 1 && std::any_of(group->over.begin(), group->over.end(),
                                                        [&](const ir::GroupAxis& a) { return a.axis == channel[0]; });
      if (!reduced) continue;
      auto channels = extent_of(kernel, use, channel[0]);
      if (channels < kFewChannels) continue;
      bool window = group->over.size() > 1;
      if (window)
        lost += work * std::max(kLeastLost, kLostPerChannel * static_cast<double>(channels));
      else if (static_cast<double>(channels) >= kManyChannels)
        lost += kLostByLongSteps * work;
    }
  }
  return lost;
}

// Results of a window's taps come slowly enough to be copied at leisure; those of a plain product are stored where they belong, turned
// in registers, in less time than a copy takes.
bool has_window(const ir::Kernel& kernel) {
  auto groups = ir::groups_of(kernel);
  return std::any_of(groups.begin(), groups.end(),
                     [](const ir::Group* group) { return is_contraction(*group) && group->over.size() > 1; });
}

// Copies every element; which order is read and written follows from the layouts of its buffers.
ir::Kernel copy_kernel(ir::DType type, size_t rank) {
  ir::Kernel kernel;
  kernel.name = fmt::format("convert_{}_{}d", ir::name_of(type), rank);
  ir::Shape shape;
  std::vector<Index> at;
  ir::Group group;
  for (size_t d = 0; d < rank; ++d) {
    Index size = Index::symbol(fmt::format("D_e{}", d));
    std::string axis = fmt::format("e{}", d);
    shape.push_back(size);
    at.push_back(Index::axis(axis));
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
    if (d > 0) nest.step = Index::symbol("T_" + nest.axis);
    nest.body = std::move(kernel.body);
    kernel.body = {std::make_shared<const ir::Nest>(std::move(nest))};
  }
  return kernel;
}

class Conversion {
 public:
  explicit Conversion(ir::KernelGraph graph) : graph_(std::move(graph)) { find_convertible(); }

  ir::KernelGraph run() {
    std::set<int> chosen = choose();
    if (chosen.empty()) return std::move(graph_);
    for (int edge : chosen) add_copy(edge);
    return std::move(graph_);
  }

 private:
  // Inputs, and outputs that only kernel calls of the graph itself touch.
  void find_convertible() {
    for (size_t e = 0; e < graph_.edges.size(); ++e)
      if (is_boundary(graph_.edges[e].kind) && graph_.edges[e].type.shape.size() >= 3)
        convertible_.insert(static_cast<int>(e));
    auto drop_outputs = [&](const ir::Call& call) {
      for (int edge : call.edges)
        if (graph_.edges[static_cast<size_t>(edge)].kind == ir::Edge::Kind::Output) convertible_.erase(edge);
    };
    for (const ir::Call& call : graph_.calls) {
      if (call.kind != ir::Call::Kind::Kernel) drop_outputs(call);
      for (const auto& body : call.bodies) visit_calls(body, drop_outputs);
    }
  }

  static bool is_boundary(ir::Edge::Kind kind) {
    return kind == ir::Edge::Kind::Input || kind == ir::Edge::Kind::Output;
  }

  // Only calls of the graph itself: what runs in a branch or a loop may not run at all, or often.
  std::set<int> choose() const {
    std::set<int> chosen;
    for (const ir::Call& call : graph_.calls) {
      if (call.kind != ir::Call::Kind::Kernel) continue;
      const ir::Kernel& kernel = graph_.kernels[static_cast<size_t>(call.kernel)];
      std::set<int> wanting = wants_channels_last(kernel, constants_of(graph_, call));
      Use use = use_of(graph_, call, {});
      double cost = 0;
      std::set<int> edges;
      for (int buffer : wanting) {
        int edge = call.edges[static_cast<size_t>(buffer)];
        const bool output = graph_.edges[static_cast<size_t>(edge)].kind == ir::Edge::Kind::Output;
        if (!convertible_.contains(edge) || (output && !has_window(kernel)) || !edges.insert(edge).second) continue;
        const int64_t elements = elements_of(kernel.buffers[static_cast<size_t>(buffer)], use);
        cost += chosen.contains(edge) ? 0 : kCopyOfAnElement * static_cast<double>(elements);
      }
      if (lost_cycles(kernel, use, wanting) > cost) chosen.insert(edges.begin(), edges.end());
    }
    return chosen;
  }

  void add_copy(int edge) {
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
  }

  std::string fresh_name(std::string name) const {
    auto taken = [&](const ir::Edge& edge) { return edge.name == name; };
    while (std::any_of(graph_.edges.begin(), graph_.edges.end(), taken)) name += "_";
    return name;
  }

  int kernel_for(const ir::TensorType& type) {
    ir::Kernel kernel = copy_kernel(type.dtype, type.shape.size());
    for (size_t k = 0; k < graph_.kernels.size(); ++k)
      if (graph_.kernels[k].name == kernel.name) return static_cast<int>(k);
    graph_.kernels.push_back(std::move(kernel));
    return static_cast<int>(graph_.kernels.size()) - 1;
  }

  ir::KernelGraph graph_;
  std::set<int> convertible_;
};

}  // namespace

ir::KernelGraph with_conversions(ir::KernelGraph graph) {
  return Conversion(std::move(graph)).run();
}

}  // namespace hone::cost
