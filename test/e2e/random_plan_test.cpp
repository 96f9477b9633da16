// Plans that nobody would choose: contractions of random programs with vector axes, lanes, register tiles, orders, unrolling, cuts and
// layouts of edges drawn at random, at every instruction set. A plan says how much, never what: every valid one must agree with
// the interpreter bit for bit. HONE_SOAK=1 tries 1,500 of them instead of 40.
#include <cstdlib>

#include "cost/complete.h"
#include "cost/layout/channels_last.h"
#include "cost/stride.h"
#include "e2e/compare.h"
#include "e2e/random_inputs.h"
#include "fuse/fuse.h"

namespace hone::e2e {
namespace {

// Code for a register tile is written out point by point.
constexpr int64_t kMostHeld = 24;

class PlanDrawer {
 public:
  PlanDrawer(ir::KernelGraph graph, const target::Target& target, uint64_t seed)
      : graph_(std::move(graph)), target_(target), rng_(seed) {
    draw_edge_layouts();
    planned_ = graph_;
    planned_.kernels.clear();
    for (ir::Call& call : planned_.calls)
      if (call.kind == ir::Call::Kind::Kernel) plan_call(call);
  }

  const ir::KernelGraph& graph() const { return planned_; }
  const ir::Plan& plan() const { return plan_; }
  int contractions() const { return contractions_; }  // whose plans were drawn
  std::string text() const {
    std::string text = ir::text_of(planned_);
    for (size_t k = 0; k < plan_.kernels.size(); ++k) text += ir::text_of(plan_.kernels[k], planned_.kernels[k].name);
    return text;
  }

 private:
  // Of edges between kernels; aliases and the like need them row-major.
  void draw_edge_layouts() {
    std::set<int> fixed;
    cost::visit_calls(graph_.calls, [&](const ir::Call& call) {
      if (call.kind != ir::Call::Kind::Kernel) fixed.insert(call.edges.begin(), call.edges.end());
    });
    for (size_t e = 0; e < graph_.edges.size(); ++e) {
      const ir::Edge& edge = graph_.edges[e];
      const int rank = static_cast<int>(edge.type.shape.size());
      if (edge.kind != ir::Edge::Kind::Buffer || fixed.contains(static_cast<int>(e)) || rank == 0) continue;
      std::vector<int> order;
      for (int d = 0; d < rank; ++d) order.push_back(d);
      if (rng_.chance(0.5)) shuffle(order);
      plan_.edge_layouts[static_cast<int>(e)] = layout::permuted(order);
      if (rng_.chance(0.3))
        plan_.edge_layouts[static_cast<int>(e)] =
            layout::blocked(layout::permuted(order), static_cast<int>(rng_.below(rank)), rng_.chance(0.5) ? 8 : 3);
    }
  }

  void plan_call(ir::Call& call) {
    const ir::Kernel& kernel = graph_.kernels[static_cast<size_t>(call.kernel)];
    cost::Use use = cost::use_of(graph_, call, plan_.edge_layouts);
    if (rng_.chance(0.5)) std::erase_if(use.certain, [&](const auto&) { return rng_.chance(0.4); });
    ir::KernelPlan plan = cost::complete(kernel, {}, use, target_).plan;
    const auto groups = ir::groups_of(kernel);
    for (size_t g = 0; g < groups.size(); ++g)
      if (cost::is_contraction(*groups[g])) {
        draw_group(plan.groups[g], *groups[g]);
        draw_next(plan.groups[g], kernel, *groups[g]);
        draw_aligned(plan.groups[g], kernel, *groups[g]);
        ++contractions_;
      }
    for (auto& [parameter, step] : plan.parameters)
      if (rng_.chance(0.5)) step = rng_.between(1, 40);
    for (const std::string& weight : use.weights)
      if (rng_.chance(0.2)) plan.layouts.erase(weight);
    for (const ir::Buffer& buffer : kernel.buffers)
      if (rng_.chance(0.3)) plan.alone.insert(buffer.name);
    ir::Kernel copy = kernel;
    copy.name = fmt::format("{}_{}", kernel.name, planned_.kernels.size());
    call.kernel = static_cast<int>(planned_.kernels.size());
    planned_.kernels.push_back(std::move(copy));
    plan_.kernels.push_back(std::move(plan));
  }

  void draw_group(ir::GroupPlan& plan, const ir::Group& group) {
    std::vector<std::string> parallel, over;
    for (const std::string& axis : plan.order) (cost::is_parallel(group, axis) ? parallel : over).push_back(axis);
    if (rng_.chance(0.5)) shuffle(parallel);
    if (rng_.chance(0.5)) shuffle(over);
    plan.order = parallel;
    plan.order.insert(plan.order.end(), over.begin(), over.end());
    const int widest = target_.vector_bits / 32;
    plan.lanes = rng_.chance(0.2) ? 1 : rng_.chance(0.7) ? widest : std::max(1, widest / 2);
    const auto& along = over.empty() || (rng_.chance(0.8) && !parallel.empty()) ? parallel : over;
    if (along.empty()) plan.lanes = 1;
    plan.vector_axis =
        plan.lanes == 1 ? "" : along[static_cast<size_t>(rng_.below(static_cast<int64_t>(along.size())))];
    if (plan.lanes > 1 && !cost::is_parallel(group, plan.vector_axis)) {
      std::erase(plan.order, plan.vector_axis);
      plan.order.push_back(plan.vector_axis);
    }
    plan.tile.clear();
    int64_t held = 1;
    for (const std::string& axis : parallel) {
      if (!rng_.chance(0.6)) continue;
      const int64_t points = rng_.between(1, std::max<int64_t>(1, kMostHeld / held));
      plan.tile[axis] = std::min<int64_t>(points, 13);
      held *= plan.tile[axis];
    }
    plan.unroll = static_cast<int>(rng_.between(1, 4));
  }

  // What lies behind an operand may be asked for in any measure, even where nothing is.
  void draw_next(ir::GroupPlan& plan, const ir::Kernel& kernel, const ir::Group& group) {
    plan.next.clear();
    if (plan.lanes == 1 || group.over.empty() || !cost::is_parallel(group, plan.vector_axis)) return;
    for (const ir::Stmt& stmt : group.inner)
      for (const ir::Access& access : stmt.accesses)
        if (access.operand < static_cast<int>(kernel.buffers.size()) && rng_.chance(0.3))
          plan.next[kernel.place_name(access.operand)] = rng_.between(1, 70);
  }

  void draw_aligned(ir::GroupPlan& plan, const ir::Kernel& kernel, const ir::Group& group) {
    plan.align.clear();
    if (plan.lanes == 1 || cost::is_parallel(group, plan.vector_axis)) return;
    const auto buffer = static_cast<size_t>(rng_.below(static_cast<int64_t>(kernel.buffers.size())));
    if (rng_.chance(0.5)) plan.align = kernel.buffers[buffer].name;
  }

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (size_t k = items.size(); k > 1; --k)
      std::swap(items[k - 1], items[static_cast<size_t>(rng_.below(static_cast<int64_t>(k)))]);
  }

  ir::KernelGraph graph_, planned_;
  const target::Target& target_;
  Rng rng_;
  ir::Plan plan_;
  int contractions_ = 0;
};

// Adds the contractions whose plans were drawn to `contractions`.
void expect_agreement_of_any_plan(uint64_t seed, const std::string& isa, int& contractions) {
  constexpr int kSteps = 3;
  const ir::Program program = fuse::random_program(seed, fuse::Numbers::Exact, fuse::Extents::Awkward, kSteps);
  const std::vector<eval::Tensor> inputs = inputs_of(program, fuse::Numbers::Exact, seed);
  auto want = eval::evaluate(program, inputs);
  ASSERT_TRUE(want.ok()) << want.problem().message;
  auto graph = fuse::fuse(program);
  ASSERT_TRUE(graph.ok()) << graph.problem().message;
  pipeline::Options options;
  options.isa = isa;
  options.threads = 2;
  const target::Target target = target::capped(target::host_target(), *target::isa_named(isa));
  const PlanDrawer drawn(*graph, target, seed);
  contractions += drawn.contractions();
  SCOPED_TRACE(fmt::format("seed {}, {}\n{}", seed, isa, drawn.text()));
  auto model = pipeline::compile_graph(drawn.graph(), drawn.plan(), options);
  ASSERT_TRUE(model.ok()) << model.problem().message;
  auto session = pipeline::load(*model, options);
  ASSERT_TRUE(session.ok()) << session.problem().message;
  auto got = (*session)->run(feeds_of(inputs));
  ASSERT_TRUE(got.ok()) << got.problem().message;
  expect_same_bytes(*want, *got);
}

TEST(RandomPlans, MeanWhatTheirKernelsMean) {
  const uint64_t count = std::getenv("HONE_SOAK") ? 1500 : 40;
  int contractions = 0;
  for (uint64_t seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed)
    for (const std::string& isa : instruction_sets()) expect_agreement_of_any_plan(seed, isa, contractions);
  EXPECT_GE(contractions, static_cast<int>(count * instruction_sets().size() / 2));
}

}  // namespace
}  // namespace hone::e2e
