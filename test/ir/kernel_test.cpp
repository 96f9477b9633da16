#include "ir/mugraph/kernel.h"

#include <gtest/gtest.h>

#include "ir/plan/plan.h"

namespace hone::ir {
namespace {

Kernel kernel_of(const std::string& source) {
  Result<Kernel> kernel = parse_kernel(source);
  if (!kernel.ok()) throw std::runtime_error(kernel.problem().message);
  return *kernel;
}

constexpr const char* kGemm = R"(
  kernel gemm(in a: f32[M, K], in b: f32[K, N], out y: f32[M, N]) {
    axis m < M, n < N, k < K
    tile e: f32[m, n] ring m R
    grid m step TM {
      grid n step TN {
        group (m, n) over (k) { s = sum a[m, k] * b[k, n] then e[m, n] = s * #(Z):f32 }
        loop k step 4 until min(K, U) { group (m, n) { y[m, n] = e[m, n] } }
      }
    }
  })";

TEST(Kernel, PlacesAreBuffersThenTilesThenRegisters) {
  Kernel kernel = kernel_of(kGemm);
  for (const char* name : {"a", "b", "y", "e", "s"}) EXPECT_EQ(kernel.place_name(kernel.place_of(name)), name);
  EXPECT_EQ(kernel.place_of("y"), 2);
  EXPECT_EQ(kernel.place_of("e"), 3);
  EXPECT_EQ(kernel.place_of("s"), 4);
  EXPECT_EQ(kernel.place_of("nothing"), -1);
  EXPECT_EQ(kernel.place_type(4), DType::F32);
  EXPECT_EQ(kernel.extent("k"), Index::symbol("K"));
  EXPECT_THROW(kernel.extent("x"), InternalError);
}

TEST(Kernel, SymbolsAreSortedAndWithoutParameters) {
  Kernel kernel = kernel_of(kGemm);
  EXPECT_EQ(parameters_of(kernel), (std::vector<std::string>{"R", "TM", "TN", "U"}));
  EXPECT_EQ(kernel.symbols(parameters_of(kernel)), (std::vector<std::string>{"K", "M", "N", "Z"}));
  EXPECT_EQ(groups_of(kernel).size(), 2u);
}

void expect_invalid(const Kernel& kernel, const std::string& message) {
  Status status = validate(kernel);
  ASSERT_FALSE(status.ok()) << text_of(kernel);
  EXPECT_NE(status.problem().message.find(message), std::string::npos) << status.problem().message;
}

// A kernel with the given nodes.
Kernel with_nodes(const std::string& nodes) {
  return kernel_of(
      "kernel k(in x: f32[M, N], in ids: i64[M], out y: f32[M, N]) {\n axis i < M, j < N, r < N\n"
      "tile e: f32[i, j], m: f32[i]\n" +
      nodes + "\n}");
}

TEST(KernelValidate, AcceptsWhatIsWellFormed) {
  EXPECT_TRUE(validate(kernel_of(kGemm)).ok());
  EXPECT_TRUE(
      validate(with_nodes("loop i step T state m = 0 { group (i in [i, i + 2) carry i, j) { y[i, j] = m[i] } }")).ok());
}

TEST(KernelValidate, NamesWhatIsWrongWithNodes) {
  expect_invalid(with_nodes("loop i { grid j { group (i, j) { y[i, j] = 0 } } }"),
                 "grid j stands inside a loop; grids are outermost");
  expect_invalid(with_nodes("grid i { group (i, j) { y[i, j] = 0 } } group (i, j) { y[i, j] = 0 }"),
                 "grid i has neighbours");
  expect_invalid(with_nodes("grid i step 0 { group (i, j) { y[i, j] = 0 } }"), "grid i has step 0");
  expect_invalid(with_nodes("grid i state m = 0 { group (i, j) { y[i, j] = 0 } }"),
                 "tiles of a grid are independent; use loop");
  expect_invalid(with_nodes("loop i until j { group (i, j) { y[i, j] = 0 } }"),
                 "the end of loop i is j, but axis j is not opened");
  expect_invalid(with_nodes("group (i in [0, r), j) { y[i, j] = 0 }"), "the range of i names r, which is not opened");
  expect_invalid(with_nodes("group (i carry r, j) { y[i, j] = 0 }"), "i is carried over r, which is no loop");
  expect_invalid(with_nodes("group (i, i, j) { y[i, j] = 0 }"), "group 0: axis i stands twice");
  expect_invalid(with_nodes("group (i, j) { e[i, j] = 0 }"), "out y is never written");
  expect_invalid(with_nodes("group (i, j) { y[i, j] = e[i, j] }"), "tile e is read but never written");
}

TEST(KernelValidate, NamesWhatIsWrongWithStatements) {
  expect_invalid(with_nodes("group (i, j) { x[i, j] = 0 }"), "group 0: statement of x: the buffer is an input");
  expect_invalid(with_nodes("group (i, j) { y[i] = 0 }"), "1 indices for 2 dimensions");
  expect_invalid(with_nodes("group (i, j) { y[i, j] = x[i] }"), "x is read with 1 indices but has 2 dimensions");
  expect_invalid(with_nodes("group (i, j) { y[i, j] = x[i, r] }"), "index r names axis r, which has no value here");
  expect_invalid(with_nodes("group (i) over (j) { s = sum x[i, j] then y[i, j] = s }"),
                 "names axis j, which has no value here");
  expect_invalid(with_nodes("group (i) over (j) { s = sum x[i, j] t = s y[i, 0] = t }"),
                 "register s is complete only after 'then'");
  expect_invalid(with_nodes("group (i) over (j) { t = x[i, j] then y[i, 0] = t }"),
                 "register t is read before it is defined");
  expect_invalid(with_nodes("group (i) over (j) { then t = sum 3 y[i, 0] = t }"), "a reduction stands before 'then'");
  expect_invalid(with_nodes("group (i, j) over (r) { y[i, j] = sum x[i, r] }"), "a reduction goes into a register");
  expect_invalid(with_nodes("group (i, j) { t = x[i, j] t = 1 y[i, j] = t }"), "defined twice");
  expect_invalid(with_nodes("group (i, j) { t = 1 y[i, j] = x[t, j] }"), "an index is an integer");
}

TEST(KernelValidate, NamesWhatIsWrongWithNames) {
  expect_invalid(kernel_of("kernel k(out y: f32[i]) { axis i < 3 group (i) { y[i] = 0 } }"),
                 "'i' is an axis and a size");
  Kernel kernel = with_nodes("group (i, j) { y[i, j] = 0 }");
  kernel.tiles[0].ring = Ring{"r", 3};
  expect_invalid(kernel, "tile e is a ring along r, which is not among its axes i, j");
  kernel.tiles[0].ring.reset();
  kernel.tiles[0].name = "x";
  expect_invalid(kernel, "'x' names two things");
  kernel.tiles[0] = {"e", DType::F32, {"zz"}, std::nullopt};
  expect_invalid(kernel, "tile e names axis 'zz', which is not declared");
}

}  // namespace
}  // namespace hone::ir
