// hone choice: what the cost model predicts for plans that it compared, beside the times that they take. One line of JSON for
// each kernel; bench/choice.py makes figures of them.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/rng.h"
#include "cost/layout/channels_last.h"
#include "cost/work.h"
#include "hone/candidate_times.h"
#include "hone/verb.h"
#include "pipeline/compile.h"

namespace hone::tools {
namespace {

using Json = nlohmann::ordered_json;

struct ChoiceOptions {
  std::vector<std::string> models;
  std::string isa, recorded;
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

Result<pipeline::PlannedModel> plan_model(const ChoiceOptions& options, const std::string& path) {
  pipeline::Options compile;
  compile.isa = options.isa;
  compile.threads = options.threads;
  return pipeline::plan_file(path, compile);
}

// A guess at sizes that the model leaves open may be one that it cannot take.
bool has_elements(const cost::Use& use) {
  return std::all_of(use.sizes.begin(), use.sizes.end(), [](const auto& size) { return size.second > 0; });
}

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
    KernelUse use = use_of_call(model, *call);
    if (has_elements(use.use) && seen.insert(use.key()).second) uses.push_back(std::move(use));
  }
  return uses;
}

// What the model expects of a plan, part by part.
Json candidate_json(const KernelUse& use, const target::Target& target, const ir::KernelPlan& plan,
                    const CandidateTime& time) {
  auto priced = cost::price(use.kernel, use.use, target, plan);
  HONE_CHECK(priced.has_value(), "the model has no price for a plan of {}", use.kernel.name);
  return {{"cycles", priced->total},
          {"parts",
           {{"products", priced->products},
            {"others", priced->others},
            {"l2", priced->l2},
            {"l3", priced->l3},
            {"memory", priced->memory}}},
          {"seconds", time.seconds},
          {"differs", time.differs},
          {"plan", ir::text_of(plan, use.kernel.name)}};
}

Json kernel_json(const std::string& model, const KernelUse& use, Json rows) {
  auto number = [&](const ir::Index& index) {
    return index.evaluate([&](const std::string& name) { return use.use.sizes.at(name); });
  };
  return {{"model", model},
          {"kernel", use.kernel.name},
          {"label", use.call.label},
          {"key", use.key()},
          {"sizes", use.use.sizes},
          {"flops", number(cost::flops_of(use.kernel))},
          {"bytes", number(cost::bytes_of(use.kernel))},
          {"candidates", std::move(rows)}};
}

void print(const Json& line) {
  fmt::print("{}\n", line.dump(-1, ' ', false, Json::error_handler_t::replace));
  std::fflush(stdout);
}

// At most `most` kernels of the model.
Status measure_model(const ChoiceOptions& options, const std::string& path, size_t most, Found& found) {
  HONE_TRY(pipeline::PlannedModel model, plan_model(options, path));
  size_t done = 0;
  for (const KernelUse& use : new_uses(model, options.seed, found.seen)) {
    if (done == most) break;
    size_t count = options.candidates;
    if (int64_t bytes = use.weight_bytes(); bytes > 0)
      count = std::min(count, static_cast<size_t>(kMostWeights / bytes));
    if (count < std::min(kFewestCandidates, options.candidates)) continue;
    std::vector<cost::Candidate> candidates =
        cost::candidates(use.kernel, use.use, model.target, count, options.seed + found.kernels);
    if (candidates.size() < 2) continue;
    HONE_TRY(std::vector<CandidateTime> times,
             time_candidates(use, candidates, model.target, options.threads, options.budget));
    Json rows = Json::array();
    for (size_t c = 0; c < candidates.size(); ++c) {
      found.differing += times[c].differs;
      rows.push_back(candidate_json(use, model.target, candidates[c].plan, times[c]));
    }
    print(kernel_json(path, use, std::move(rows)));
    ++done, ++found.kernels;
  }
  return Done{};
}

bool is_recorded_plan(const Json& row) {
  return row.is_object() && row.contains("plan") && row["plan"].is_string() && row.contains("seconds") &&
         row["seconds"].is_number() && row.contains("differs") && row["differs"].is_boolean();
}

bool is_recorded_kernel(const Json& kernel) {
  return kernel.is_object() && kernel.contains("key") && kernel["key"].is_string() && kernel.contains("candidates") &&
         kernel["candidates"].is_array() &&
         std::all_of(kernel["candidates"].begin(), kernel["candidates"].end(), is_recorded_plan);
}

// By the key of the kernel's use.
Result<std::map<std::string, Json>> read_recorded(const std::string& path) {
  std::ifstream file(path);
  if (!file) return error("{}: cannot be read; --recorded takes what `hone choice` printed", path);
  std::map<std::string, Json> kernels;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    Json kernel = Json::parse(line, nullptr, false);
    if (!is_recorded_kernel(kernel)) return error("{}:{}: not a line that `hone choice` printed", path, number);
    kernels.emplace(kernel["key"].get<std::string>(), std::move(kernel));
  }
  return kernels;
}

// The plans of an earlier run with the times they took then, and what the model expects of them now.
Status price_recorded(const ChoiceOptions& options) {
  HONE_TRY(auto recorded, read_recorded(options.recorded));
  std::set<std::string> seen;
  for (const std::string& path : options.models) {
    HONE_TRY(pipeline::PlannedModel model, plan_model(options, path));
    for (const KernelUse& use : new_uses(model, options.seed, seen)) {
      auto found = recorded.find(use.key());
      if (found == recorded.end()) continue;
      Json rows = Json::array();
      for (const Json& row : found->second["candidates"]) {
        HONE_TRY(ir::KernelPlan plan, ir::parse_kernel_plan(row["plan"].get<std::string>()));
        HONE_PASS(ir::validate(plan, use.kernel));
        rows.push_back(candidate_json(use, model.target, plan, {row["seconds"], row["differs"]}));
      }
      print(kernel_json(path, use, std::move(rows)));
    }
  }
  return Done{};
}

Result<int> run(const ChoiceOptions& options) {
  if (!options.recorded.empty()) {
    HONE_PASS(price_recorded(options));
    return kSuccess;
  }
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
  verb->add_option("--recorded", options->recorded,
                   "what an earlier run printed: its plans are priced again, not timed; for work on the cost model");
  verb->add_option("--seed", options->seed, "draws kernels and plans")->capture_default_str();
  verb->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace hone::tools
