#include "eval/one_op.h"

namespace hone::eval {
namespace {

using ir::Index;
using ir::OpKind;
using Ints = std::vector<int64_t>;

Tensor counted(Ints shape) {
  Tensor tensor = zeros(ir::DType::F32, std::move(shape));
  for (int64_t i = 0; i < count_of(tensor.shape); ++i) set_element(tensor, i, static_cast<double>(i));
  return tensor;
}

std::vector<double> counting(int64_t count) {
  return values_of(counted({count}));
}

TEST(Reshape, KeepsTheOrder) {
  const std::pair<Ints, Ints> cases[] = {{{2, 3, 4}, {6, 4}},
                                         {{6, 4}, {2, 3, 4}},
                                         {{4, 6}, {3, 8}},
                                         {{2, 3}, {1, 2, 1, 3}},
                                         {{1, 6, 1}, {2, 1, 3}},
                                         {{7}, {7, 1}},
                                         {{1}, {}},
                                         {{}, {1, 1}},
                                         {{0, 3}, {0}},
                                         {{2, 3, 5, 7}, {2, 15, 7}},
                                         {{2, 3, 5, 7}, {6, 35}},
                                         {{12, 5}, {4, 15}},
                                         {{2, 0, 3}, {5, 0, 1}},
                                         {{3, 1, 2}, {2, 3}}};
  for (const auto& [from, to] : cases)
    expect_values(run({OpKind::Reshape, {counted(from)}, {}, to}), to, counting(count_of(to)));
  EXPECT_NE(refusal_of({OpKind::Reshape, {counted({2, 3})}, {}, Ints{5}}).find("[2, 3] and [5]"), std::string::npos);
}

std::vector<std::string> reshape_map(ir::Shape from, ir::Shape to) {
  ir::Program program;
  program.inputs = {program.add_value({"x", {ir::DType::F32, from}, {}, {}})};
  program.outputs = {program.add_value({"y", {ir::DType::F32, to}, {}, {}})};
  program.ops = {{OpKind::Reshape, "it", program.inputs, program.outputs, {}, {}}};
  EXPECT_TRUE(ir::validate(program).ok());
  std::vector<std::string> map;
  ir::View view = ir::view_meaning(program, program.ops[0]);
  for (const Index& index : view.pieces[0].map) map.push_back(index.text());
  return map;
}

TEST(Reshape, SplitsAndMergesAreAffine) {
  Index n = Index::symbol("N"), s = Index::symbol("S");
  using Map = std::vector<std::string>;
  EXPECT_EQ(reshape_map({n, s, 12}, {n, s, 3, 4}), (Map{"d0", "d1", "4*d2 + d3"}));
  EXPECT_EQ(reshape_map({n, s, 3, 4}, {n, s, 12}), (Map{"d0", "d1", "(d2 // 4)", "(d2 % 4)"}));
  EXPECT_EQ(reshape_map({n, 1, s}, {n, s}), (Map{"d0", "0", "d1"}));
  EXPECT_EQ(reshape_map({n, s}, {n, 1, s, 1}), (Map{"d0", "d2"}));
  EXPECT_EQ(reshape_map({n, s, 8}, {n * s, 8}), (Map{"(d0 // S)", "(d0 % S)", "d1"}));
  EXPECT_EQ(reshape_map({n * s, 8}, {n, s, 8}), (Map{"S*d0 + d1", "d2"}));
}

TEST(Reshape, RefusesSizesThatDoNotFit) {
  OneOp op{OpKind::Reshape, {counted({2, 3})}, {}, Ints{6}};
  ir::Program program = program_of(op, [](size_t, size_t) { return true; });
  auto result = evaluate(program, {counted({2, 4})});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.problem().message.find("[2, 4] cannot become [6]"), std::string::npos) << result.problem().message;
}

TEST(Views, TransposeSliceExpandIdentity) {
  expect_values(run({OpKind::Transpose, {counted({2, 3})}, {{"perm", Ints{1, 0}}}}), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect_values(run({OpKind::Transpose, {counted({2, 1, 3})}, {{"perm", Ints{2, 0, 1}}}}), {3, 2, 1},
                {0, 3, 1, 4, 2, 5});
  expect_values(run({OpKind::Slice, {counted({7})}, {{"starts", Ints{1}}, {"steps", Ints{2}}}, Ints{3}}), {3},
                {1, 3, 5});
  expect_values(run({OpKind::Slice, {counted({7})}, {{"starts", Ints{-1}}, {"steps", Ints{-3}}}, Ints{3}}), {3},
                {6, 3, 0});
  expect_values(run({OpKind::Slice, {counted({4})}, {{"starts", Ints{4}}, {"steps", Ints{1}}}, Ints{0}}), {0}, {});
  expect_values(run({OpKind::Expand, {counted({2, 1})}, {}, Ints{2, 2, 3}}), {2, 2, 3},
                {0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1});
  expect_values(run({OpKind::Identity, {counted({2})}}), {2}, {0, 1});
  EXPECT_NE(refusal_of({OpKind::Transpose, {counted({2, 3})}, {{"perm", Ints{0, 0}}}}).find("permutation"),
            std::string::npos);
  EXPECT_NE(refusal_of({OpKind::Slice, {counted({4})}, {{"starts", Ints{2}}}, Ints{3}}).find("leaves its input"),
            std::string::npos);
}

TEST(Views, Concat) {
  expect_values(run({OpKind::Concat, {counted({2, 1}), counted({2, 0}), counted({2, 2})}, {{"axis", int64_t{1}}}}),
                {2, 3}, {0, 0, 1, 1, 2, 3});
  expect_values(run({OpKind::Concat, {counted({1, 2}), counted({2, 2})}, {{"axis", int64_t{-2}}}}), {3, 2},
                {0, 1, 0, 1, 2, 3});
  expect_values(run({OpKind::Concat, {counted({3})}, {{"axis", int64_t{0}}}}), {3}, {0, 1, 2});
  EXPECT_NE(refusal_of({OpKind::Concat, {counted({1, 2}), counted({1, 3})}, {{"axis", int64_t{0}}}}).find("2 and 3"),
            std::string::npos);
}

}  // namespace
}  // namespace hone::eval
