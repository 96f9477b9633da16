#include <gtest/gtest.h>

#include "check_pass.h"

namespace hone::canon {
namespace {

TEST(EliminateDead, DropsWhatNobodyUses) {
  ir::Program after = check_pass(R"(program p(x: f32[n]) -> (y) {
    const c: f32[1] = {2}
    const unused: f32[2] = {1, 2}
    a: f32[n] = mul(x, c)
    b: f32[n] = exp(a)
    y: f32[n] = relu(x)
  })",
                                 eliminate_dead);
  EXPECT_EQ(kinds(after), "relu");
  EXPECT_EQ(after.values.size(), 2);
}

TEST(EliminateDead, KeepsInputsAndAllResultsOfALiveOp) {
  ir::Program after = check_pass(R"(program p(x: f32[n], other: f32[n]) -> (y) {
    y: f32[n] = relu(x)
  })",
                                 eliminate_dead);
  EXPECT_EQ(after.inputs.size(), 2);
}

const char* kIf = R"(program p(flag: bool[], x: f32[n], z: f32[n]) -> (y) {
  y: f32[n] = if(flag, x, z) program then(a: f32[n], b: f32[n]) -> (c) {
    dead: f32[n] = mul(a, b)
    c: f32[n] = relu(a)
  } program else(a: f32[n], b: f32[n]) -> (c) {
    d: f32[n] = identity(a)
    c: f32[n] = neg(d)
  }
})";

TEST(EliminateDead, DropsCapturesThatNoBranchReads) {
  ir::Program after = check_pass(kIf, eliminate_dead);
  EXPECT_EQ(after.ops[0].inputs.size(), 2);
  EXPECT_EQ(kinds(after.ops[0].bodies[0]), "relu");
}

TEST(EliminateIdentities, LooksIntoBranches) {
  EXPECT_EQ(kinds(check_pass(kIf, eliminate_identities).ops[0].bodies[1]), "neg");
}

TEST(EliminateIdentities, DropsViewsThatChangeNothing) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[n, 4]) -> (y) {
    a: f32[n, 4] = identity(x)
    b: f32[n, 4] = cast(a) {to = "f32"}
    c: f32[n, 4] = reshape(b)
    d: f32[n, 4] = transpose(c) {perm = [0, 1]}
    e: f32[n, 4] = slice(d) {starts = [0, 0], steps = [1, 1]}
    f: f32[n, 4] = concat(e) {axis = 0}
    y: f32[n, 4] = relu(f)
  })",
                        eliminate_identities),
            "relu");
}

TEST(EliminateIdentities, KeepsThoseThatChangeSomething) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[4, 4]) -> (y) {
    a: f32[4, 4] = transpose(x) {perm = [1, 0]}
    b: f32[4, 4] = slice(a) {starts = [3, 0], steps = [-1, 1]}
    c: i32[4, 4] = cast(b) {to = "i32"}
    y: i32[2, 8] = reshape(c)
  })",
                        eliminate_identities),
            "transpose slice cast reshape");
}

TEST(EliminateIdentities, OutputsKeepNamesAndOwnValues) {
  ir::Program after = check_pass(R"(program p(x: f32[n]) -> (same, a, b) {
    same: f32[n] = identity(x)
    t: f32[n] = relu(x)
    a: f32[n] = identity(t)
    b: f32[n] = identity(t)
  })",
                                 eliminate_identities);
  EXPECT_EQ(kinds(after), "relu identity identity");
}

TEST(EliminateNeutralOperands, DropsOnesAndExactZeros) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[n, 2]) -> (y) {
    const one: f32[2] = {1, 1}
    const zero: f32[] = {0}
    a: f32[n, 2] = mul(one, x)
    b: f32[n, 2] = div(a, one)
    c: f32[n, 2] = sub(b, zero)
    d: f32[n, 2] = pow(c, one)
    y: f32[n, 2] = relu(d)
  })",
                        eliminate_neutral_operands),
            "relu");
}

TEST(EliminateNeutralOperands, KeepsAddedZerosDivisionsOfOneAndBroadcasts) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[2]) -> (y) {
    const one: f32[] = {1}
    const wide: f32[3, 1] = {1, 1, 1}
    const zero: f32[] = {0}
    a: f32[2] = add(x, zero)
    b: f32[2] = div(one, a)
    c: f32[2] = sub(zero, b)
    y: f32[3, 2] = mul(c, wide)
  })",
                        eliminate_neutral_operands),
            "add div sub mul");
}

TEST(EliminateNeutralOperands, SquaresAreProducts) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[n]) -> (y) {
    const two: f32[] = {2}
    const three: f32[] = {3}
    a: f32[n] = pow(x, two)
    y: f32[n] = pow(a, three)
  })",
                        eliminate_neutral_operands),
            "mul pow");
}

TEST(EliminateCommonSubexpressions, SharesEqualOpsAndConstants) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[n]) -> (y, z) {
    const a: f32[] = {2}
    const b: f32[] = {2}
    u: f32[n] = mul(x, a)
    v: f32[n] = mul(x, b)
    y: f32[n] = add(u, v)
    z: f32[n] = add(v, u)
  })",
                        eliminate_common_subexpressions),
            "mul add identity");
}

TEST(EliminateCommonSubexpressions, TellsAttributesAndResultTypesApart) {
  EXPECT_EQ(kinds_after(R"(program p(x: f32[4, 6]) -> (a, b, c, d) {
    a: f32[1, 6] = reduce_sum(x) {axes = [0]}
    b: f32[4, 1] = reduce_sum(x) {axes = [1]}
    c: f32[24] = reshape(x)
    d: f32[6, 4] = reshape(x)
  })",
                        eliminate_common_subexpressions),
            "reduce_sum reduce_sum reshape reshape");
}

TEST(EliminateCommonSubexpressions, DoesNotLookAcrossBranches) {
  ir::Program after = check_pass(R"(program p(flag: bool[], x: f32[n]) -> (y) {
    y: f32[n] = if(flag, x) program then(a: f32[n]) -> (c) {
      c: f32[n] = relu(a)
    } program else(a: f32[n]) -> (c) {
      d: f32[n] = relu(a)
      c: f32[n] = neg(d)
    }
  })",
                                 eliminate_common_subexpressions);
  EXPECT_EQ(kinds(after.ops[0].bodies[1]), "relu neg");
}

}  // namespace
}  // namespace hone::canon
