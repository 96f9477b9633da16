#include "pipeline/read_graph.h"

#include <gtest/gtest.h>

namespace hone::pipeline {
namespace {

// y = x * w, with these declarations and this call.
std::string graph_with(const std::string& weights, const std::string& call) {
  return "graph net {\n"
         "  kernel scale(in x: f32[M], in w: f32[M], out y: f32[M]) {\n"
         "    axis i < M\n"
         "    grid i step T {\n"
         "      group (i) { y[i] = x[i] * w[i] }\n"
         "    }\n"
         "  }\n"
         "  input x: f32[2]\n"
         "  output y: f32[2]\n" +
         weights + "\n" + call + "\n}\n";
}

Result<GraphSource> read(const std::string& text, target::Isa isa = target::Isa::X86_64) {
  target::Target target;
  target.isa = isa;
  return read_graph(text, {}, target);
}

void expect_problem(const std::string& text, const std::string& message) {
  auto source = read(text);
  ASSERT_FALSE(source.ok()) << text;
  EXPECT_NE(source.problem().message.find(message), std::string::npos) << source.problem().message;
}

constexpr const char* kCall = "  call scale(x, w, y) with M = 2";

TEST(ReadGraph, MakesUpSmallConstants) {
  auto source = read(graph_with("  const w: f32[2]", kCall));
  ASSERT_TRUE(source.ok()) << source.problem().message;
  EXPECT_EQ(source->plan.kernels.size(), 1u);
}

TEST(ReadGraph, APlanForTheInstructionSetComesBeforeOneForAll) {
  const std::string text = graph_with("  const w: f32[2]", kCall) +
                           "\nplan scale for avx512 { set T = 32 group 0: vector i by 16, order (i) }\n"
                           "\nplan scale { set T = 8 group 0: vector i by 4, order (i) }\n";
  for (auto [isa, step] : {std::pair{target::Isa::Avx512, 32}, {target::Isa::Avx2, 8}, {target::Isa::X86_64, 8}}) {
    auto source = read(text, isa);
    ASSERT_TRUE(source.ok()) << source.problem().message;
    EXPECT_EQ(source->plan.kernels[0].parameters.at("T"), step) << target::name_of(isa);
  }
}

TEST(ReadGraph, RefusesPlansForInstructionSetsThatDoNotExist) {
  expect_problem(graph_with("  const w: f32[2]", kCall) + "\nplan scale for mmx { }\n",
                 "unknown instruction set 'mmx': use avx512, avx2 or x86-64");
}

TEST(ReadGraph, MakesUpNoConstantThatFillsMemory) {
  const std::string said = "constants without content may have 16777216 elements together";
  expect_problem(graph_with("  const w: f32[-1]", kCall), said);
  expect_problem(graph_with("  const w: f32[1000000, 1000000]", kCall), said);
  expect_problem(graph_with("  const w: f32[4000000000, 4000000000, 4000000000]", kCall), said);
  expect_problem(graph_with("  const w: f32[10000000]\n  const v: f32[10000000]", kCall), said);
}

TEST(ReadGraph, CompletesValidGraphsOnly) {
  EXPECT_FALSE(read(graph_with("  const w: f32[2]", "  call scale(x, w) with M = 2")).ok());
}

}  // namespace
}  // namespace hone::pipeline
