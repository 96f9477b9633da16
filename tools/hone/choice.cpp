// hone choice: what the cost model predicts for plans that it compared, beside the times that they take. One line of JSON for
// each kernel; bench/choice.py makes figures of them.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/rng.h"
#include "cost/layouts.h"
#include "hone/candidate_times.h"
#include "hone/verb.h"
#include "pipeline/compile.h"

namespace hone::tools {
namespace {

using Json = nlohmann::ordered_json;

struct ChoiceOptions {
  std::vector<std::string> models;
  std::string isa;
  size_t kernels = 1000, candidates = 20;
  uint64_t seed = 1;
  int threads = 1;
  TimingBudget budget;
};

// Every plan packs the weights in its own way.
constexpr int64_t kMostWeights = 1 << 30;
constexpr size_t kFewestCandidates = 5;

struct Found {
  std::set<std::string> seen;  // keys of kernels, over all models
  size_t kernels = 0, differing = 0;
};

// The model's calls in an order that the seed draws, each kernel of the same sizes once over all models.
std::vector<KernelUse> new_uses(const pipeline::PlannedModel& model, uint64_t seed, std::set<std::string>& seen) {
  std::vector<const ir::Call*> calls;
  cost::visit_calls(model.graph.calls, [&](const ir::Call& call) {
    if (call.kind == ir::Call::Kind::Kernel) calls.push_back(&call);
  });
  Rng rng(seed);
  for (size_t k = calls.size(); k > 1; --k)
    std::swap(calls[k - 1], calls[static_cast<size_t>(rng.below(static_cast<int64_t>(k)))]);
  std::vector<KernelUse> uses;
  for (const ir::Call* call : calls) {
    KernelUse use = use_of_call(model.graph, model.plan, *call);
    if (seen.insert(use.key()).second) uses.push_back(std::move(use));
  }
  return uses;
}

Json kernel_json(const std::string& model, const KernelUse& use, const std::vector<cost::Candidate>& candidates,
                 const std::vector<CandidateTime>& times) {
  auto number = [&](const ir::Index& index) {
    return index.evaluate([&](const std::string& name) { return use.use.sizes.at(name); });
  };
  Json rows = Json::array();
  for (size_t c = 0; c < candidates.size(); ++c)
    rows.push_back({{"cycles", candidates[c].cycles},
                    {"seconds", times[c].seconds},
                    {"differs", times[c].differs},
                    {"plan", ir::text_of(candidates[c].plan, use.kernel().name)}});
  return {{"model", model},
          {"kernel", use.kernel().name},
          {"label", use.call.label},
          {"sizes", use.use.sizes},
          {"flops", number(cost::flops_of(use.kernel()))},
          {"bytes", number(cost::bytes_of(use.kernel()))},
          {"candidates", rows}};
}

// At most `most` kernels of the model.
Status measure_model(const ChoiceOptions& options, const std::string& path, size_t most, Found& found) {
  pipeline::Options compile;
  compile.isa = options.isa;
  HONE_TRY(pipeline::PlannedModel model, pipeline::plan_file(path, compile));
  model.target.cores = options.threads;
  size_t done = 0;
  for (const KernelUse& use : new_uses(model, options.seed, found.seen)) {
    if (done == most) break;
    size_t count = options.candidates;
    if (int64_t bytes = use.weight_bytes(); bytes > 0)
      count = std::min(count, static_cast<size_t>(kMostWeights / bytes));
    if (count < std::min(kFewestCandidates, options.candidates)) continue;
    std::vector<cost::Candidate> candidates =
        cost::candidates(use.kernel(), use.use, model.target, count, options.seed + found.kernels);
    if (candidates.size() < 2) continue;
    HONE_TRY(std::vector<CandidateTime> times,
             time_candidates(use, candidates, model.target, options.threads, options.budget));
    for (const CandidateTime& time : times) found.differing += time.differs;
    fmt::print("{}\n", kernel_json(path, use, candidates, times).dump(-1, ' ', false, Json::error_handler_t::replace));
    std::fflush(stdout);
    ++done, ++found.kernels;
  }
  return Done{};
}

Result<int> run(const ChoiceOptions& options) {
  Found found;
  for (size_t m = 0; m < options.models.size() && found.kernels < options.kernels; ++m) {
    size_t left = options.models.size() - m;
    size_t share = (options.kernels - found.kernels + left - 1) / left;
    HONE_PASS(measure_model(options, options.models[m], share, found));
  }
  return found.differing == 0 ? kSuccess : kFailure;
}

}  // namespace

void add_choice(CLI::App& app, Verb& chosen) {
  CLI::App* verb = app.add_subcommand(
      "choice", "Time plans that the cost model compared for each kernel; prints a line of JSON for each kernel");
  auto options = std::make_shared<ChoiceOptions>();
  verb->add_option("models", options->models, "ONNX files; a kernel that occurs in several is taken once")->required();
  verb->add_option("--isa", options->isa, "highest instruction set to use: avx512, avx2 or x86-64");
  verb->add_option("--kernels", options->kernels, "at most so many, spread over the models")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb->add_option("--candidates", options->candidates, "plans of each kernel, the chosen one among them")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  verb->add_option("--seconds", options->budget.seconds, "to time each kernel's plans, at least")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  verb->add_option("--threads", options->threads, "that the plans are made for and run on")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb->add_option("--seed", options->seed, "draws kernels and plans")->capture_default_str();
  verb->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace hone::tools
