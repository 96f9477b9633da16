// The five example kernels against the interpreter of kernels: whole numbers bit for bit where no exponential is involved,
// the same bits on every run and at each thread count, no stack access in inner loops.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/rng.h"
#include "codegen/llvm/inspect_assembly.h"
#include "eval/kernel_eval.h"
#include "pipeline/compile.h"
#include "pipeline/read_graph.h"

namespace hone {
namespace {

using Sizes = std::map<std::string, int64_t>;

std::string read_example(const std::string& name) {
  std::ifstream in(std::string(HONE_SOURCE_DIR) + "/examples/step0/" + name + ".hone");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Plans pin the sizes that are measured; other sizes run without the pins.
std::string without_pins(const std::string& text) {
  std::stringstream in(text);
  std::string line, kept;
  while (std::getline(in, line))
    if (!line.starts_with("  pin ")) kept += line + "\n";
  return kept;
}

pipeline::GraphSource source_of(const std::string& name, const Sizes& sizes, bool pins) {
  std::string text = read_example(name);
  auto source = pipeline::read_graph(pins ? text : without_pins(text), sizes, target::host_target());
  EXPECT_TRUE(source.ok()) << (source.ok() ? "" : source.problem().message);
  return source.ok() ? *source : pipeline::GraphSource{};
}

std::vector<eval::Tensor> inputs_of(const ir::KernelGraph& graph) {
  Rng rng(3);
  std::vector<eval::Tensor> inputs;
  for (const ir::Edge& edge : graph.edges) {
    if (edge.kind != ir::Edge::Kind::Input) continue;
    std::vector<int64_t> shape;
    for (const ir::Index& extent : edge.type.shape) shape.push_back(*extent.constant());
    std::vector<double> values;
    for (int64_t i = 0; i < eval::count_of(shape); ++i)
      values.push_back(edge.type.dtype == ir::DType::Bool ? 1 : static_cast<double>(rng.between(-2, 2)));
    inputs.push_back(eval::filled(edge.type.dtype, shape, values));
  }
  return inputs;
}

std::vector<float> run(const pipeline::CompiledModel& model, const std::vector<eval::Tensor>& inputs, int threads) {
  pipeline::Options options;
  options.threads = threads;
  auto session = pipeline::load(model, options);
  EXPECT_TRUE(session.ok()) << (session.ok() ? "" : session.problem().message);
  std::vector<runtime::InputTensor> feeds;
  for (const eval::Tensor& input : inputs) feeds.push_back({ir::name_of(input.dtype), input.shape, input.bytes.data()});
  auto first = (*session)->run(feeds), second = (*session)->run(feeds);
  EXPECT_TRUE(first.ok() && second.ok()) << (first.ok() ? "" : first.problem().message);
  std::vector<float> values((*first)[0].data.size() / sizeof(float));
  std::memcpy(values.data(), (*first)[0].data.data(), (*first)[0].data.size());
  EXPECT_EQ(std::memcmp((*first)[0].data.data(), (*second)[0].data.data(), (*first)[0].data.size()), 0)
      << "two runs differ";
  return values;
}

// tolerance 0: bit for bit.
void check(const std::string& name, const Sizes& sizes, double tolerance) {
  SCOPED_TRACE(name);
  pipeline::GraphSource source = source_of(name, sizes, name == "lstm");
  if (source.graph.kernels.empty()) return;
  std::vector<eval::Tensor> inputs = inputs_of(source.graph);
  std::vector<eval::Sizes> parameters;
  for (const ir::KernelPlan& plan : source.plan.kernels) parameters.push_back(plan.parameters);
  auto want = eval::evaluate(source.graph, inputs, parameters);
  ASSERT_TRUE(want.ok()) << want.problem().message;
  pipeline::Options options;
  options.keep_assembly = true;
  auto model = pipeline::compile_graph(source.graph, source.plan, options);
  ASSERT_TRUE(model.ok()) << model.problem().message;
  for (int threads : {1, 2}) {
    std::vector<float> got = run(*model, inputs, threads);
    ASSERT_EQ(static_cast<int64_t>(got.size()), eval::count_of((*want)[0].shape));
    for (size_t i = 0; i < got.size(); ++i) {
      double expected = eval::element((*want)[0], static_cast<int64_t>(i));
      ASSERT_LE(std::abs(got[i] - expected), tolerance * (1 + std::abs(expected)))
          << "element " << i << " on " << threads << " threads";
    }
  }
}

TEST(Step0, ConvolutionBitForBit) {
  check("conv", {{"H", 9}, {"W", 13}, {"C", 5}, {"O", 18}}, 0);
  check("conv", {{"H", 1}, {"W", 1}, {"C", 3}, {"O", 1}}, 0);
  check("conv", {{"H", 4}, {"W", 2}, {"C", 1}, {"O", 33}}, 0);
  check("conv", {{"H", 6}, {"W", 5}, {"C", 19}, {"O", 18}}, 0);
}

TEST(Step0, FusedLayersBitForBit) {
  check("mbconv", {{"H", 18}, {"W", 11}, {"C", 3}, {"E", 19}, {"O", 5}}, 0);
  check("mbconv", {{"H", 33}, {"W", 14}, {"C", 2}, {"E", 8}, {"O", 24}}, 0);
  check("mbconv_unfused", {{"H", 18}, {"W", 11}, {"C", 3}, {"E", 19}, {"O", 5}}, 0);
}

TEST(Step0, Attention) {
  check("attention", {{"H", 2}, {"S", 131}, {"D", 9}}, 1e-5);
  check("attention", {{"H", 1}, {"S", 263}, {"D", 8}}, 1e-5);
  check("attention_split", {{"H", 1}, {"S", 600}, {"D", 8}}, 1e-5);
}

TEST(Step0, RecurrenceUnderIf) {
  check("lstm", {{"T", 5}, {"N", 2}, {"I", 7}, {"H", 64}}, 1e-5);
}

TEST(Step0, ConcatTransposeSoftmax) {
  check("concat_softmax", {{"P", 37}}, 1e-5);
}

TEST(Step0, PinnedSizesAreChecked) {
  pipeline::GraphSource source = source_of("lstm", {{"T", 2}, {"N", 1}, {"I", 3}, {"H", 32}}, true);
  auto model = pipeline::compile_graph(source.graph, source.plan, {});
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.problem().message.find("pins H = 64, but a call has H = 32"), std::string::npos)
      << model.problem().message;
}

TEST(Step0, InnerLoopsLeaveTheStackAlone) {
  const std::pair<const char*, Sizes> examples[] = {
      {"conv", {{"H", 57}, {"W", 55}, {"C", 46}, {"O", 50}}},
      {"mbconv", {{"H", 112}, {"W", 112}, {"C", 16}, {"E", 96}, {"O", 24}}},
      {"attention", {{"H", 8}, {"S", 1024}, {"D", 64}}},
      {"attention_split", {{"H", 8}, {"S", 1024}, {"D", 64}}},
      {"lstm", {{"T", 32}, {"N", 1}, {"I", 64}, {"H", 64}}},
      {"concat_softmax", {{"P", 1000}}},
  };
  for (const auto& [name, sizes] : examples) {
    pipeline::GraphSource source = source_of(name, sizes, true);
    pipeline::Options options;
    options.keep_assembly = true;
    auto model = pipeline::compile_graph(source.graph, source.plan, options);
    ASSERT_TRUE(model.ok()) << model.problem().message;
    int found = 0, loops = 0;
    for (const codegen::AssemblyLoop& loop : codegen::innermost_loops(model->report.assembly)) {
      if (loop.fmas == 0) continue;
      ++loops;
      found += loop.stack_accesses;
    }
    EXPECT_EQ(found, 0) << name;
    EXPECT_TRUE(loops > 0 || target::host_target().isa < target::Isa::Avx2) << name;
  }
}

}  // namespace
}  // namespace hone
