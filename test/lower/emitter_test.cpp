#include "lower/emitter.h"

#include <gtest/gtest.h>

namespace hone::lower {
namespace {

using namespace ir::loop;

std::vector<std::string> interleaved(std::vector<Block> blocks) {
  Emitter emitter({});
  std::vector<std::string> order;
  for (const Statement& statement : emitter.inside([&] { emitter.interleave(std::move(blocks)); }))
    order.push_back(statement.kind == StmtKind::If ? "if" : statement.variable);
  return order;
}

Statement step(const std::string& name, const std::string& from) {
  return assign(name, binary(BinaryOp::Add, variable(from, {}), int_constant(1)));
}

TEST(Interleave, TakesFromTheChainsInTurn) {
  EXPECT_EQ(interleaved({{step("a0", "x"), step("a1", "a0")}, {step("b0", "y"), step("b1", "b0")}}),
            (std::vector<std::string>{"a0", "b0", "a1", "b1"}));
}

TEST(Interleave, WaitsForWhatAnEarlierChainAssigns) {
  EXPECT_EQ(interleaved({{step("a0", "x"), step("a1", "a0"), step("a2", "a1")}, {step("b0", "a1"), step("b1", "b0")}}),
            (std::vector<std::string>{"a0", "a1", "b0", "a2", "b1"}));
}

TEST(Interleave, WaitsForWhatIsAssignedUnderABranch) {
  const Statement branch = if_else(variable("c", {ir::DType::Bool, 1}), {step("a0", "x")});
  EXPECT_EQ(interleaved({{step("a0", "y"), branch, step("a1", "a0")}, {step("b0", "a0")}}),
            (std::vector<std::string>{"a0", "if", "b0", "a1"}));
}

}  // namespace
}  // namespace hone::lower
