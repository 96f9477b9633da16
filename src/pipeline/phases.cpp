// The order of the phases, on one page. No pass calls the next.
#include "base/parallel.h"
#include "canon/canon.h"
#include "cost/complete.h"
#include "fuse/fuse.h"
#include "lower/lower.h"
#include "pipeline/assemble.h"
#include "pipeline/cache/cache_key.h"
#include "pipeline/cache/calibration.h"
#include "pipeline/cache/model_cache.h"
#include "pipeline/compile.h"
#include "pipeline/open.h"
#include "pipeline/pass_runner.h"
#include "pipeline/stages.h"
#include "target/cores.h"
#include "target/target.h"

namespace hone::pipeline {
namespace {

using Clock = std::chrono::steady_clock;

Result<ir::Program> canonical(ir::Program program, PassRunner& passes) {
  auto run = [&](const std::string& name, auto pass) -> Result<ir::Program> {
    HONE_TRY(ir::Program result,
             passes.rewrite(name, std::move(program), [&](ir::Program p) { return pass(std::move(p)); }));
    HONE_PASS(ir::validate(result));
    return result;
  };
  for (const canon::Pass& pass : canon::passes()) {
    HONE_TRY(program, run(std::string("canon.") + pass.name, pass.run));
  }
  return program;
}

Status check_skipped(const Options& options) {
  for (const std::string& skipped : options.skip) {
    bool known = false;
    std::string names;
    for (const canon::Pass& pass : canon::passes()) {
      std::string name = std::string("canon.") + pass.name;
      known = known || name == skipped;
      names += (names.empty() ? "" : ", ") + name;
    }
    if (!known) return error("there is no pass '{}' to skip; there are {}", skipped, names);
  }
  return Done{};
}

bool keeps_texts(const Options& options) {
  return options.keep_texts || !options.dump.empty();
}

void describe_kernels(const ir::KernelGraph& graph, const ir::Plan& plan, const std::vector<lower::Lowered>& lowered,
                      PassRunner& passes, Report& report) {
  for (size_t k = 0; k < graph.kernels.size(); ++k) {
    report.kernels.push_back(ir::text_of(graph.kernels[k]));
    report.plans.push_back(ir::text_of(plan.kernels[k], graph.kernels[k].name));
    report.loops.push_back(ir::loop::text_of(lowered[k].function));
    passes.dump("lower-" + graph.kernels[k].name, report.kernels[k] + "\n" + report.plans[k] + "\n" + report.loops[k]);
  }
}

Result<CompiledModel> finish_graph(ir::KernelGraph graph, ir::Plan plan, const target::Target& target,
                                   const std::vector<EqualSizes>& sizes, const Options& options, PassRunner& passes,
                                   Report& report) {
  const int threads = target::available_cores();
  HONE_TRY(std::vector<lower::Lowered> lowered, passes.step("lower", [&] {
    return make_in_parallel<lower::Lowered>(graph.kernels.size(), threads,
                                            [&](size_t k) { return lower::lower(graph.kernels[k], plan.kernels[k]); });
  }));
  if (keeps_texts(options)) describe_kernels(graph, plan, lowered, passes, report);
  codegen::CompileOptions compile;
  compile.isa = target::name_of(target.isa);
  compile.keep_assembly = options.keep_assembly || !options.dump.empty();
  compile.name = graph.name;
  std::vector<ir::loop::Function> functions;
  for (lower::Lowered& kernel : lowered) functions.push_back(std::move(kernel.function));
  HONE_TRY(std::vector<codegen::Compiled> compiled,
           passes.step("codegen", [&] { return codegen::compile_in_parts(std::move(functions), compile, threads); }));
  CompiledModel model;
  for (codegen::Compiled& part : compiled) {
    model.objects.push_back(std::move(part.object));
    report.assembly += part.assembly;
    report.llvm_seconds += part.seconds;
  }
  passes.dump("codegen", report.assembly);
  HONE_TRY(Assembled assembled, passes.step("assemble", [&] { return assemble(graph, plan, lowered, sizes); }));
  model.executable = std::move(assembled.executable);
  model.executable.isa = target::name_of(target.isa);
  model.executable.build = HONE_VERSION;
  model.weights = std::move(assembled.weights);
  for (const PassTime& pass : report.passes) report.seconds += pass.seconds;
  model.report = std::move(report);
  return model;
}

Result<cost::Completed> plan(ir::Program program, const target::Target& target, const Options& options,
                             PassRunner& passes, Report& report) {
  HONE_TRY(program, canonical(std::move(program), passes));
  if (keeps_texts(options)) report.program = ir::text_of(program);
  passes.dump("canon", report.program);
  HONE_TRY(ir::KernelGraph graph, passes.step("fuse", [&] { return fuse::fuse(program); }));
  HONE_PASS(ir::validate(graph));
  if (keeps_texts(options)) report.graph = ir::text_of(graph);
  passes.dump("fuse", report.graph);
  return passes.step("cost.complete", [&] { return cost::complete(graph, target); });
}

Result<CompiledModel> compile_anew(ir::Program program, const target::Target& target, const Options& options,
                                   PassRunner& passes, Report& report) {
  std::vector<EqualSizes> sizes = sizes_to_check(program);
  HONE_TRY(cost::Completed completed, plan(std::move(program), target, options, passes, report));
  for (size_t k = 0; keeps_texts(options) && k < completed.reasons.size(); ++k)
    report.reasons.push_back(cost::text_of(completed.reasons[k], completed.graph.kernels[k].name));
  return finish_graph(std::move(completed.graph), std::move(completed.plan), target, sizes, options, passes, report);
}

// Texts and dumps are of the passes, which a kept model does not run.
Result<CompiledModel> from_program(ir::Program program, const Options& options, PassRunner& passes, Report& report) {
  HONE_PASS(check_skipped(options));
  HONE_TRY(target::Target target, target_of(options));
  report.operators = program.ops.size();
  HONE_TRY(std::optional<ModelCache> cache, ModelCache::open(options));
  if (!cache || keeps_texts(options) || options.keep_assembly || !options.skip.empty())
    return compile_anew(std::move(program), target, options, passes, report);
  std::string key;
  auto kept = passes.step("cache", [&] {
    key = cache_key(program, target);
    return cache->find(key);
  });
  if (kept) {
    for (const PassTime& pass : report.passes) report.seconds += pass.seconds;
    kept->report = std::move(report);
    return std::move(*kept);
  }
  HONE_TRY(CompiledModel model, compile_anew(std::move(program), target, options, passes, report));
  cache->keep(key, model);
  return model;
}

Result<target::Target> uncalibrated_target_of(const Options& options) {
  if (options.isa.empty()) return target::default_target();
  HONE_TRY(target::Isa isa, target::isa_named(options.isa));
  return target::capped(target::host_target(), isa);
}

template <typename Import>
Result<ir::Program> imported(const Options& options, PassRunner& passes, Import import_program) {
  HONE_TRY(ir::Program program, passes.step("import", import_program));
  HONE_PASS(ir::validate(program));
  if (depends_on_data(program))
    return error("a size of the model depends on data: it cannot be one executable; a session of the model would work");
  if (keeps_texts(options)) passes.dump("import", ir::text_of(program));
  return program;
}

template <typename Import>
Result<CompiledModel> compile_imported(const Options& options, Import import_program) {
  Report report;
  PassRunner passes(options, report);
  HONE_TRY(ir::Program program, imported(options, passes, import_program));
  return from_program(std::move(program), options, passes, report);
}

}  // namespace

Result<target::Target> target_of(const Options& options) {
  HONE_TRY(target::Target target, uncalibrated_target_of(options));
  HONE_TRY(Calibration calibration, find_calibration(target, options.cache_dir));
  target.figures = calibration.figures;
  if (options.threads > 0) target.cores = std::min(options.threads, target.cores);
  return target;
}

Result<CompiledModel> compile_program(ir::Program program, const Options& options) {
  Report report;
  PassRunner passes(options, report);
  return from_program(std::move(program), options, passes, report);
}

Result<CompiledModel> compile_file(const std::filesystem::path& file, const Options& options) {
  return compile_imported(options, [&] { return import::import_model(file, import_options(options)); });
}

Result<CompiledModel> compile_bytes(std::span<const std::byte> bytes, const Options& options,
                                    const std::filesystem::path& folder) {
  return compile_imported(options, [&] { return import::import_model(bytes, folder, import_options(options)); });
}

Result<PlannedModel> plan_file(const std::filesystem::path& file, const Options& options) {
  Report report;
  PassRunner passes(options, report);
  HONE_TRY(target::Target target, target_of(options));
  HONE_TRY(ir::Program program,
           imported(options, passes, [&] { return import::import_model(file, import_options(options)); }));
  HONE_PASS(check_skipped(options));
  HONE_TRY(cost::Completed completed, plan(std::move(program), target, options, passes, report));
  return PlannedModel{std::move(completed.graph), std::move(completed.plan), std::move(target),
                      std::move(completed.originals)};
}

Result<CompiledModel> compile_graph(ir::KernelGraph graph, ir::Plan plan, const Options& options) {
  HONE_TRY(target::Target target, target_of(options));
  HONE_PASS(ir::validate(graph));
  Report report;
  PassRunner passes(options, report);
  return finish_graph(std::move(graph), std::move(plan), target, {}, options, passes, report);
}

}  // namespace hone::pipeline
