#include "hone/inputs.h"

#include <gtest/gtest.h>

#include "hone/npy.h"
#include "hone/process.h"
#include "hone/shapes.h"
#include "runtime/formula.h"

namespace hone::tools {
namespace {

using runtime::combine;
using runtime::constant_formula;
using runtime::FormulaOp;
using runtime::symbol_formula;

// ids: i64[batch, length], mask: f32[batch, length], image: f32[1, 3, 32*h].
runtime::Executable model() {
  runtime::Executable executable;
  executable.symbols = {"batch", "length", "h"};
  runtime::PortSpec ids, mask, image;
  ids.name = "ids:0";
  ids.dtype = "i64";
  ids.shape = {symbol_formula(0), symbol_formula(1)};
  ids.shape_text = {"batch", "length"};
  mask = ids;
  mask.name = "mask";
  mask.dtype = "f32";
  image.name = "image";
  image.dtype = "f32";
  image.shape = {constant_formula(1), constant_formula(3),
                 combine(FormulaOp::Mul, constant_formula(32), symbol_formula(2))};
  image.shape_text = {"1", "3", "32*h"};
  executable.inputs = {ids, mask, image};
  return executable;
}

using Shapes = std::vector<std::vector<int64_t>>;

std::string problem(const InputOptions& options) {
  auto inputs = make_inputs(model(), options);
  return inputs.ok() ? "none" : inputs.problem().message;
}

TEST(Shapes, OneInputTellsTheSymbolsOfAll) {
  auto solved = solve_shapes(model(), {{"mask", {4, 128}}}).value();
  EXPECT_EQ(solved.shapes, (Shapes{{4, 128}, {4, 128}, {1, 3, 32}}));
  EXPECT_EQ(solved.assumed, std::vector<std::string>{"h"});
}

TEST(Shapes, MultiplesAreDivided) {
  auto solved = solve_shapes(model(), {{"image", {1, 3, 320}}}).value();
  EXPECT_EQ(solved.symbols, (std::vector<int64_t>{1, 1, 10}));
  auto uneven = solve_shapes(model(), {{"image", {1, 3, 100}}});
  ASSERT_FALSE(uneven.ok());
  EXPECT_NE(uneven.problem().message.find("32*h"), std::string::npos);
}

TEST(Inputs, NamesMayHoldColons) {
  InputOptions options;
  options.shapes = {"ids:0:2x5"};
  auto inputs = make_inputs(model(), options).value();
  EXPECT_EQ(inputs.tensors[0].shape, (std::vector<int64_t>{2, 5}));
  EXPECT_EQ(inputs.tensors[1].shape, (std::vector<int64_t>{2, 5}));
}

TEST(Inputs, ASeedGivesTheSameNumbersAgain) {
  InputOptions options;
  options.shapes = {"mask:2x50"};
  auto first = make_inputs(model(), options).value(), again = make_inputs(model(), options).value();
  options.seed = 2;
  auto other = make_inputs(model(), options).value();
  EXPECT_EQ(first.tensors[1].bytes, again.tensors[1].bytes);
  EXPECT_NE(first.tensors[1].bytes, other.tensors[1].bytes);
  for (double value : eval::values_of(first.tensors[0])) EXPECT_TRUE(value == 0 || value == 1);
}

TEST(Inputs, FilesTellShapesAndNumbersFill) {
  auto folder = TemporaryFolder::make();
  auto file = folder->path() / "ids.npy";
  ASSERT_TRUE(write_npy(file, eval::filled(ir::DType::I64, {1, 3}, {7, 8, 9})).ok());
  InputOptions options;
  options.values = {"ids:0=" + file.string(), "mask=0.5"};
  auto inputs = make_inputs(model(), options).value();
  EXPECT_EQ(eval::values_of(inputs.tensors[0]), (std::vector<double>{7, 8, 9}));
  EXPECT_EQ(eval::values_of(inputs.tensors[1]), (std::vector<double>{0.5, 0.5, 0.5}));

  options.values = {"mask=" + file.string()};
  EXPECT_NE(problem(options).find("holds i64, but input 'mask' is f32"), std::string::npos);
}

TEST(Inputs, WrongOnesAreNamed) {
  EXPECT_NE(problem({.values = {"nobody=1"}, .shapes = {}}).find("no input 'nobody'"), std::string::npos);
  EXPECT_NE(problem({.values = {"mask"}, .shapes = {}}).find("NAME=FILE.npy"), std::string::npos);
  EXPECT_NE(problem({.values = {"mask=1", "mask=2"}, .shapes = {}}).find("twice"), std::string::npos);
  EXPECT_NE(problem({.values = {}, .shapes = {"mask:2xx5"}}).find("is no shape"), std::string::npos);
  EXPECT_NE(problem({.values = {}, .shapes = {"mask:2"}}).find("2 dimensions"), std::string::npos);
  EXPECT_NE(problem({.values = {}, .shapes = {"4x4"}}).find("needs the name"), std::string::npos);
}

}  // namespace
}  // namespace hone::tools
