#include <gtest/gtest.h>

#include "ir/mugraph/kernel.h"

namespace hone::ir {
namespace {

// Reads back as the same kernel, and a printed kernel prints the same again.
void expect_round_trip(const std::string& source) {
  Result<Kernel> kernel = parse_kernel(source);
  ASSERT_TRUE(kernel.ok()) << kernel.problem().message << "\n" << source;
  std::string text = text_of(*kernel);
  Result<Kernel> again = parse_kernel(text);
  ASSERT_TRUE(again.ok()) << again.problem().message << "\n" << text;
  EXPECT_EQ(text_of(*again), text);
}

// A kernel around one statement.
std::string around(const std::string& statements) {
  return "kernel k(in a: f32[M, N], in b: f32[N], in ids: i64[M], in f: bool[M], in h: f16[M], in q: f32[],\n"
         "         out y: f32[M, N], out z: i64[M], out d: f64[M]) {\n"
         "  axis i < M, j < N\n"
         "  tile e: f32[i, j]\n"
         "  group (i, j) {\n    " +
         statements + "\n  }\n}\n";
}

std::string statement_after(const std::string& statement) {
  Result<Kernel> kernel = parse_kernel(around(statement));
  if (!kernel.ok()) return kernel.problem().message;
  std::string text = text_of(*kernel);
  size_t begin = text.find("{ ", text.find("group")) + 2;
  return text.substr(begin, text.rfind(" }\n}") - begin);
}

void expect_same(const std::string& statement) {
  expect_round_trip(around(statement));
  EXPECT_EQ(statement_after(statement), statement);
}

TEST(KernelText, EveryFormOfAStatementReadsAsItPrints) {
  for (const char* statement : {
           "y[i, j] = a[i, j]",
           "y[i, j] = a[i, j] + b[j] * 2",
           "y[i, j] = (a[i, j] + b[j]) * 2",
           "y[i, j] = a[i, j] - b[j] - 1",
           "y[i, j] = a[i, j] - (b[j] - 1)",
           "y[i, j] = a[i, j] / (b[j] / 3)",
           "y[i, j] = -a[i, j] * -2",
           "y[i, j] = -(a[i, j] + b[j])",
           "y[i, j] = neg(3) - -inf",
           "y[i, j] = max(a[i, j], 0)",
           "y[i, j] = select(a[i, j] < b[j], 1, nan)",
           "y[i, j] = select(a[i, j] <= 0.25, a[i, j], 1e-30)",
           "y[i, j] = select(and(f[i], not(a[i, j] == 3)), 0, 1)",
           "y[i, j] = cast:f32(h[i] * 2)",
           "y[i, j] = cast:f32(1:i8)",
           "y[i, j] = bits:f32(shl(bits:i32(a[i, j]), 1))",
           "y[i, j] = #(M + i + 2*j):f32",
           "z[i] = #(i + 1) + 3",
           "z[i] = 3 * 4",
           "z[i] = select(1 < 2, 3, 4)",
           "d[i] = select(1:f64 < 2:f64, 3, -0)",
           "z[i] = cast:i64(2:i32 + 3:i32)",
           "d[i] = 0.1 + cast:f64(q[])",
           "y[i, j] = a[i - 1, j]{fill 0} + a[i, j + 1]{fill -inf}",
           "y[i, j] = a[i - 1, j]{clamp} + a[i - 1, j]{reflect} + a[i - 1, j]{wrap}",
           "y[i, j] = a[ids[i], j]",
           "y[i, j] = a[ids[i + 1]{clamp} + 1, j]{fill 0}",
           "y[i, j] = a[ids[ids[i]], j]",
           "z[i] = #(ids[i] + 2)",
           "y[i, j] = let t0 = exp(a[i, j]) in t0 / (1 + t0)",
           "y[i, j] = let t0 = exp(a[i, j]), t1 = t0 * t0 in t1 - t1 * t0",
           "y[min(N - j, i), (j % 3) + (j // 2)] = 0",
           "e[i, j] = 1",
           "e[i, j] = fmod(pow(rsqrt(b[j]), 2), sigmoid(q[]))",
       }) {
    SCOPED_TRACE(statement);
    expect_same(statement);
  }
}

TEST(KernelText, RegistersTakeTheTypeOfTheirBody) {
  Result<Kernel> kernel =
      parse_kernel(around("s = a[i, j] * 2 c = s < 1 n = #(i) y[i, j] = select(c, s, cast:f32(n))"));
  ASSERT_TRUE(kernel.ok()) << kernel.problem().message;
  EXPECT_EQ(kernel->registers, (std::vector<std::string>{"s", "c", "n"}));
  EXPECT_EQ(kernel->register_types, (std::vector<DType>{DType::F32, DType::Bool, DType::I64}));
}

TEST(KernelText, EqualAccessesAreOne) {
  Result<Kernel> kernel = parse_kernel(around("y[i, j] = a[i, j] * a[i, j] + b[j]"));
  ASSERT_TRUE(kernel.ok());
  EXPECT_EQ(groups_of(*kernel)[0]->inner[0].accesses.size(), 2u);
}

TEST(KernelText, AReadInAnIndexIsAnEarlierAccess) {
  Result<Kernel> kernel = parse_kernel(around("y[i, j] = a[ids[i] + 1, j]"));
  ASSERT_TRUE(kernel.ok());
  const Stmt& statement = groups_of(*kernel)[0]->inner[0];
  ASSERT_EQ(statement.accesses.size(), 2u);
  EXPECT_EQ(kernel->place_name(statement.accesses[0].operand), "ids");
  EXPECT_EQ(statement.accesses[1].index[0], Index::read(0) + 1);
}

TEST(KernelText, LetIsOneNode) {
  Result<Kernel> kernel = parse_kernel(around("y[i, j] = let e1 = exp(a[i, j]) in e1 * e1"));
  ASSERT_TRUE(kernel.ok());
  const Scalar& body = groups_of(*kernel)[0]->inner[0].body;
  EXPECT_EQ(body->args[0], body->args[1]);
}

TEST(KernelText, NodesRingsStatesAndRanges) {
  expect_round_trip(R"(
    kernel k(in x: f32[H, W], out y: f32[H, W]) {   # a comment
      axis i < H, r < H + 2, j < W
      tile e: f32[r, j] ring r 4, m: f32[i], "odd name": i64[]
      grid j step TJ {
        loop i step TI until min(j + TI, H) state m = -inf, "odd name" = 0 {
          group (r in [2*i - 1, 2*i + 2) carry i, j) { e[r, j] = x[r - 1, j]{fill 0} }
          loop r {
            group (i) over (r in [0, 3), j) { s = prod: (e[r, j] + 1) * 2 t = min e[r, j] then y[i, j] = s * t }
          }
          group () { "odd name"[] = 3 }
        }
      }
    })");
}

TEST(KernelText, ReservedAndOddNamesStandInQuotes) {
  expect_round_trip(R"(kernel "a/b.c"(in in: f32["batch size"], out "sum": f32["batch size"]) {
      axis "then" < "batch size", axis < 3
      group ("then", axis) { "max" = in["then"] "sum"["then"] = "max" * #("batch size"):f32 } })");
}

void expect_problem(const std::string& source, const std::string& message) {
  Result<Kernel> kernel = parse_kernel(source);
  ASSERT_FALSE(kernel.ok()) << source;
  EXPECT_NE(kernel.problem().message.find(message), std::string::npos) << kernel.problem().message;
}

TEST(KernelText, ProblemsNamePlaceAndCure) {
  expect_problem("", "1:1: found the end of the text, expected 'kernel'");
  expect_problem("kernel", "1:7: found the end of the text, expected the name of the kernel");
  expect_problem("kernel sum()",
                 "found the word 'sum', expected the name of the kernel (as a name it is written \"sum\")");
  expect_problem("kernel k(x: f32[2])", "1:10: found 'x', expected a buffer, such as in x: f32[M, N]");
  expect_problem("kernel k(in x: f31[2])", "1:16: found 'f31', expected an element type");
  expect_problem("kernel k(in x: f32[2;])", "1:21: found ';', expected ',' or ']'");
  expect_problem("kernel k() {\n axis i < \n}", "3:1: found '}', expected an index");
  expect_problem("kernel k() { grid i {} }", "'i' is no axis; declare it with: axis i < …");
  expect_problem("kernel k() { axis i < 0 // 0 }", "division by zero");
  expect_problem("kernel k() { axis i < 3 what }", "found 'what', expected grid, loop, group or '}'");
  expect_problem("kernel k(in x: f32[], in x: f32[]) {}", "'x' names two things");
  expect_problem("kernel k() { axis i < 9999999999999999999 }", "larger than 2^63 - 1");
  expect_problem("kernel k() { axis i < 3 group (i in [0, 2] ) {} }", "found ']', expected ')'");
  expect_problem(around("y = 3"), "'y' lives in memory; write where, as in y[…] = …");
  expect_problem(around("c[i] = 3"), "'c' is neither a buffer nor a tile");
  expect_problem(around("y[i, j] = N"), "'N' has no value here; values of axes and sizes are written #(…)");
  expect_problem(around("y[i, j] = a"), "a buffer or tile is read with […]");
  expect_problem(around("y[i, j] = a[i, j] + ids[i]"), "the operands of add are f32 and i64; write cast:f32(…)");
  expect_problem(around("z[i] = a[i, j]"), "the value is f32 but z is i64; write cast:i64(…)");
  expect_problem(around("z[i] = 0.5"), "0.5 is no value of type i64");
  expect_problem(around("s = 300:i8"), "300 is no value of type i8");
  expect_problem(around("y[i, j] = cast:f32(bits:i64(a[i, j]))"), "the bits of a f32 are no i64");
  expect_problem(around("y[i, j] = exp(1, 2)"), "exp takes 1 arguments, found 2");
  expect_problem(around("y[i, j] = expo(1)"), "found 'expo', expected a function of scalar.def");
  expect_problem(around("y[i, j] = select(a[i, j], 1, 2)"), "the condition of select is f32, expected bool");
  expect_problem(around("y[i, j] = a[i, j]{mirror}"), "expected a border: fill 0, clamp, reflect or wrap");
  expect_problem(around("y[i, j] ="), "expected a value: a number, an access, a name, a function or '('");
  expect_problem(around("y[ids[i], j] = 3"), "where y is written may not depend on what is read");
  expect_problem(around("s = 1 s = 2:i64"), "register 's' is f32 elsewhere and i64 here");
  expect_problem(around("i = 1"), "'i' is an axis; give the register another name");
  expect_problem(around("y[i, j] = \"no end"), "this quoted name has no end");
  expect_problem(around("y[i, j] = 3x"), "'3x' is neither a number nor a name");
}

TEST(KernelText, DeepOrHugeTextsAreRefused) {
  std::string deep(100000, '('), minus(100000, '-');
  expect_problem(around("y[i, j] = " + deep), "levels of nesting");
  expect_problem(around("y[i, j] = " + minus), "levels of nesting");
  expect_problem(around("y[" + deep), "levels of nesting");
  std::string chain = "1";
  for (int k = 0; k < 100000; ++k) chain += " + 1";
  expect_problem(around("y[i, j] = " + chain), "operations on one another");
  std::string power = "(i + j + N + M + 1)";
  std::string product = power;
  for (int k = 0; k < 40; ++k) product += " * " + power;
  expect_problem(around("y[i, " + product + "] = 0"), "this index grows beyond");
  expect_problem(around("y[i, 4000000000000000000 * 4] = 0"), "this index grows beyond");
  std::string nests = "kernel k() { axis i < 3 ";
  for (int k = 0; k < 100000; ++k) nests += "loop i {";
  expect_problem(nests, "levels of nesting");
}

}  // namespace
}  // namespace hone::ir
