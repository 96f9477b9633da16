// hone doctor: what this machine is, what it can do at best, and what of Hone works on it.
#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "hone/calibrate.h"
#include "hone/checks.h"
#include "hone/json_file.h"
#include "hone/print.h"
#include "hone/verb.h"
#include "hone/version.h"
#include "measure/machine_limits.h"
#include "pipeline/cache/calibration.h"
#include "target/target.h"

namespace hone::tools {
namespace {

using Json = nlohmann::ordered_json;

struct Diagnosis {
  target::Target target;
  int processors = 0;  // that the affinity mask has
  std::string cgroup;  // the control group's limit of processor time
  std::vector<measure::MachineLimits> limits;
  pipeline::Calibration calibration;  // for the instruction set that compiling would use
  std::vector<Check> checks;

  bool healthy() const {
    for (const Check& check : checks)
      if (check.needed && !check.ok) return false;
    return true;
  }
};

int processors_allowed() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  return sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 0;
}

std::string cgroup_limit() {
  std::ifstream in("/sys/fs/cgroup/cpu.max");
  std::string line;
  std::getline(in, line);
  return line.empty() ? "none" : line;
}

// What compiling would use; a wrong HONE_ISA is told by the checks.
target::Target compiling_target() {
  auto target = target::default_target();
  return target.ok() ? *target : target::host_target();
}

Diagnosis diagnose() {
  Diagnosis found;
  found.target = target::host_target();
  found.processors = processors_allowed();
  found.cgroup = cgroup_limit();
  for (int threads : std::set<int>{1, std::min(2, found.target.cores), found.target.cores})
    found.limits.push_back(measure::measure_limits(found.target, threads));
  found.checks = run_checks();
  auto calibration = pipeline::find_calibration(compiling_target(), "");
  if (calibration.ok())
    found.calibration = std::move(*calibration);
  else
    found.checks.push_back({"cache", false, true, calibration.problem().message});
  return found;
}

Json diagnosis_json(const Diagnosis& found) {
  const target::Target& target = found.target;
  Json peaks = Json::object(), reads = Json::object(), levels = Json::object(), checks = Json::array();
  for (const measure::MachineLimits& limits : found.limits) {
    std::string threads = std::to_string(limits.threads);
    peaks[threads] = limits.peak_gflops;
    reads[threads] = limits.levels.back().read_gbytes;
    levels[threads] = Json::array();
    for (const measure::MemoryLevel& level : limits.levels)
      levels[threads].push_back(
          {{"name", level.name}, {"read_gbytes", level.read_gbytes}, {"copy_gbytes", level.copy_gbytes}});
  }
  Json figures = Json::object();
  for (const target::FigureInfo& figure : target::all_figures())
    figures[figure.name] = found.calibration.figures.*figure.value;
  for (const Check& check : found.checks)
    checks.push_back({{"name", check.name}, {"ok", check.ok}, {"needed", check.needed}, {"detail", check.detail}});
  return {{"hone", version()},
          {"cpu", target.name},
          {"isa", target::name_of(target.isa)},
          {"vector_bits", target.vector_bits},
          {"cores", target.cores},
          {"processors", found.processors},
          {"cgroup_cpu_max", found.cgroup},
          {"l1_bytes", target.l1_bytes},
          {"l2_bytes", target.l2_bytes},
          {"l3_bytes", target.l3_bytes},
          {"peak_gflops", peaks},
          {"read_gbytes", reads},
          {"memory_levels", levels},
          {"figures", figures},
          {"figures_from", found.calibration.file.string()},
          {"checks", checks}};
}

void print_machine(const Diagnosis& found) {
  const target::Target& target = found.target;
  print_fact("hone", version());
  print_fact("cpu", target.name);
  print_fact("isa", fmt::format("{} ({} registers of {} bits)", target::name_of(target.isa), target.vector_registers,
                                target.vector_bits));
  print_fact("cores", fmt::format("{} for this process ({} processors allowed, cgroup cpu.max {})", target.cores,
                                  found.processors, found.cgroup));
  print_fact(
      "caches",
      fmt::format("L1 {}, L2 {} per core, L3 {} shared", bytes_text(static_cast<double>(target.l1_bytes)),
                  bytes_text(static_cast<double>(target.l2_bytes)), bytes_text(static_cast<double>(target.l3_bytes))));
}

void print_limits(const Diagnosis& found) {
  std::vector<Column> columns = {{"limit"}};
  for (const measure::MachineLimits& limits : found.limits)
    columns.push_back({fmt::format("{} thread{}", limits.threads, limits.threads == 1 ? "" : "s"), Align::Right});
  columns.push_back({"unit"});
  Table table(columns);
  auto add = [&](const std::string& name, const std::string& unit, auto figure) {
    std::vector<std::string> row = {name};
    for (const measure::MachineLimits& limits : found.limits) row.push_back(fmt::format("{:.1f}", figure(limits)));
    row.push_back(unit);
    table.add(row);
  };
  add("f32 multiply-add", "GFLOP/s", [](const auto& limits) { return limits.peak_gflops; });
  for (size_t k = 0; k < found.limits[0].levels.size(); ++k) {
    const std::string& name = found.limits[0].levels[k].name;
    add(name + " read", "GB/s", [k](const auto& limits) { return limits.levels[k].read_gbytes; });
    add(name + " copy", "GB/s", [k](const auto& limits) { return limits.levels[k].copy_gbytes; });
  }
  fmt::print("\n{}\n", table.text());
}

Status calibrate_and_keep() {
  HONE_TRY(target::Target target, target::default_target());
  HONE_TRY(target.figures, calibrate(target));
  HONE_PASS(pipeline::keep_calibration(target, ""));
  return Done{};
}

Result<int> run(bool with_calibration, bool json) {
  if (with_calibration) HONE_PASS(calibrate_and_keep());
  Diagnosis found = diagnose();
  if (json) {
    fmt::print("{}", json_text(diagnosis_json(found)));
  } else {
    print_machine(found);
    print_limits(found);
    fmt::print("{}\n", figures_text(found.calibration));
    for (const Check& check : found.checks)
      fmt::print("{:<7} {}: {}\n", check.ok ? "ok" : check.needed ? "BROKEN" : "missing", check.name, check.detail);
  }
  return found.healthy() ? kSuccess : kFailure;
}

}  // namespace

void add_doctor(CLI::App& app, Verb& chosen) {
  CLI::App* verb = app.add_subcommand("doctor", "Describe and measure this machine, and check what works on it");
  struct Flags {
    bool calibrate = false, json = false;
  };
  auto flags = std::make_shared<Flags>();
  verb->add_flag("--calibrate", flags->calibrate,
                 "first measure the figures of the cost model and keep them in HONE_CACHE_DIR; new compiles use them");
  verb->add_flag("--json", flags->json, "print JSON");
  verb->callback([&chosen, flags] { chosen = [flags] { return run(flags->calibrate, flags->json); }; });
}

}  // namespace hone::tools
