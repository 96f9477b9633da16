#include "eval/op_samples.h"

namespace hone::eval {
namespace {

class EveryOp : public testing::TestWithParam<ir::OpKind> {};

// Inference, validation and evaluation serve every kind of operator.
TEST_P(EveryOp, IsTypedValidAndEvaluated) {
  OneOp op = sample_of(GetParam());
  ASSERT_EQ(op.kind, GetParam()) << "no sample";
  ir::Program program = program_of(op);
  auto declared = evaluate(program, given_inputs(op)), reference = evaluate_as<Double>(program, given_inputs(op));
  ASSERT_TRUE(declared.ok()) << declared.problem().message;
  ASSERT_TRUE(reference.ok()) << reference.problem().message;
  for (size_t k = 0; k < declared->size(); ++k) {
    ASSERT_GT(count_of((*declared)[k].shape), 0);
    expect_values((*declared)[k], (*reference)[k].shape, values_of((*reference)[k]), 1e-4);
  }
}

// Sizes that are only known at run time give the same results.
TEST_P(EveryOp, HasTheSameMeaningForSymbolicSizes) {
  OneOp op = sample_of(GetParam());
  bool first_only = !op.inputs.empty() && !op.shape && op.bodies.empty() && op.kind != ir::OpKind::Concat;
  if (!first_only) GTEST_SKIP() << "its result's type has constant sizes";
  ir::Program symbolic = program_of(op, [](size_t input, size_t dimension) { return input == 0 && dimension == 0; });
  auto expected = evaluate(program_of(op), given_inputs(op)), got = evaluate(symbolic, given_inputs(op));
  ASSERT_TRUE(expected.ok()) << expected.problem().message;
  ASSERT_TRUE(got.ok()) << got.problem().message;
  for (size_t k = 0; k < got->size(); ++k) EXPECT_EQ((*got)[k].bytes, (*expected)[k].bytes);
}

// What the meaning promises, whatever the operator.
TEST_P(EveryOp, KeepsThePromisesOfItsMeaning) {
  ir::Program program = program_of(sample_of(GetParam()));
  const ir::Op& op = program.ops[0];
  const ir::TensorType& result = program.type(op.outputs[0]);
  switch (ir::meaning_kind(op.kind)) {
    case ir::MeaningKind::Indexed: {
      ir::Indexed meaning = ir::indexed_meaning(program, op);
      EXPECT_EQ(meaning.type, result.dtype);
      EXPECT_EQ(meaning.body->type, meaning.type);
      EXPECT_EQ(meaning.reduce.empty(), meaning.combine == ir::Combine::None);
      EXPECT_FALSE(meaning.reduce.empty() && meaning.finish);
      ASSERT_EQ(meaning.axes.size(), result.shape.size());
      for (size_t i = 0; i < meaning.axes.size(); ++i) EXPECT_EQ(meaning.axes[i].extent, result.shape[i]);
      break;
    }
    case ir::MeaningKind::Trim:
      EXPECT_EQ(result.dtype, program.type(op.inputs[0]).dtype);
      break;
    case ir::MeaningKind::View:
      EXPECT_FALSE(ir::view_meaning(program, op).pieces.empty());
      break;
    case ir::MeaningKind::Composite: {
      ir::Program body = ir::composite_body(program, op);
      auto valid = ir::validate(body);
      EXPECT_TRUE(valid.ok()) << valid.problem().message;
      EXPECT_EQ(body.type(body.outputs[0]), result);
      break;
    }
    case ir::MeaningKind::Scan: {
      auto valid = ir::validate(ir::scan_meaning(program, op).step);
      EXPECT_TRUE(valid.ok()) << valid.problem().message;
      break;
    }
    case ir::MeaningKind::Control:
    case ir::MeaningKind::Library:
      break;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryOp, testing::ValuesIn(all_kinds()),
                         [](const auto& tested) { return std::string(ir::name_of(tested.param)); });

}  // namespace
}  // namespace hone::eval
