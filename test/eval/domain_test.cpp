#include <cmath>

#include "eval/domain/float_bits.h"
#include "eval/one_op.h"

namespace hone::eval {
namespace {

using ir::DType;
using ir::OpKind;
using Ints = std::vector<int64_t>;

// Programs written as chains of binary and unary ops over two vectors a and b.
class Chain {
 public:
  explicit Chain(int64_t size) : type_{DType::F32, {size}} {
    a = program_.add_value({"a", type_, {}, {}});
    b = program_.add_value({"b", type_, {}, {}});
    program_.inputs = {a, b};
  }

  ir::ValueId op(OpKind kind, std::vector<ir::ValueId> inputs) {
    ir::ValueId result = program_.add_value({"v", type_, {}, {}});
    program_.ops.push_back({kind, "op", std::move(inputs), {result}, {}, {}});
    return result;
  }

  ir::Program finish(ir::ValueId result) {
    program_.outputs = {result};
    EXPECT_TRUE(ir::validate(program_).ok());
    return program_;
  }

  ir::ValueId a, b;

 private:
  ir::TensorType type_;
  ir::Program program_;
};

Result<std::vector<field::Residues>> residues(const ir::Program& program, uint64_t seed) {
  Rng rng(seed);
  Residue domain(field::PrimeField(field::kStrong, rng));
  std::vector<Array<Residue>> inputs;
  for (ir::ValueId id : program.inputs) inputs.push_back(random_residues(domain, program.type(id), {}, rng));
  HONE_TRY(auto results, evaluate(domain, program, inputs));
  return results[0].data;
}

bool equal_in_the_field(const ir::Program& x, const ir::Program& y) {
  auto p = residues(x, 7), q = residues(y, 7);
  EXPECT_TRUE(p.ok() && q.ok());
  if (!p.ok() || !q.ok()) return false;
  for (size_t i = 0; i < p->size(); ++i)
    if ((*p)[i].p != (*q)[i].p) return false;
  return true;
}

ir::Program product_of_sum_and_difference() {
  Chain c(5);
  return c.finish(c.op(OpKind::Mul, {c.op(OpKind::Add, {c.a, c.b}), c.op(OpKind::Sub, {c.a, c.b})}));
}

ir::Program difference_of_squares(bool right) {
  Chain c(5);
  return c.finish(
      c.op(right ? OpKind::Sub : OpKind::Add, {c.op(OpKind::Mul, {c.a, c.a}), c.op(OpKind::Mul, {c.b, c.b})}));
}

TEST(ResidueDomain, TellsRightFromWrongIdentities) {
  EXPECT_TRUE(equal_in_the_field(product_of_sum_and_difference(), difference_of_squares(true)));
  EXPECT_FALSE(equal_in_the_field(product_of_sum_and_difference(), difference_of_squares(false)));
}

TEST(ResidueDomain, ExponentialsMultiply) {
  Chain x(3), y(3), z(3);
  ir::Program sum = x.finish(x.op(OpKind::Exp, {x.op(OpKind::Sub, {x.a, x.b})}));
  ir::Program quotient = y.finish(y.op(OpKind::Div, {y.op(OpKind::Exp, {y.a}), y.op(OpKind::Exp, {y.b})}));
  ir::Program product = z.finish(z.op(OpKind::Mul, {z.op(OpKind::Exp, {z.a}), z.op(OpKind::Exp, {z.b})}));
  EXPECT_TRUE(equal_in_the_field(sum, quotient));
  EXPECT_FALSE(equal_in_the_field(sum, product));
}

TEST(ResidueDomain, RefusesWhatIsNoFieldOperation) {
  Chain twice(1), largest(1);
  auto nested = residues(twice.finish(twice.op(OpKind::Exp, {twice.op(OpKind::Exp, {twice.a})})), 1);
  ASSERT_FALSE(nested.ok());
  EXPECT_NE(nested.problem().message.find("inside another"), std::string::npos);
  auto maximum = residues(largest.finish(largest.op(OpKind::Max, {largest.a, largest.b})), 1);
  ASSERT_FALSE(maximum.ok());
  EXPECT_NE(maximum.problem().message.find("not a field operation"), std::string::npos);
}

TEST(ResidueDomain, FractionsAreExact) {
  Rng rng(3);
  field::PrimeField f(field::kStrong, rng);
  EXPECT_EQ(f.multiply(f.of_double(0.375), f.of_integer(8)), f.of_integer(3));
  EXPECT_EQ(f.of_double(-1e6), f.of_integer(-1000000));
  EXPECT_EQ(f.of_double(0), f.of_integer(0));
}

TEST(Domains, DeclaredIsCloseToDouble) {
  OneOp op{OpKind::Softmax, {some_floats({3, 17})}};
  ir::Program program = program_of(op);
  auto declared = evaluate(program, op.inputs), exact = evaluate_as<Double>(program, op.inputs);
  ASSERT_TRUE(declared.ok() && exact.ok());
  expect_values((*declared)[0], {3, 17}, values_of((*exact)[0]), 1e-6);
}

TEST(Domains, ExactIntegersAreDeclaredOnes) {
  OneOp op{OpKind::Conv,
           {some_integers({1, 3, 5, 5}, -4, 4, DType::F32), some_integers({2, 3, 3, 3}, -4, 4, DType::F32, 2),
            some_integers({2}, -4, 4, DType::F32, 3)},
           {{"pads", Ints{1, 1, 1, 1}}}};
  ir::Program program = program_of(op);
  auto declared = evaluate(program, op.inputs), exact = evaluate_as<ExactInteger>(program, op.inputs);
  ASSERT_TRUE(declared.ok() && exact.ok());
  EXPECT_EQ((*declared)[0].bytes, (*exact)[0].bytes);
  auto pool = evaluate_as<ExactInteger>(
      program_of({OpKind::MaxPool, {op.inputs[0]}, {{"kernel_shape", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}}}),
      {op.inputs[0]});
  EXPECT_TRUE(pool.ok());
}

TEST(Domains, ExactIntegersRefuseFractions) {
  OneOp halves{OpKind::Div, {floats({1}, {3}), floats({1}, {2})}};
  auto result = evaluate_as<ExactInteger>(program_of(halves), halves.inputs);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.problem().message.find("not a whole number"), std::string::npos);
}

TEST(Domains, EvaluationAtPoints) {
  OneOp op{OpKind::MatMul, {some_floats({4, 5}), some_floats({5, 3}, 2)}};
  ir::Program program = program_of(op);
  Tensor all = run(op);
  auto some = evaluate_at(program, program.ops[0], op.inputs, {}, {0, 7, 11});
  ASSERT_TRUE(some.ok());
  EXPECT_EQ(*some, (std::vector<double>{element(all, 0), element(all, 7), element(all, 11)}));
  OneOp soft{OpKind::Softmax, {some_floats({2, 3})}};
  ir::Program softmax = program_of(soft);
  auto one = evaluate_at(softmax, softmax.ops[0], soft.inputs, {}, {4});
  ASSERT_TRUE(one.ok());
  EXPECT_NEAR((*one)[0], element(run(soft), 4), 1e-6);
}

TEST(Domains, WrongInputsAreRefused) {
  ir::Program program = program_of({OpKind::Neg, {floats({2}, {1, 2})}});
  auto shape = evaluate(program, {floats({3}, {1, 2, 3})});
  ASSERT_FALSE(shape.ok());
  EXPECT_NE(shape.problem().message.find("[3]"), std::string::npos);
  auto type = evaluate(program, {integers({2}, {1, 2})});
  ASSERT_FALSE(type.ok());
  EXPECT_NE(type.problem().message.find("must be f32"), std::string::npos);
}

TEST(FloatBits, HalfAndBfloat) {
  EXPECT_EQ(half_bits(1), 0x3c00);
  EXPECT_EQ(half_bits(-2), 0xc000);
  EXPECT_EQ(half_bits(65504), 0x7bff);
  EXPECT_EQ(half_bits(65520), 0x7c00);
  EXPECT_EQ(half_bits(std::ldexp(1, -24)), 0x0001);
  EXPECT_EQ(half_bits(std::ldexp(1, -14)), 0x0400);
  EXPECT_EQ(bfloat_bits(1), 0x3f80);
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) EXPECT_EQ(half_bits(of_half(static_cast<uint16_t>(bits))), bits);
  for (uint32_t bits = 0; bits < 0x7f80; ++bits) EXPECT_EQ(bfloat_bits(of_bfloat(static_cast<uint16_t>(bits))), bits);
  EXPECT_TRUE(std::isnan(of_half(half_bits(NAN))));
}

}  // namespace
}  // namespace hone::eval
