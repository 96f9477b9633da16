#include "step0/example.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <numeric>
#include <sstream>

#include "base/rng.h"
#include "codegen/llvm/inspect_assembly.h"
#include "pipeline/compile.h"
#include "pipeline/read_graph.h"

namespace hone::step0 {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void fill(std::vector<std::byte>& bytes, const std::string& dtype, Rng& rng) {
  if (dtype == "bool") {
    std::fill(bytes.begin(), bytes.end(), std::byte{1});
    return;
  }
  float* values = reinterpret_cast<float*>(bytes.data());
  for (size_t i = 0; i < bytes.size() / sizeof(float); ++i) values[i] = static_cast<float>(rng.unit() - 0.5);
}

}  // namespace

std::vector<runtime::InputTensor> Example::feeds() const {
  std::vector<runtime::InputTensor> result;
  for (size_t i = 0; i < inputs.size(); ++i)
    result.push_back({session->executable().inputs[i].dtype, shapes[i], inputs[i].data()});
  return result;
}

double Example::run_seconds() {
  std::vector<runtime::OutputMemory> memory;
  for (runtime::OutputTensor& output : outputs) memory.push_back({output.data.data(), output.data.size()});
  auto tensors = feeds();
  auto begin = std::chrono::steady_clock::now();
  auto done = session->run(tensors, memory);
  HONE_CHECK(done.ok(), "{}", done.problem().message);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Result<Example> prepare(const std::string& folder, const std::string& name, const std::map<std::string, int64_t>& sizes,
                        int threads) {
  HONE_TRY(target::Target target, target::default_target());
  HONE_TRY(pipeline::GraphSource source, pipeline::read_graph(read_file(folder + "/" + name + ".hone"), sizes, target));
  pipeline::Options options;
  options.threads = threads;
  options.keep_assembly = true;
  HONE_TRY(pipeline::CompiledModel model,
           pipeline::compile_graph(std::move(source.graph), std::move(source.plan), options));
  Example example;
  example.llvm_seconds = model.report.llvm_seconds;
  for (const codegen::AssemblyLoop& loop : codegen::innermost_loops(model.report.assembly))
    if (loop.fmas > 0) example.stack_accesses += loop.stack_accesses;
  HONE_TRY(example.session, pipeline::load(std::move(model), options));
  Rng rng(7);
  for (const runtime::PortSpec& port : example.session->executable().inputs) {
    std::vector<int64_t> shape;
    for (const std::string& extent : port.shape_text) shape.push_back(std::stoll(extent));
    int64_t count = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
    example.inputs.emplace_back(static_cast<size_t>(count) * (port.dtype == "bool" ? 1 : 4));
    fill(example.inputs.back(), port.dtype, rng);
    example.shapes.push_back(shape);
  }
  HONE_TRY(example.outputs, example.session->run(example.feeds()));
  return example;
}

}  // namespace hone::step0
