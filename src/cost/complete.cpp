#include "cost/complete.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/rng.h"
#include "cost/ahead.h"
#include "cost/alone.h"
#include "cost/grid/tasks.h"
#include "cost/group/group_plan.h"
#include "cost/kernel_cycles.h"
#include "cost/layout/channels_last.h"
#include "cost/layout/conversions.h"
#include "cost/layout/layout_choice.h"
#include "cost/merges.h"
#include "cost/next.h"
#include "cost/planner.h"
#include "cost/rows.h"
#include "cost/streams.h"
#include "cost/weights.h"
#include "ir/plan/bind.h"
#include "target/cores.h"

namespace hone::cost {
namespace {

using ir::Index;

class Completion {
 public:
  Completion(ir::KernelGraph graph, const target::Target& target) : graph_(std::move(graph)), planner_(target) {
    const KernelPrice price = [&](const ir::Kernel& kernel, const Use& use) { return cycles(kernel, use); };
    LayoutChoice choice = choose_layouts(graph_, price);
    open_ = std::move(choice.open);
    result_.plan.edge_layouts = std::move(choice.layouts);
    for (const auto& [edge, copy] : add_copies(graph_, result_.plan.edge_layouts)) open_.insert(copy);
    result_.graph = graph_;
    result_.graph.kernels.clear();
  }

  Completed run() {
    collect_calls(result_.graph.calls);
    // Plans of calls do not depend on each other; which kernels are alike is told afterwards, in their order.
    std::vector<std::shared_ptr<const Planned>> planned(calls_.size());
    for_each_in_parallel(calls_.size(), target::available_cores(),
                         [&](size_t c) { planned[c] = planner_.plan(kernel_of(*calls_[c]), use_of(*calls_[c])); });
    for (size_t c = 0; c < calls_.size(); ++c) keep(*calls_[c], *planned[c]);
    return std::move(result_);
  }

 private:
  Use use_of(const ir::Call& call) const { return cost::use_of(graph_, call, result_.plan.edge_layouts); }

  double cycles(const ir::Kernel& kernel, const Use& use) {
    return planner_.plan(kernel, use)->completed.reasons.cycles;
  }

  // What the call would take if one of its edges were laid out otherwise.
  std::vector<LayoutInstead> layouts_instead(const ir::Call& call) {
    std::vector<LayoutInstead> instead;
    const ir::Kernel& kernel = kernel_of(call);
    const Use use = use_of(call);
    for (size_t b = 0; b < kernel.buffers.size(); ++b) {
      if (!open_.contains(call.edges[b])) continue;
      const std::string& name = kernel.buffers[b].name;
      Use other = use;
      const bool last = other.layouts.erase(name) > 0;
      if (!last) other.layouts[name] = channels_last(kernel.buffers[b].shape.size());
      instead.push_back({name, last, cycles(kernel, other)});
    }
    return instead;
  }

  void collect_calls(std::vector<ir::Call>& calls) {
    for (ir::Call& call : calls) {
      for (auto& body : call.bodies) collect_calls(body);
      if (call.kind == ir::Call::Kind::Kernel) calls_.push_back(&call);
    }
  }

  const ir::Kernel& kernel_of(const ir::Call& call) const { return graph_.kernels[static_cast<size_t>(call.kernel)]; }

  void keep(ir::Call& call, const Planned& planned) {
    const ir::Kernel& kernel = planned.rewritten ? *planned.rewritten : kernel_of(call);
    const CompletedKernel& completed = planned.completed;
    std::string key =
        fmt::format("{} {}\n{}", call.kernel, planned.rewritten.has_value(), ir::text_of(completed.plan, kernel.name));
    auto [found, added] = known_.emplace(key, static_cast<int>(result_.graph.kernels.size()));
    if (added) {
      ir::Kernel copy = kernel;
      int repeat = names_[kernel.name]++;
      if (repeat > 0) copy.name = fmt::format("{}_p{}", kernel.name, repeat);
      result_.graph.kernels.push_back(std::move(copy));
      result_.plan.kernels.push_back(completed.plan);
      result_.originals.push_back(kernel_of(call));
      result_.reasons.push_back(completed.reasons);
      result_.reasons.back().layouts = layouts_instead(call);
    }
    call.kernel = found->second;
  }

  ir::KernelGraph graph_;
  Planner planner_;
  Completed result_;
  std::set<int> open_;            // edges whose layout was chosen
  std::vector<ir::Call*> calls_;  // of kernels, in result_
  std::map<std::string, int> known_;
  std::map<std::string, int> names_;
};

// A kernel has code for every size of register tile that can occur; known sizes leave one or two of them, whose last vectors reach
// back instead of being masked.
std::map<std::string, int64_t> choose_pins(const Use& use) {
  std::map<std::string, int64_t> pins;
  for (const std::string& symbol : use.certain) pins[symbol] = use.sizes.at(symbol);
  return pins;
}

ir::Kernel bound(const ir::Kernel& kernel, const ir::KernelPlan& plan) {
  auto result = ir::bind(kernel, plan);
  HONE_CHECK(result.ok(), "{}", result.problem().message);
  return std::move(result->kernel);
}

// Everything but the tasks; gives the kernel as the groups see it.
ir::Kernel plan_groups(const ir::Kernel& kernel, const Use& use, const target::Target& target, ir::KernelPlan& plan,
                       Reasons* reasons = nullptr) {
  for (const auto& [buffer, layout] : use.layouts) plan.layouts.emplace(buffer, layout);
  if (plan.pins.empty()) plan.pins = choose_pins(use);
  ir::KernelPlan shape;  // what changes the kernel before its groups are planned
  shape.pins = plan.pins;
  shape.parameters = choose_rows(kernel, use, target, plan);
  plan.parameters.insert(shape.parameters.begin(), shape.parameters.end());
  if (plan.groups.empty() && plan.merges.empty()) plan.merges = find_merges(bound(kernel, shape), use);
  shape.merges = plan.merges;
  ir::Kernel merged = bound(kernel, shape);
  auto groups = ir::groups_of(merged);
  plan.groups.resize(groups.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    GroupChoice choice{plan.groups[g], "given with the plan"};
    if (plan.groups[g].lanes == 0) choice = plan_group(merged, *groups[g], use, target);
    plan.groups[g] = std::move(choice.plan);
    if (reasons) reasons->templates.push_back(std::move(choice.why));
  }
  return merged;
}

void finish(const ir::Kernel& kernel, const ir::Kernel& merged, const Use& use, const target::Target& target,
            ir::KernelPlan& plan) {
  pack_weights(merged, use, plan);
  choose_streams(merged, use, target, plan);
  choose_alone(merged, use, target, plan);
  choose_ahead(merged, use, target, plan);
  choose_next(merged, use, target, plan);
  // Merging can leave a parameter without a node that reads it.
  for (const std::string& parameter : ir::parameters_of(kernel)) plan.parameters.emplace(parameter, 1);
}

// Predicted to take less than this times the least.
constexpr double kNear = 1.3;

// One that is near the least and any, in turns, each in an order that the seed draws.
std::vector<const Judged*> drawn(const std::vector<Judged>& judged, double least, uint64_t seed) {
  std::vector<const Judged*> any, near, mixed;
  for (const Judged& one : judged) any.push_back(&one);
  Rng rng(seed);
  for (size_t k = any.size(); k > 1; --k)
    std::swap(any[k - 1], any[static_cast<size_t>(rng.below(static_cast<int64_t>(k)))]);
  for (const Judged* one : any)
    if (one->cycles < kNear * least) near.push_back(one);
  for (size_t k = 0; k < any.size(); ++k) {
    if (k < near.size()) mixed.push_back(near[k]);
    mixed.push_back(any[k]);
  }
  return mixed;
}

}  // namespace

Result<Completed> complete(const ir::KernelGraph& graph, const target::Target& target) {
  return Completion(graph, target).run();
}

CompletedKernel complete(const ir::Kernel& kernel, ir::KernelPlan plan, const Use& use, const target::Target& target) {
  Reasons reasons;
  ir::Kernel merged = plan_groups(kernel, use, target, plan, &reasons);
  reasons.considered = choose_tiles(merged, use, target, plan);
  finish(kernel, merged, use, target, plan);
  reasons.cycles = kernel_cycles(merged, use, target, plan, reasons.considered);
  return {std::move(plan), std::move(reasons)};
}

std::optional<InPasses> complete_in_passes(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                                           const ir::KernelPlan& plan) {
  std::optional<InPasses> passes = in_weight_passes(kernel, use, target, plan);
  if (passes) passes->plan = complete(passes->kernel, std::move(passes->plan), use, target).plan;
  return passes;
}

std::vector<Candidate> candidates(const ir::Kernel& kernel, const Use& use, const target::Target& target, size_t count,
                                  uint64_t seed) {
  ir::KernelPlan planned;
  ir::Kernel merged = plan_groups(kernel, use, target, planned);
  ir::KernelPlan chosen = planned;
  std::vector<Judged> judged;
  std::vector<Considered> considered = choose_tiles(merged, use, target, chosen, &judged);
  if (considered.empty()) return {};
  finish(kernel, merged, use, target, chosen);
  auto candidate = [&](ir::KernelPlan plan, double cycles) {
    std::optional<InPasses> in_passes = complete_in_passes(kernel, use, target, plan);
    return Candidate{std::move(plan), std::move(in_passes), cycles};
  };
  std::vector<Candidate> result = {candidate(std::move(chosen), considered.front().total)};
  std::set<std::string> known = {ir::text_of(result[0].plan, kernel.name)};
  for (const Judged* one : drawn(judged, considered.front().total, seed)) {
    if (result.size() >= count) break;
    ir::KernelPlan plan = planned;
    plan.groups[one->main] = one->group;
    for (const auto& [parameter, step] : one->parameters) plan.parameters[parameter] = step;
    finish(kernel, merged, use, target, plan);
    if (known.insert(ir::text_of(plan, kernel.name)).second) result.push_back(candidate(std::move(plan), one->cycles));
  }
  return result;
}

std::optional<Considered> price(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                                ir::KernelPlan plan) {
  ir::Kernel merged = plan_groups(kernel, use, target, plan);
  return price_tiles(merged, use, target, plan);
}

}  // namespace hone::cost
