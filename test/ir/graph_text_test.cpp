#include <gtest/gtest.h>

#include "base/hash.h"
#include "ir/text/constants.h"

namespace hone::ir {
namespace {

constexpr const char* kGraph = R"(graph net {
  kernel scale(in x: f32[M], in w: f32[M], out y: f32[M]) {
    axis i < M
    grid i step T {
      group (i) { y[i] = x[i] * w[i] }
    }
  }
  input x: f32[2, n]
  output y: f32[2*n] at 1
  output z: f32[2*n] at 0
  input c: bool[]
  const w: f32[2] = {1, -0.5}
  buffer flat: f32[2*n]
  buffer t: f32[2*n]
  alias flat = x
  call scale(flat, flat, t) with M = 2*n as "Mul_1"
  if c {
    call scale(t, t, y) with M = 2*n
    library "Non.Zero"(x, w) -> (z) with 1, -2, 2*n
  } else {
    call scale(flat, t, y) with M = 2*n
    call scale(flat, t, z) with M = 2*n
  } as "If_2"
}
)";

TEST(GraphText, ReadsAsItPrints) {
  Result<KernelGraph> graph = parse_kernel_graph(kGraph);
  ASSERT_TRUE(graph.ok()) << graph.problem().message;
  EXPECT_EQ(text_of(*graph), kGraph);
  EXPECT_TRUE(validate(*graph).ok()) << validate(*graph).problem().message;
}

constexpr const char* kLoop = R"(graph net {
  kernel scale(in x: f32[M], out y: f32[M]) {
    axis i < M
    grid i step T {
      group (i) { y[i] = x[i] * 2 }
    }
  }
  kernel flag(in x: bool[], out y: bool[]) {
    group () { y[] = x[] }
  }
  input n: i64[]
  input x: f32[8]
  input c: bool[]
  output y: f32[8]
  output all: f32[4, 8]
  buffer i: i64[]
  buffer go: bool[]
  buffer on: bool[]
  buffer next: f32[8]
  loop i below n carry go = c then on, y = x then next stack all = next {
    call scale(y, next) with M = 8
    call flag(go, on)
  } as "Loop_1"
}
)";

TEST(GraphText, ReadsLoopsAsItPrintsThem) {
  Result<KernelGraph> graph = parse_kernel_graph(kLoop);
  ASSERT_TRUE(graph.ok()) << graph.problem().message;
  EXPECT_EQ(text_of(*graph), kLoop);
  EXPECT_TRUE(validate(*graph).ok()) << validate(*graph).problem().message;
  graph->calls[0].bodies[0].pop_back();
  Status status = validate(*graph);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.problem().message.find("loop (Loop_1): it reads 'on', which nothing before it computes"),
            std::string::npos)
      << status.problem().message;
}

KernelGraph graph() {
  return *parse_kernel_graph(kGraph);
}

void expect_invalid(const KernelGraph& graph, const std::string& message) {
  Status status = validate(graph);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.problem().message.find(message), std::string::npos) << status.problem().message;
}

TEST(GraphValidate, NamesWhatIsWrong) {
  KernelGraph g = graph();
  g.calls[1].sizes.clear();
  expect_invalid(g, "graph 'net': call of scale (Mul_1): size M is not given; add: with M = …");
  g = graph();
  g.calls[1].sizes["M"] = 7;
  expect_invalid(g, "dimension 0 of buffer x is 7, that of edge 'flat' is 2*n");
  g = graph();
  g.calls[1].sizes["Q"] = 7;
  expect_invalid(g, "it gives Q, which is no size of the kernel");
  g = graph();
  g.calls[1].edges.pop_back();
  expect_invalid(g, "it passes 2 edges, the kernel takes 3");
  g = graph();
  g.calls[1].edges[0] = 99;
  expect_invalid(g, "it names edge 99 of 7");
  g = graph();
  std::swap(g.calls[0], g.calls[1]);
  expect_invalid(g, "it reads 'flat', which nothing before it computes");
  g = graph();
  g.calls[2].bodies[0].clear();
  expect_invalid(g, "output 'y' is never computed");
  g = graph();
  g.calls[2].edges[0] = 0;
  expect_invalid(g, "if (If_2): the condition 'x' is not one bool");
  g = graph();
  g.edges[1].number = 0;
  expect_invalid(g, "edge 'z' has position 0 of the signature");
  g = graph();
  g.edges[4].constant->bytes = 4;
  expect_invalid(g, "constant 'w' has 4 bytes, its type takes 8");
  g = graph();
  g.edges[2].type.dtype = DType::F64;
  expect_invalid(g, "buffer y is f32, edge 'z' is f64");
  g = graph();
  g.kernels.push_back(g.kernels[0]);
  expect_invalid(g, "two kernels are called 'scale'");
}

void expect_problem(const std::string& source, const std::string& message) {
  Result<KernelGraph> parsed = parse_kernel_graph(source);
  ASSERT_FALSE(parsed.ok());
  EXPECT_NE(parsed.problem().message.find(message), std::string::npos) << parsed.problem().message;
}

TEST(GraphText, ProblemsNamePlaceAndCure) {
  expect_problem("graph g { call f() }", "1:16: there is no kernel 'f' above");
  expect_problem("graph g { alias a = b }", "there is no edge 'a'; add: buffer a: f32[…]");
  expect_problem("graph g { input a: f32[] input a: f32[] }", "edge 'a' is defined twice");
  expect_problem("graph g { nothing }", "found 'nothing', expected call, alias, library, if, loop or '}'");
  expect_problem("graph g { const w: f32[2] = {1} }", "found 1 elements, expected 2");
  expect_problem("graph g { const w: f32[N] = {1} }", "a constant has sizes known now, not N");
  expect_problem("graph g { const w: u8[1] = {256} }", "256 is no value of type u8");
  expect_problem("graph g { const w: u8[1] = {-1} }", "is no value of type u8");
  expect_problem("graph g { const w: f32[20] = hash 0x12 }", "the bytes of constant 0x12 are not at hand");
  std::string deep = "graph g { input c: bool[] ";
  for (int i = 0; i < 3000; ++i) deep += "if c { ";
  expect_problem(deep, "levels of nesting");
}

TEST(GraphText, LargeConstantsComeFromTheProvider) {
  auto bytes = std::make_shared<std::vector<std::byte>>(80, std::byte{7});
  ConstantData data{bytes->data(), bytes->size(), bytes};
  uint64_t hash = hash_bytes({reinterpret_cast<const char*>(data.data), data.bytes});
  KernelGraph g;
  g.name = "g";
  g.edges.push_back({Edge::Kind::Constant, "w", {DType::F32, {20}}, 0, data});
  auto provider = [&](uint64_t wanted) { return wanted == hash ? std::optional(data) : std::nullopt; };
  Result<KernelGraph> again = text::parse_kernel_graph(text_of(g), provider);
  ASSERT_TRUE(again.ok()) << again.problem().message;
  EXPECT_EQ(text_of(*again), text_of(g));
  EXPECT_FALSE(parse_kernel_graph(text_of(g)).ok());
}

}  // namespace
}  // namespace hone::ir
