#include "cost/layout/channels_last.h"

#include <algorithm>

#include "cost/stride.h"

namespace hone::cost {
namespace {

using ir::Index;

bool uses_any(const Index& index, const std::set<std::string>& axes) {
  return std::any_of(axes.begin(), axes.end(), [&](const std::string& axis) { return index.uses_axis(axis); });
}

bool is_over(const ir::Group& group, const std::string& axis) {
  return std::any_of(group.over.begin(), group.over.end(), [&](const ir::GroupAxis& a) { return a.axis == axis; });
}

// A window of a number of taps that is known slides over this dimension.
bool is_window(const ir::Kernel& kernel, const ir::Group& group, const Index& index) {
  return slides(index, group) && std::any_of(group.over.begin(), group.over.end(), [&](const ir::GroupAxis& tap) {
           return index.uses_axis(tap.axis) && kernel.extent(tap.axis).constant();
         });
}

}  // namespace

void visit_calls(const std::vector<ir::Call>& calls, const std::function<void(const ir::Call&)>& visit) {
  for (const ir::Call& call : calls) {
    visit(call);
    for (const auto& body : call.bodies) visit_calls(body, visit);
  }
}

std::set<int> wants_channels_last(const ir::Kernel& kernel, const std::set<int>& constants) {
  std::set<int> wanting;
  for (const ir::Group* group : ir::groups_of(kernel)) {
    bool found = false;
    std::set<std::string> pixels;
    for (const ir::Stmt& stmt : group->inner) {
      if (stmt.combine == ir::Combine::None) continue;
      bool weighted = std::any_of(stmt.accesses.begin(), stmt.accesses.end(),
                                  [&](const ir::Access& a) { return constants.contains(a.operand); });
      for (const ir::Access& access : stmt.accesses) {
        if (access.operand >= static_cast<int>(kernel.buffers.size()) || constants.contains(access.operand) ||
            access.index.size() < 3)
          continue;
        auto slides = [&](const Index& index) { return is_window(kernel, *group, index); };
        bool window = std::any_of(access.index.begin() + 1, access.index.end(), slides);
        const bool channels_first = !slides(access.index[1]);
        auto channel = access.index[1].axes();
        bool reduced =
            weighted && channel.size() == 1 && is_over(*group, channel[0]) &&
            std::none_of(access.index.begin() + 2, access.index.end(), [&](const Index& i) {
              auto axes = i.axes();
              return std::any_of(axes.begin(), axes.end(), [&](const std::string& a) { return is_over(*group, a); });
            });
        if (!window && !reduced) continue;
        found = true;
        if (channels_first) wanting.insert(access.operand);
        for (size_t d = 1; d < access.index.size(); ++d)
          if (channels_first ? d > 1 : slides(access.index[d]))
            for (const std::string& axis : access.index[d].axes()) pixels.insert(axis);
      }
    }
    if (!found) continue;
    for (const auto* stmts : {&group->inner, &group->outer})
      for (const ir::Stmt& stmt : *stmts)
        if (stmt.at.size() >= 3 && !uses_any(stmt.at[1], pixels) &&
            kernel.place_of(stmt.result) < static_cast<int>(kernel.buffers.size()))
          wanting.insert(kernel.place_of(stmt.result));
  }
  return wanting;
}

std::set<int> constants_of(const ir::KernelGraph& graph, const ir::Call& call) {
  std::set<int> constants;
  for (size_t b = 0; b < call.edges.size(); ++b)
    if (graph.edges[static_cast<size_t>(call.edges[b])].kind == ir::Edge::Kind::Constant)
      constants.insert(static_cast<int>(b));
  return constants;
}

layout::Layout channels_last(size_t rank) {
  std::vector<int> order = {0};
  for (int d = 2; d < static_cast<int>(rank); ++d) order.push_back(d);
  order.push_back(1);
  return layout::permuted(order);
}

namespace {

bool is_boundary(const ir::Edge& edge) {
  return edge.kind == ir::Edge::Kind::Input || edge.kind == ir::Edge::Kind::Output;
}

class Candidates {
 public:
  explicit Candidates(const ir::KernelGraph& graph) : graph_(graph) {}

  std::set<int> run() {
    find_fixed();
    find_wanted();
    while (grow()) {
    }
    return std::move(found_);
  }

 private:
  void find_fixed() {
    for (size_t e = 0; e < graph_.edges.size(); ++e)
      if (graph_.edges[e].kind == ir::Edge::Kind::Constant) fixed_.insert(static_cast<int>(e));
    visit_calls(graph_.calls, [&](const ir::Call& call) {
      if (call.kind != ir::Call::Kind::Kernel) fixed_.insert(call.edges.begin(), call.edges.end());
    });
    auto fix_boundary = [&](const ir::Call& call) {
      for (int edge : call.edges)
        if (is_boundary(graph_.edges[static_cast<size_t>(edge)])) fixed_.insert(edge);
    };
    for (const ir::Call& call : graph_.calls)
      for (const auto& body : call.bodies) visit_calls(body, fix_boundary);
  }

  void find_wanted() {
    visit_calls(graph_.calls, [&](const ir::Call& call) {
      if (call.kind != ir::Call::Kind::Kernel) return;
      const ir::Kernel& kernel = graph_.kernels[static_cast<size_t>(call.kernel)];
      for (int buffer : wants_channels_last(kernel, constants_of(graph_, call)))
        if (int edge = call.edges[static_cast<size_t>(buffer)]; !fixed_.contains(edge)) found_.insert(edge);
    });
  }

  // Kernels without a wish of their own carry the order on to edges of the same shape.
  bool grow() {
    const size_t before = found_.size();
    visit_calls(graph_.calls, [&](const ir::Call& call) {
      if (call.kind != ir::Call::Kind::Kernel) return;
      for (int from : call.edges) {
        if (!found_.contains(from)) continue;
        for (int to : call.edges) {
          const ir::Edge& edge = graph_.edges[static_cast<size_t>(to)];
          if (!fixed_.contains(to) && !is_boundary(edge) &&
              edge.type.shape == graph_.edges[static_cast<size_t>(from)].type.shape)
            found_.insert(to);
        }
      }
    });
    return found_.size() > before;
  }

  const ir::KernelGraph& graph_;
  std::set<int> fixed_, found_;
};

}  // namespace

std::set<int> may_be_channels_last(const ir::KernelGraph& graph) {
  return Candidates(graph).run();
}

}  // namespace hone::cost
