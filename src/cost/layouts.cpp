#include "cost/layouts.h"

#include <algorithm>
#include <set>

namespace hone::cost {
namespace {

using ir::Index;

bool uses_any(const Index& index, const std::set<std::string>& axes) {
  return std::any_of(axes.begin(), axes.end(), [&](const std::string& axis) { return index.uses_axis(axis); });
}

bool is_over(const ir::Group& group, const std::string& axis) {
  return std::any_of(group.over.begin(), group.over.end(), [&](const ir::GroupAxis& a) { return a.axis == axis; });
}

// The index moves with a parallel axis and one of a few taps at once: a window slides over this dimension.
bool is_window(const ir::Kernel& kernel, const ir::Group& group, const Index& index) {
  bool taps = false, parallel = false;
  for (const std::string& axis : index.axes()) {
    if (!is_over(group, axis))
      parallel = true;
    else if (kernel.extent(axis).constant())
      taps = true;
  }
  return taps && parallel;
}

layout::Layout channels_last(int rank) {
  std::vector<int> order = {0};
  for (int d = 2; d < rank; ++d) order.push_back(d);
  order.push_back(1);
  return layout::permuted(order);
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

std::map<int, layout::Layout> choose_edge_layouts(const ir::KernelGraph& graph) {
  std::set<int> fixed, wanting;
  for (size_t e = 0; e < graph.edges.size(); ++e)
    if (graph.edges[e].kind != ir::Edge::Kind::Buffer) fixed.insert(static_cast<int>(e));
  visit_calls(graph.calls, [&](const ir::Call& call) {
    if (call.kind != ir::Call::Kind::Kernel) fixed.insert(call.edges.begin(), call.edges.end());
  });
  auto rank = [&](int edge) { return graph.edges[static_cast<size_t>(edge)].type.shape.size(); };
  visit_calls(graph.calls, [&](const ir::Call& call) {
    if (call.kind != ir::Call::Kind::Kernel) return;
    const ir::Kernel& kernel = graph.kernels[static_cast<size_t>(call.kernel)];
    for (int buffer : wants_channels_last(kernel, constants_of(graph, call)))
      wanting.insert(call.edges[static_cast<size_t>(buffer)]);
  });
  // Kernels without a wish of their own carry the order on to edges of the same rank.
  for (bool grown = true; grown;) {
    grown = false;
    visit_calls(graph.calls, [&](const ir::Call& call) {
      if (call.kind != ir::Call::Kind::Kernel) return;
      for (int from : call.edges) {
        if (!wanting.contains(from) || fixed.contains(from)) continue;
        for (int to : call.edges) {
          bool same = rank(to) == rank(from) && graph.edges[static_cast<size_t>(to)].type.shape ==
                                                    graph.edges[static_cast<size_t>(from)].type.shape;
          if (same && !fixed.contains(to) && wanting.insert(to).second) grown = true;
        }
      }
    });
  }
  std::map<int, layout::Layout> layouts;
  for (int edge : wanting)
    if (!fixed.contains(edge)) layouts[edge] = channels_last(static_cast<int>(rank(edge)));
  return layouts;
}

}  // namespace hone::cost
