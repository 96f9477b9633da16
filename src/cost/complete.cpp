#include "cost/complete.h"

#include <algorithm>

#include "cost/conversions.h"
#include "cost/grid/tasks.h"
#include "cost/group/group_plan.h"
#include "cost/layouts.h"
#include "cost/merges.h"
#include "cost/weights.h"
#include "ir/plan/bind.h"

namespace hone::cost {
namespace {

using ir::Index;

class Completion {
 public:
  Completion(ir::KernelGraph graph, const target::Target& target) : graph_(std::move(graph)), target_(target) {
    result_.graph = graph_;
    result_.graph.kernels.clear();
    result_.plan.edge_layouts = choose_edge_layouts(graph_);
  }

  Completed run() {
    complete_calls(result_.graph.calls);
    return std::move(result_);
  }

 private:
  void complete_calls(std::vector<ir::Call>& calls) {
    for (ir::Call& call : calls) {
      for (auto& body : call.bodies) complete_calls(body);
      if (call.kind == ir::Call::Kind::Kernel) complete_call(call);
    }
  }

  void complete_call(ir::Call& call) {
    const ir::Kernel& kernel = graph_.kernels[static_cast<size_t>(call.kernel)];
    CompletedKernel found_plan = complete(kernel, {}, use_of(graph_, call, result_.plan.edge_layouts), target_);
    std::string key = fmt::format("{}\n{}", call.kernel, ir::text_of(found_plan.plan, kernel.name));
    auto [found, added] = known_.emplace(key, static_cast<int>(result_.graph.kernels.size()));
    if (added) {
      ir::Kernel copy = kernel;
      int repeat = names_[kernel.name]++;
      if (repeat > 0) copy.name = fmt::format("{}_p{}", kernel.name, repeat);
      result_.graph.kernels.push_back(std::move(copy));
      result_.plan.kernels.push_back(std::move(found_plan.plan));
      result_.reasons.push_back(std::move(found_plan.reasons));
    }
    call.kernel = found->second;
  }

  ir::KernelGraph graph_;
  const target::Target& target_;
  Completed result_;
  std::map<std::string, int> known_;
  std::map<std::string, int> names_;
};

// A reduction over a few taps, whose places on the border are known with the sizes.
bool is_window(const ir::Kernel& kernel, const ir::Group& group) {
  return !group.over.empty() && std::all_of(group.over.begin(), group.over.end(), [&](const ir::GroupAxis& axis) {
    return kernel.extent(axis.axis).constant().has_value();
  });
}

// A contraction has code for every size of register tile that can occur; known sizes leave one or two of them.
std::map<std::string, int64_t> choose_pins(const ir::Kernel& kernel, const Use& use) {
  std::map<std::string, int64_t> pins;
  for (const ir::Group* group : ir::groups_of(kernel))
    if (is_contraction(*group) || is_window(kernel, *group))
      for (const std::string& symbol : use.certain) pins[symbol] = use.sizes.at(symbol);
  return pins;
}

ir::Kernel bound(const ir::Kernel& kernel, const ir::KernelPlan& plan) {
  auto result = ir::bind(kernel, plan);
  HONE_CHECK(result.ok(), "{}", result.problem().message);
  return std::move(result->kernel);
}

int64_t operations_in(const ir::Scalar& scalar) {
  int64_t count = scalar->kind == ir::ScalarNode::Kind::Operation ? 1 : 0;
  for (const ir::Scalar& arg : scalar->args) count += operations_in(arg);
  return count;
}

}  // namespace

Result<Completed> complete(const ir::KernelGraph& graph, const target::Target& target) {
  return Completion(with_conversions(graph), target).run();
}

CompletedKernel complete(const ir::Kernel& kernel, ir::KernelPlan plan, const Use& use, const target::Target& target) {
  for (const auto& [buffer, layout] : use.layouts) plan.layouts.emplace(buffer, layout);
  if (plan.pins.empty()) plan.pins = choose_pins(kernel, use);
  ir::KernelPlan shape;  // what changes the kernel before its groups are planned
  shape.pins = plan.pins;
  if (plan.groups.empty() && plan.merges.empty()) plan.merges = find_merges(bound(kernel, shape), use);
  shape.merges = plan.merges;
  ir::Kernel merged = bound(kernel, shape);
  auto groups = ir::groups_of(merged);
  plan.groups.resize(groups.size());
  Reasons reasons;
  for (size_t g = 0; g < groups.size(); ++g) {
    const bool given = plan.groups[g].lanes != 0;
    if (!given) plan.groups[g] = plan_group(merged, *groups[g], use, target);
    reasons.templates.push_back(given ? "given with the plan" : why_template(merged, *groups[g], use, target));
  }
  reasons.considered = choose_tiles(merged, use, target, plan);
  pack_weights(merged, use, plan);
  // Merging can leave a parameter without a node that reads it.
  for (const std::string& parameter : ir::parameters_of(kernel)) plan.parameters.emplace(parameter, 1);
  return {std::move(plan), std::move(reasons)};
}

Index flops_of(const ir::Kernel& kernel) {
  Index total = 0;
  for (const ir::Group* group : ir::groups_of(kernel)) {
    Index parallel = 1, over = 1;
    for (const ir::GroupAxis& axis : group->parallel) parallel = parallel * kernel.extent(axis.axis);
    for (const ir::GroupAxis& axis : group->over) over = over * kernel.extent(axis.axis);
    int64_t inner = 0, outer = 0;
    for (const ir::Stmt& stmt : group->inner) inner += operations_in(stmt.body) + (stmt.combine != ir::Combine::None);
    for (const ir::Stmt& stmt : group->outer) outer += operations_in(stmt.body);
    total = total + parallel * over * inner + parallel * outer;
  }
  return total;
}

Index bytes_of(const ir::Kernel& kernel) {
  Index total = 0;
  for (const ir::Buffer& buffer : kernel.buffers)
    total = total + ir::product(buffer.shape) * static_cast<int64_t>(ir::size_of(buffer.dtype));
  return total;
}

}  // namespace hone::cost
