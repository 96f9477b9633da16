// hone inspect: what a model holds, and what became of it on the way to machine code.
#include "hone/inspect_memory.h"
#include "hone/json_file.h"
#include "hone/model.h"
#include "hone/print.h"
#include "hone/verb.h"
#include "import/import.h"
#include "import/survey.h"
#include "runtime/artefact.h"

namespace hone::tools {
namespace {

using Json = nlohmann::ordered_json;
using runtime::Executable;
using runtime::StepSpec;

struct InspectOptions {
  ModelOptions model;
  InputOptions inputs;
  bool operators = false, program = false, graph = false, kernels = false, plan = false, loops = false,
       assembly = false, memory = false, json = false;
  std::string why;  // name of a kernel
};

// What compiling told, or what a library tells of itself.
struct Findings {
  Executable executable;
  std::optional<pipeline::Report> report;
  size_t code_bytes = 0;
};

Result<Findings> look_into(const InspectOptions& options) {
  Findings found;
  if (is_library(options.model.path)) {
    HONE_TRY(found.executable, runtime::read_artefact(options.model.path));
    return found;
  }
  pipeline::Options compile = options.model.compile;
  compile.keep_texts = true;
  compile.keep_assembly = options.assembly;
  HONE_TRY(pipeline::CompiledModel model, pipeline::compile_file(options.model.path, compile));
  found.executable = std::move(model.executable);
  found.report = std::move(model.report);
  found.code_bytes = model.code_bytes();
  return found;
}

// Steps as they would run, those of inner bodies included.
void collect_steps(const std::vector<StepSpec>& steps, std::vector<const StepSpec*>& all) {
  for (const StepSpec& step : steps) {
    all.push_back(&step);
    for (const auto& body : step.bodies) collect_steps(body, all);
  }
}

std::string function_of(const Executable& executable, const StepSpec& step) {
  switch (step.kind) {
    case StepSpec::Kind::Kernel:
      return executable.functions[static_cast<size_t>(step.function)];
    case StepSpec::Kind::Library:
      return "library " + step.library;
    case StepSpec::Kind::If:
      return "if";
    case StepSpec::Kind::Loop:
      return "loop";
    case StepSpec::Kind::Check:
      return "check";
  }
  return "";
}

Json ports_json(const std::vector<runtime::PortSpec>& ports) {
  Json json = Json::array();
  for (const runtime::PortSpec& port : ports)
    json.push_back({{"name", port.name}, {"type", port.dtype}, {"shape", port.shape_text}});
  return json;
}

void print_summary(const InspectOptions& options, const Findings& found) {
  const Executable& executable = found.executable;
  print_fact("model", options.model.path);
  print_fact("isa", executable.isa);
  for (const runtime::PortSpec& port : executable.inputs) print_fact("input", port_text(port));
  for (const runtime::PortSpec& port : executable.outputs) print_fact("output", port_text(port));
  if (found.report) print_fact("operators", std::to_string(found.report->operators));
  std::vector<const StepSpec*> steps;
  collect_steps(executable.steps, steps);
  print_fact("kernels", fmt::format("{}, called in {} steps", executable.functions.size(), steps.size()));
  print_fact("weights", bytes_text(static_cast<double>(executable.weight_bytes)));
  if (!found.report) return;
  print_fact("code", bytes_text(static_cast<double>(found.code_bytes)));
  print_fact("compile", fmt::format("{} ({})", seconds_text(found.report->seconds), phases_text(*found.report)));
}

Json steps_json(const Executable& executable) {
  std::vector<const StepSpec*> steps;
  collect_steps(executable.steps, steps);
  Json json = Json::array();
  for (const StepSpec* step : steps)
    json.push_back({{"kernel", function_of(executable, *step)}, {"label", step->label}});
  return json;
}

void print_kernels(const Findings& found) {
  std::vector<const StepSpec*> steps;
  collect_steps(found.executable.steps, steps);
  Table table({{"step", Align::Right}, {"kernel", Align::Left, 48}, {"label", Align::Left, 100}});
  for (size_t k = 0; k < steps.size(); ++k)
    table.add({std::to_string(k), function_of(found.executable, *steps[k]), steps[k]->label});
  fmt::print("\n{}", table.text());
  if (!found.report) return;
  for (const std::string& kernel : found.report->kernels) fmt::print("\n{}", kernel);
}

Status print_texts(const InspectOptions& options, const Findings& found) {
  bool wanted = options.program || options.graph || options.plan || options.loops || options.assembly;
  if (!wanted) return Done{};
  if (!found.report) return error("a compiled library keeps no texts of the compiler; the ONNX file would work");
  const pipeline::Report& report = *found.report;
  if (options.program) fmt::print("\n{}", report.program);
  if (options.graph) fmt::print("\n{}", report.graph);
  for (size_t k = 0; k < report.plans.size(); ++k) {
    if (options.plan) fmt::print("\n{}", report.plans[k]);
    if (options.loops) fmt::print("\n{}", report.loops[k]);
  }
  if (options.assembly) fmt::print("\n{}", report.assembly);
  return Done{};
}

// Reasons of the kernels whose names begin with the one asked for: copies for other sizes are called name_p1, name_p2.
Status print_reasons(const InspectOptions& options, const Findings& found) {
  if (options.why.empty()) return Done{};
  if (!found.report) return error("a compiled library does not know why; the ONNX file would work");
  bool any = false;
  for (const std::string& reason : found.report->reasons)
    if (reason.starts_with("why " + options.why)) {
      fmt::print("\n{}", reason);
      any = true;
    }
  if (!any)
    return error("there is no kernel '{}'; there are {}", options.why, fmt::join(found.executable.functions, ", "));
  return Done{};
}

Json findings_json(const InspectOptions& options, const Findings& found, const std::optional<MemoryMap>& memory) {
  const Executable& executable = found.executable;
  Json json = {{"model", options.model.path},
               {"name", executable.name},
               {"isa", executable.isa},
               {"inputs", ports_json(executable.inputs)},
               {"outputs", ports_json(executable.outputs)},
               {"weight_bytes", executable.weight_bytes},
               {"functions", executable.functions},
               {"steps", steps_json(executable)}};
  if (found.report) {
    const pipeline::Report& report = *found.report;
    json["operators"] = report.operators;
    json["compile_seconds"] = report.seconds;
    for (const pipeline::PassTime& pass : report.passes) json["pass_seconds"][pass.name] = pass.seconds;
    if (options.program) json["program"] = report.program;
    if (options.graph) json["graph"] = report.graph;
    if (options.kernels) json["kernels"] = report.kernels;
    if (options.plan) json["plans"] = report.plans;
    if (!options.why.empty()) json["why"] = report.reasons;
    if (options.loops) json["loops"] = report.loops;
    if (options.assembly) json["assembly"] = report.assembly;
  }
  if (memory) json["memory"] = memory_json(*memory);
  return json;
}

// Before anything is compiled: which operators there are, and every reason against the model at once.
Result<int> inspect_operators(const InspectOptions& options) {
  const std::string& path = options.model.path;
  if (is_library(path)) return error("a compiled library has kernels, no operators; --kernels would work");
  HONE_TRY(import::Survey survey, import::survey_model(path));
  auto program = import::import_model(std::filesystem::path(path));
  if (options.json) {
    Json operators = Json::array();
    for (const import::OperatorUse& use : survey.operators)
      operators.push_back({{"operator", use.name}, {"count", use.count}, {"known", use.known}});
    fmt::print("{}", json_text({{"model", path},
                                {"opset", survey.opset},
                                {"operators", operators},
                                {"supported", program.ok()},
                                {"problem", program.ok() ? "" : program.problem().message}}));
  } else {
    print_fact("model", fmt::format("{} (opset {}, made by {})", path, survey.opset,
                                    survey.producer.empty() ? "unknown" : survey.producer));
    Table table({{"operator"}, {"count", Align::Right}, {"known"}});
    for (const import::OperatorUse& use : survey.operators)
      table.add({use.name, std::to_string(use.count), use.known ? "yes" : "NO"});
    fmt::print("{}", table.text());
    fmt::print("{}\n", program.ok() ? "every node is supported" : program.problem().message);
  }
  return program.ok() ? kSuccess : kFailure;
}

Result<int> run(const InspectOptions& options) {
  if (options.operators) return inspect_operators(options);
  HONE_TRY(Findings found, look_into(options));
  std::optional<MemoryMap> memory;
  if (options.memory) {
    HONE_TRY(memory, map_memory(found.executable, options.inputs, options.model.compile.threads));
  }
  if (options.json) {
    fmt::print("{}", json_text(findings_json(options, found, memory)));
    return kSuccess;
  }
  print_summary(options, found);
  if (options.kernels) print_kernels(found);
  HONE_PASS(print_texts(options, found));
  HONE_PASS(print_reasons(options, found));
  if (memory) fmt::print("\n{}", memory_text(*memory));
  return kSuccess;
}

}  // namespace

void add_inspect(CLI::App& app, Verb& chosen) {
  CLI::App* verb = app.add_subcommand("inspect", "Show operators, kernels, plans, code and memory of a model");
  auto options = std::make_shared<InspectOptions>();
  add_model_options(*verb, options->model);
  add_threads_option(*verb, options->model);
  add_input_options(*verb, options->inputs);
  verb->add_flag("--ops", options->operators, "operators with counts and whether each is supported; compiles nothing");
  verb->add_flag("--program", options->program, "the program in normal form");
  verb->add_flag("--graph", options->graph, "the kernel graph");
  verb->add_flag("--kernels", options->kernels, "every step with its kernel and label, and the kernels' texts");
  verb->add_flag("--plan", options->plan, "the kernels' plans");
  verb->add_option("--why", options->why,
                   "a kernel's name: what was chosen for it, against what, at which predicted costs")
      ->type_name("KERNEL");
  verb->add_flag("--loops", options->loops, "the kernels as loops");
  verb->add_flag("--asm", options->assembly, "machine code as assembly");
  verb->add_flag("--memory", options->memory, "buffers and their places in the arena, for the shapes of --shape");
  verb->add_flag("--json", options->json, "print JSON");
  verb->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace hone::tools
