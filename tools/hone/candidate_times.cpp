#include "hone/candidate_times.h"

#include <algorithm>
#include <limits>
#include <set>

#include "hone/call.h"
#include "hone/compare.h"
#include "hone/inputs.h"
#include "pipeline/compile.h"

namespace hone::tools {
namespace {

std::string name_of(size_t candidate) {
  return fmt::format("candidate{}", candidate);
}

// A graph that calls the kernel twice under each plan.
class Trial {
 public:
  Trial(const KernelUse& use, const std::vector<cost::Candidate>& candidates) : use_(use) {
    graph_.name = "trial";
    for (const auto& [symbol, size] : use.use.sizes) numbers_.emplace(symbol, ir::Index(size));
    for (size_t c = 0; c < candidates.size(); ++c) add(c, candidates[c]);
  }

  ir::KernelGraph graph() const { return graph_; }
  ir::Plan plan() const { return plan_; }

 private:
  void add(size_t number, const cost::Candidate& candidate) {
    ir::Kernel kernel = candidate.in_passes ? candidate.in_passes->kernel : use_.kernel;
    kernel.name = name_of(number);
    // Plans that pack weights alike share them, so the first call finds them nearer or farther than those of other plans do; the
    // second, which is timed, finds them where the first left them. It writes memory that all of them take in turns, as a model's
    // steps do: outputs of their own would be far from every cache.
    for (auto kind : {ir::Edge::Kind::Output, ir::Edge::Kind::Buffer}) add_call(kernel, static_cast<int>(number), kind);
    graph_.kernels.push_back(std::move(kernel));
    plan_.kernels.push_back(candidate.in_passes ? candidate.in_passes->plan : candidate.plan);
  }

  void add_call(const ir::Kernel& kernel, int number, ir::Edge::Kind written) {
    ir::Call call;
    call.kernel = number;
    call.sizes = numbers_;
    for (size_t b = 0; b < kernel.buffers.size(); ++b)
      call.edges.push_back(kernel.buffers[b].output ? output_of(b, written) : input_of(b));
    graph_.calls.push_back(std::move(call));
  }

  int output_of(size_t buffer, ir::Edge::Kind kind) {
    return add_edge(buffer, kind == ir::Edge::Kind::Output ? outputs_++ : 0, kind);
  }

  // Shared by all calls, and by buffers of the same edge.
  int input_of(size_t buffer) {
    int edge = use_.call.edges[buffer];
    if (auto found = inputs_.find(edge); found != inputs_.end()) return found->second;
    bool constant = use_.graph.edges[static_cast<size_t>(edge)].kind == ir::Edge::Kind::Constant;
    int number = constant ? 0 : inputs_made_++;
    return inputs_[edge] = add_edge(buffer, number, constant ? ir::Edge::Kind::Constant : ir::Edge::Kind::Input);
  }

  int add_edge(size_t buffer, int number, ir::Edge::Kind kind) {
    int original = use_.call.edges[buffer];
    ir::Edge edge = use_.graph.edges[static_cast<size_t>(original)];
    edge.kind = kind;
    edge.number = number;
    edge.name = fmt::format("edge{}", graph_.edges.size());
    edge.type.shape = use_.kernel.buffers[buffer].shape;
    for (ir::Index& extent : edge.type.shape) extent = extent.substitute(numbers_);
    int made = static_cast<int>(graph_.edges.size());
    graph_.edges.push_back(std::move(edge));
    if (auto layout = use_.plan.edge_layouts.find(original); layout != use_.plan.edge_layouts.end())
      plan_.edge_layouts[made] = layout->second;
    return made;
  }

  const KernelUse& use_;
  std::map<std::string, ir::Index> numbers_;
  std::map<int, int> inputs_;  // by edge of the model
  int inputs_made_ = 0, outputs_ = 0;
  ir::KernelGraph graph_;
  ir::Plan plan_;
};

// By output of the kernel: whether other calls of the model write the rest of it.
std::vector<bool> partly_written(const KernelUse& use) {
  std::vector<bool> partly;
  for (size_t b = 0; b < use.kernel.buffers.size(); ++b) {
    if (!use.kernel.buffers[b].output) continue;
    int64_t writers = 0;
    for (const ir::Call& call : use.graph.calls) {
      if (call.kind != ir::Call::Kind::Kernel) continue;
      const auto& buffers = use.graph.kernels[static_cast<size_t>(call.kernel)].buffers;
      for (size_t k = 0; k < buffers.size(); ++k) writers += buffers[k].output && call.edges[k] == use.call.edges[b];
    }
    partly.push_back(writers > 1);
  }
  return partly;
}

// Outputs come candidate by candidate. What no plan writes holds anything.
Status mark_differing(const KernelUse& use, const std::vector<eval::Tensor>& outputs,
                      std::vector<CandidateTime>& times) {
  const std::vector<bool> partly = partly_written(use);
  const size_t each = outputs.size() / times.size();
  for (size_t c = 1; c < times.size(); ++c)
    for (size_t k = 0; k < each; ++k) {
      if (partly[k % partly.size()]) continue;
      HONE_TRY(Difference difference, compare(outputs[c * each + k], outputs[k], Tolerance{}));
      times[c].differs |= difference.outside > 0;
    }
  return Done{};
}

Status time_rounds(Call& call, const TimingBudget& budget, std::vector<CandidateTime>& times) {
  std::map<std::string, CandidateTime*> by_name;
  for (size_t c = 0; c < times.size(); ++c) by_name[name_of(c)] = &times[c];
  double spent = 0;
  for (size_t round = 0; round < budget.most && (round < budget.fewest || spent < budget.seconds); ++round) {
    HONE_TRY(std::vector<runtime::StepTime> steps, call.profile());
    std::set<std::string> called;
    for (const runtime::StepTime& step : steps) {
      spent += step.seconds;
      if (called.insert(step.function).second) continue;
      CandidateTime& time = *by_name.at(step.function);
      time.seconds = std::min(time.seconds, step.seconds);
    }
  }
  return Done{};
}

}  // namespace

int64_t KernelUse::weight_bytes() const {
  int64_t bytes = 0;
  for (int edge : call.edges)
    if (const auto& constant = graph.edges[static_cast<size_t>(edge)].constant)
      bytes += static_cast<int64_t>(constant->bytes);
  return bytes;
}

std::string KernelUse::key() const {
  ir::Kernel nameless = kernel;
  nameless.name = "kernel";
  std::string key = ir::text_of(nameless);
  for (const auto& [symbol, size] : use.sizes) key += fmt::format("{} = {}\n", symbol, size);
  for (const auto& [buffer, layout] : use.layouts) key += fmt::format("{}: {}\n", buffer, layout::text_of(layout));
  for (const std::string& buffer : use.weights) key += fmt::format("const {}\n", buffer);
  return key;
}

KernelUse use_of_call(const pipeline::PlannedModel& model, const ir::Call& call) {
  return {model.graph, model.plan, call, model.originals[static_cast<size_t>(call.kernel)],
          cost::use_of(model.graph, call, model.plan.edge_layouts)};
}

Result<std::vector<CandidateTime>> time_candidates(const KernelUse& use, const std::vector<cost::Candidate>& candidates,
                                                   const target::Target& target, int threads,
                                                   const TimingBudget& budget) {
  Trial trial(use, candidates);
  pipeline::Options options;
  options.threads = threads;
  options.isa = target::name_of(target.isa);
  HONE_TRY(pipeline::CompiledModel model, pipeline::compile_graph(trial.graph(), trial.plan(), options));
  HONE_TRY(auto session, pipeline::load(std::move(model), options));
  HONE_TRY(Inputs inputs, make_inputs(session->executable(), {}));
  HONE_TRY(Call call, Call::make(session, inputs.tensors));
  HONE_PASS(call.run());
  std::vector<CandidateTime> times(candidates.size(), {std::numeric_limits<double>::infinity()});
  HONE_PASS(mark_differing(use, call.outputs(), times));
  HONE_PASS(time_rounds(call, budget, times));
  return times;
}

}  // namespace hone::tools
