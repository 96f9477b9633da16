// Programs with sizes that depend on data: compiled stage by stage, they agree with the interpreter.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "eval/interpreter.h"
#include "pipeline/open.h"
#include "pipeline/stages.h"

namespace hone {
namespace {

// Rows of x as many as m has positive elements; then columns of its transpose as many as rows have a positive sum.
constexpr const char* kProgram = R"(program cut(x: f32[n, 3], m: f32[n]) -> (t, y, w, d) {
  const zero: f32[] = {0}
  p: bool[n] = greater(m, zero)
  q: i64[n] = cast(p) {to = "i64"}
  a: i64[] = reduce_sum(q) {axes = [0], keepdims = 0}
  t: f32[a_size, 3] = trim(x, a) {axis = 0}
  y: f32[a_size, 3] = exp(t)
  s: f32[a_size] = reduce_sum(t) {axes = [1], keepdims = 0}
  g: bool[a_size] = greater(s, zero)
  h: i64[a_size] = cast(g) {to = "i64"}
  b: i64[] = reduce_sum(h) {axes = [0], keepdims = 0}
  u: f32[3, a_size] = transpose(y) {perm = [1, 0]}
  v: f32[3, b_size] = trim(u, b) {axis = 1}
  f: f32[n] = relu(m)
  w: f32[3, b_size] = mul(v, v)
  d: f32[n, 3] = add(x, x)
}
)";

std::vector<eval::Tensor> inputs_of(int64_t rows, Rng& rng) {
  std::vector<eval::Tensor> inputs = {eval::zeros(ir::DType::F32, {rows, 3}), eval::zeros(ir::DType::F32, {rows})};
  for (eval::Tensor& tensor : inputs)
    for (int64_t k = 0; k < eval::count_of(tensor.shape); ++k)
      eval::set_element(tensor, k, static_cast<double>(rng.below(17)) - 8);
  return inputs;
}

TEST(Staged, CutsOnlyWhereItMust) {
  auto program = ir::parse_program(kProgram);
  ASSERT_TRUE(program.ok()) << program.problem().message;
  std::vector<pipeline::Stage> stages = pipeline::stages_of(*program);
  ASSERT_EQ(stages.size(), 3u);
  EXPECT_EQ(stages[0].trims.size(), 1u);
  EXPECT_EQ(stages[1].trims.size(), 1u);
  for (const pipeline::Stage& stage : stages) {
    auto valid = ir::validate(stage.program);
    EXPECT_TRUE(valid.ok()) << valid.problem().message;
    EXPECT_FALSE(pipeline::depends_on_data(stage.program));
  }
  // What needs no later size is computed first.
  auto first = ir::text_of(stages[0].program);
  EXPECT_NE(first.find("d: f32[n, 3] = add(x, x)"), std::string::npos) << first;
}

TEST(Staged, AgreesWithTheInterpreter) {
  auto program = ir::parse_program(kProgram);
  ASSERT_TRUE(program.ok()) << program.problem().message;
  auto runner = pipeline::open_program(*program, {});
  ASSERT_TRUE(runner.ok()) << runner.problem().message;
  Rng rng(7);
  for (int64_t rows : {0, 1, 2, 13, 64}) {
    std::vector<eval::Tensor> inputs = inputs_of(rows, rng);
    auto expected = eval::evaluate(*program, inputs);
    ASSERT_TRUE(expected.ok()) << expected.problem().message;
    std::vector<runtime::InputTensor> tensors;
    for (const eval::Tensor& input : inputs) tensors.push_back({"f32", input.shape, input.bytes.data()});
    auto got = (*runner)->run(tensors);
    ASSERT_TRUE(got.ok()) << got.problem().message;
    ASSERT_EQ(got->size(), expected->size());
    for (size_t k = 0; k < got->size(); ++k) {
      ASSERT_EQ((*got)[k].shape, (*expected)[k].shape) << "output " << k << ", rows " << rows;
      auto values = reinterpret_cast<const float*>((*got)[k].data.data());
      for (int64_t e = 0; e < eval::count_of((*got)[k].shape); ++e)
        EXPECT_NEAR(values[e], eval::element((*expected)[k], e), 1e-5 * std::abs(values[e]) + 1e-6);
    }
  }
}

TEST(Staged, IsNoSingleExecutable) {
  auto program = ir::parse_program(kProgram);
  ASSERT_TRUE(program.ok());
  auto shapes = (*pipeline::open_program(*program, {}))->face().outputs;
  ASSERT_EQ(shapes.size(), 4u);
  EXPECT_EQ(shapes[0].shape_text[0], "a_size");
}

}  // namespace
}  // namespace hone
