// hone bench: how fast a model runs here, and with what.
#include <sys/resource.h>

#include <cmath>
#include <optional>

#include "hone/call.h"
#include "hone/inputs.h"
#include "hone/json_file.h"
#include "hone/model.h"
#include "hone/print.h"
#include "hone/profile.h"
#include "hone/verb.h"
#include "measure/summary.h"
#include "measure/timing.h"
#include "target/target.h"

namespace hone::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kProfileRows = 20;

struct BenchOptions {
  ModelOptions model;
  InputOptions inputs;
  std::string device = "CPU";
  double warm_up_ms = 200;
  std::optional<double> duration;
  std::optional<size_t> iterations;
  std::string json, times;  // files
  std::string profile;      // "": none; "true": only the table; else the file of the trace
  bool dump_profile = false;

  bool profiled() const { return !profile.empty() || dump_profile; }
};

// Everything that is printed and written.
struct Findings {
  LoadedModel model;
  target::Target target;
  Inputs inputs;
  measure::Timing timing;
  measure::Summary latency;
  int64_t arena_bytes = 0, peak_bytes = 0;
  std::optional<Profile> profile;
};

// A number of iterations alone is taken exactly; together with a duration both are reached.
measure::TimingOptions timing_of(const BenchOptions& options) {
  measure::TimingOptions timing;
  timing.warm_up_seconds = options.warm_up_ms * 1e-3;
  timing.rounds = options.iterations.value_or(timing.rounds);
  timing.seconds = options.duration.value_or(options.iterations ? 0 : timing.seconds);
  return timing;
}

int64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

Result<target::Target> target_of(const runtime::Executable& executable) {
  HONE_TRY(target::Isa isa, target::isa_named(executable.isa));
  return target::capped(target::host_target(), isa);
}

// Of a model that was compiled here as one executable; plans are made again, since they are the same.
KnownFacts known_facts(const BenchOptions& options, const Findings& found) {
  if (!found.model.report) return {};
  auto planned = pipeline::plan_file(options.model.path, options.model.compile);
  return planned.ok() ? facts_of(*planned) : KnownFacts{};
}

Result<Findings> measure_model(const BenchOptions& options) {
  Findings found;
  HONE_TRY(found.model, load_model(options.model));
  const runtime::Executable& executable = found.model.runner->face();
  HONE_TRY(found.target, target_of(executable));
  HONE_TRY(found.inputs, make_inputs(executable, options.inputs));
  HONE_TRY(Call call, Call::make(found.model.runner, found.inputs.tensors));
  HONE_TRY(found.arena_bytes, call.arena_bytes());
  HONE_TRY(found.timing, measure::time_calls([&] { return call.run(); }, timing_of(options)));
  found.latency = measure::summarize(found.timing.seconds);
  found.peak_bytes = peak_bytes();
  if (options.profiled()) {
    ProfileSetting setting{.target = found.target,
                           .threads = found.model.runner->threads(),
                           .working_set = static_cast<int64_t>(executable.weight_bytes) + found.arena_bytes,
                           .run_seconds = found.latency.median,
                           .facts = known_facts(options, found)};
    HONE_TRY(found.profile, profile_call(call, setting));
  }
  return found;
}

double throughput(const Findings& found) {
  return static_cast<double>(found.latency.count) / found.timing.total_seconds;
}

void print_setting(const BenchOptions& options, const Findings& found) {
  const runtime::Executable& executable = found.model.runner->face();
  print_fact("model", fmt::format("{} ({} kernels)", options.model.path, executable.functions.size()));
  print_fact("cpu", found.target.name);
  print_fact("isa", executable.isa);
  print_fact("threads", std::to_string(found.model.runner->threads()));
  for (size_t k = 0; k < executable.inputs.size(); ++k)
    print_fact("input", fmt::format("{}: {}{}", executable.inputs[k].name, executable.inputs[k].dtype,
                                    shape_text(found.inputs.tensors[k].shape)));
  for (const std::string& note : found.inputs.notes) print_fact("note", note);
  if (found.model.report)
    print_fact("compile", fmt::format("{} ({})", seconds_text(found.model.seconds), phases_text(*found.model.report)));
  else
    print_fact("load", seconds_text(found.model.seconds));
  print_fact("memory",
             fmt::format("weights {}, arena {}, peak RSS {}", bytes_text(static_cast<double>(executable.weight_bytes)),
                         bytes_text(static_cast<double>(found.arena_bytes)),
                         bytes_text(static_cast<double>(found.peak_bytes))));
}

void print_times(const Findings& found) {
  const measure::Summary& latency = found.latency;
  print_fact("warm-up",
             fmt::format("{} runs in {}", found.timing.warm_up_rounds, seconds_text(found.timing.warm_up_seconds)));
  print_fact("timed", fmt::format("{} runs in {}", latency.count, seconds_text(found.timing.total_seconds)));
  auto line = [](const char* name, double seconds, const std::string& remark = "") {
    fmt::print("  {:<8} {:>12.4f} ms{}\n", name, seconds * 1e3, remark);
  };
  fmt::print("latency\n");
  line("median", latency.median,
       fmt::format("  (95 % sure: {:.4f} to {:.4f})", latency.median_low * 1e3, latency.median_high * 1e3));
  line("mean", latency.mean);
  line("p90", latency.p90);
  line("p95", latency.p95);
  line("p99", latency.p99);
  line("min", latency.min);
  line("max", latency.max);
  print_fact("throughput", fmt::format("{:.2f} runs/s", throughput(found)));
}

Json setting_json(const BenchOptions& options, const Findings& found) {
  const runtime::Executable& executable = found.model.runner->face();
  Json inputs = Json::array(), phases = Json::object();
  for (size_t k = 0; k < executable.inputs.size(); ++k)
    inputs.push_back({{"name", executable.inputs[k].name},
                      {"type", executable.inputs[k].dtype},
                      {"shape", found.inputs.tensors[k].shape}});
  if (found.model.report)
    for (const pipeline::PassTime& phase : phases_of(*found.model.report)) phases[phase.name] = phase.seconds;
  return {
      {"model", options.model.path},
      {"cpu", found.target.name},
      {"isa", executable.isa},
      {"threads", found.model.runner->threads()},
      {"kernels", executable.functions.size()},
      {"inputs", inputs},
      {found.model.report ? "compile_seconds" : "load_seconds", found.model.seconds},
      {"phase_seconds", phases},
      {"memory", {{"weights", executable.weight_bytes}, {"arena", found.arena_bytes}, {"peak_rss", found.peak_bytes}}}};
}

Json findings_json(const BenchOptions& options, const Findings& found) {
  Json json = setting_json(options, found);
  const measure::Summary& latency = found.latency;
  json["warm_up"] = {{"runs", found.timing.warm_up_rounds}, {"seconds", found.timing.warm_up_seconds}};
  json["timed"] = {{"runs", latency.count}, {"seconds", found.timing.total_seconds}};
  json["latency_seconds"] = {{"median", latency.median},
                             {"median_low", latency.median_low},
                             {"median_high", latency.median_high},
                             {"mean", latency.mean},
                             {"p90", latency.p90},
                             {"p95", latency.p95},
                             {"p99", latency.p99},
                             {"min", latency.min},
                             {"max", latency.max}};
  json["throughput"] = throughput(found);
  if (found.profile) {
    json["profile"] = profile_json(*found.profile);
    json["profile_sum"] = {{"kernels", found.profile->seconds},
                           {"run", found.profile->run_seconds},
                           {"rest", found.profile->run_seconds - found.profile->seconds}};
  }
  return json;
}

Status write_files(const BenchOptions& options, const Findings& found) {
  if (!options.json.empty()) HONE_PASS(write_json(options.json, findings_json(options, found)));
  if (!options.times.empty()) HONE_PASS(write_json(options.times, found.timing.seconds));
  if (!found.profile || options.profile.empty() || options.profile == "true") return Done{};
  HONE_PASS(write_json(options.profile, trace_json(*found.profile, found.model.runner->face().name)));
  fmt::print("wrote {}: open it at ui.perfetto.dev\n", options.profile);
  return Done{};
}

Result<int> run(const BenchOptions& options) {
  if (options.device != "CPU") return error("there is no device '{}'; CPU would work", options.device);
  if (!std::isfinite(options.duration.value_or(0)) || !std::isfinite(options.warm_up_ms))
    return error("--duration and --warmUp must be numbers");
  HONE_TRY(Findings found, measure_model(options));
  print_setting(options, found);
  print_times(found);
  if (found.profile) fmt::print("\n{}", profile_text(*found.profile, kProfileRows));
  HONE_PASS(write_files(options, found));
  return kSuccess;
}

}  // namespace

void add_bench(CLI::App& app, Verb& chosen) {
  CLI::App* verb = app.add_subcommand("bench", "Time a model; options as in trtexec and benchmark_app work too");
  auto options = std::make_shared<BenchOptions>();
  add_model_options(*verb, options->model);
  add_threads_option(*verb, options->model);
  add_input_options(*verb, options->inputs);
  verb->add_option("--warmUp", options->warm_up_ms, "milliseconds before the clock counts")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  verb->add_option("-t,--duration", options->duration, "seconds to time, at least; default 3")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--iterations,--niter", options->iterations, "runs to time; with --duration, at least so many")
      ->check(CLI::PositiveNumber);
  verb->add_option("-d,--device", options->device, "CPU");
  verb->add_option("--json", options->json, "write everything there as JSON");
  verb->add_option("--exportTimes", options->times, "write the seconds of every run there as JSON");
  verb->add_flag("--profile,--exportProfile", options->profile,
                 "table of the slowest kernels; --profile=TRACE.json also writes a trace for Perfetto");
  verb->add_flag("--dumpProfile", options->dump_profile, "as --profile");
  verb->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace hone::tools
