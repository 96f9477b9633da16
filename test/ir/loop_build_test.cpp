#include <gtest/gtest.h>

#include <limits>

#include "ir/loop/loop.h"

namespace hone::ir::loop {
namespace {

std::string text(const Expr& e) {
  Function f;
  f.name = "f";
  f.sizes = {"m", "n"};
  f.body = {assign("v", e)};
  const std::string all = text_of(f);
  const size_t begin = all.find("v = ") + 4;
  return all.substr(begin, all.find('\n', begin) - begin);
}

Expr number(int64_t value) {
  return int_constant(value);
}
Expr add(Expr a, Expr b) {
  return binary(BinaryOp::Add, std::move(a), std::move(b));
}
Expr mul(Expr a, Expr b) {
  return binary(BinaryOp::Mul, std::move(a), std::move(b));
}
Expr sub(Expr a, Expr b) {
  return binary(BinaryOp::Sub, std::move(a), std::move(b));
}

TEST(LoopBuild, FoldsIndexArithmetic) {
  const Expr m = size(0), n = size(1);
  EXPECT_EQ(text(add(number(2), number(3))), "5");
  EXPECT_EQ(text(add(m, number(0))), "$m");
  EXPECT_EQ(text(mul(m, number(1))), "$m");
  EXPECT_EQ(text(mul(number(0), m)), "0");
  EXPECT_EQ(text(add(add(m, number(1)), number(2))), "$m + 3");
  EXPECT_EQ(text(add(number(2), m)), "$m + 2");
  EXPECT_EQ(text(add(add(m, number(1)), add(n, number(2)))), "$m + $n + 3");
  EXPECT_EQ(text(sub(add(m, number(1)), number(1))), "$m");
  EXPECT_EQ(text(sub(m, m)), "0");
  EXPECT_EQ(text(mul(add(m, number(2)), number(4))), "$m * 4 + 8");
  EXPECT_EQ(text(mul(mul(m, number(2)), number(4))), "$m * 8");
  EXPECT_EQ(text(binary(BinaryOp::FloorDiv, number(-7), number(2))), "-4");
  EXPECT_EQ(text(binary(BinaryOp::Mod, number(-7), number(3))), "2");
  EXPECT_EQ(text(binary(BinaryOp::Less, number(1), number(2))), "1:bool");
  EXPECT_EQ(text(select(binary(BinaryOp::Less, number(2), number(1)), m, n)), "$n");
}

TEST(LoopBuild, LeavesWhatWouldOverflow) {
  const Expr most = number(std::numeric_limits<int64_t>::max());
  EXPECT_EQ(add(most, number(1))->kind, ExprKind::Binary);
  EXPECT_EQ(binary(BinaryOp::Div, number(1), number(0))->kind, ExprKind::Binary);
}

TEST(LoopBuild, LeavesVectorsAndFloatsAlone) {
  const VectorType f32{DType::F32, 1};
  const Expr zero = float_constant(0, f32);
  EXPECT_EQ(add(variable("x", f32), zero)->kind, ExprKind::Binary);
}

TEST(LoopBuild, RefusesMixedTypes) {
  EXPECT_THROW(add(number(1), float_constant(1, {DType::F32, 1})), InternalError);
  EXPECT_THROW(load(0, DType::F32, 8, number(0), tail_mask(number(3), 4)), InternalError);
}

std::string problem(const Function& f) {
  const Status status = validate(f);
  return status.ok() ? "" : status.problem().message;
}

Function with_body(Block body) {
  Function f;
  f.name = "f";
  f.sizes = {"n"};
  f.buffers = {{.name = "x"}};
  f.body = std::move(body);
  return f;
}

TEST(LoopValidate, WantsAssignmentOnEveryPath) {
  const Expr v = variable("v", {});
  const Statement use = assign("w", v);
  EXPECT_EQ(problem(with_body({assign("v", number(1)), use})), "");
  EXPECT_EQ(problem(with_body({use})), "loop function 'f': variable 'v' may be used before it is assigned");
  EXPECT_NE(problem(with_body({for_loop("i", number(0), size(0), number(1), {assign("v", number(1))}), use})), "");
  const Expr condition = binary(BinaryOp::Less, size(0), number(3));
  EXPECT_EQ(problem(with_body({if_else(condition, {assign("v", number(1))}, {assign("v", number(2))}), use})), "");
  EXPECT_NE(problem(with_body({if_else(condition, {assign("v", number(1))}), use})), "");
}

TEST(LoopValidate, ChecksTypesAndPlaces) {
  EXPECT_NE(problem(with_body({assign("v", number(1)), assign("v", float_constant(1, {DType::F32, 1}))}))
                .find("variable 'v' is i64 and is assigned a f32"),
            std::string::npos);
  EXPECT_NE(problem(with_body({store(1, number(0), number(0))})).find("store of buffer 1, of 1"), std::string::npos);
  EXPECT_NE(problem(with_body({store(0, number(0), number(0))})).find("store of i64 in 'x', which holds f32"),
            std::string::npos);
  EXPECT_NE(problem(with_body({assign("v", size(4))})).find("size 4 of 1"), std::string::npos);
  EXPECT_NE(problem(with_body({assign("task_end", number(1))})).find("cannot be assigned"), std::string::npos);
}

}  // namespace
}  // namespace hone::ir::loop
