// The whole road from a model to something that runs. phases.cpp is the page that lists the order.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>

#include "codegen/llvm/codegen.h"
#include "eval/tensor.h"
#include "ir/plan/plan.h"
#include "runtime/executable.h"
#include "runtime/session.h"
#include "target/target.h"

namespace hone::pipeline {

struct Options {
  int threads = 0;        // that the model runs on and is planned for; 0: as many as the process may use
  std::string isa;        // caps the instruction set; empty: the machine's (HONE_ISA applies)
  std::string cache_dir;  // keeps compiled models; empty: HONE_CACHE_DIR, else none
  // Inputs with the value that they always have; the code depends on it (import/import.h).
  std::map<std::string, eval::Tensor> values;
  std::map<std::string, int64_t> sizes;  // named dimensions with the size that they always have
  std::string dump;                      // folder that gets the text after every pass; empty: none
  std::vector<std::string> skip;         // names of passes to leave out
  bool keep_texts = false;               // fill the texts of the report but the assembly
  bool keep_assembly = false;            // also that, which takes as long again as generating the code
};

struct PassTime {
  std::string name;
  double seconds = 0;
};

// What the compiler did, for inspect and bench.
struct Report {
  std::vector<PassTime> passes;
  size_t operators = 0;
  double seconds = 0;       // of all passes
  double llvm_seconds = 0;  // spent in code generation by all threads together
  // With keep_texts:
  std::string program, graph;        // after canon, after fuse
  std::vector<std::string> kernels;  // each kernel, in the executable's order
  std::vector<std::string> plans, loops;
  std::vector<std::string> reasons;  // why each kernel is planned as it is: cost/reasons.h
  std::string assembly;              // with keep_assembly
};

struct CompiledModel {
  runtime::Executable executable;
  std::vector<std::vector<std::byte>> objects;  // machine code, relocatable ELF
  std::shared_ptr<const runtime::AlignedBytes> weights;
  Report report;

  size_t code_bytes() const;
};

Result<CompiledModel> compile_file(const std::filesystem::path& model, const Options& options);
// `folder` is where external data is looked for.
Result<CompiledModel> compile_bytes(std::span<const std::byte> model, const Options& options,
                                    const std::filesystem::path& folder = {});
Result<CompiledModel> compile_program(ir::Program program, const Options& options);
// From a kernel graph on: what a hand-written µGraph with its plans goes through.
Result<CompiledModel> compile_graph(ir::KernelGraph graph, ir::Plan plan, const Options& options);

// A model up to its plans: nothing is lowered, nothing is kept.
struct PlannedModel {
  ir::KernelGraph graph;
  ir::Plan plan;
  target::Target target;
  std::vector<ir::Kernel> originals;  // as in cost::Completed
};
Result<PlannedModel> plan_file(const std::filesystem::path& model, const Options& options);

// The machine at hand, capped by the options (instruction set, cores), with the figures of its calibration if one is kept
// (cache/calibration.h).
Result<target::Target> target_of(const Options& options);

// Ready to run in this process.
Result<std::shared_ptr<runtime::Session>> load(CompiledModel model, const Options& options);
// A shared library that libhone_runtime loads without the compiler, and a C header beside it (same name, .h).
Status write_artefact(const CompiledModel& model, const std::filesystem::path& library);

}  // namespace hone::pipeline
