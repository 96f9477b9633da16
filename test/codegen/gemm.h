// A GEMM micro-kernel in Loop IR, written by hand as lower would write it.
#pragma once

#include <string>

#include "ir/loop/loop.h"

namespace hone::test {

// c[i][j] = sum over k of a[i][k] * b[k][j] for i < rows, j < columns; b is packed (its rows follow each other), the
// rows of a and c are `lda` and `ldc` elements apart. Sizes: k, lda, ldc.
inline ir::loop::Function gemm_kernel(const std::string& name, int rows, int columns, int lanes) {
  using namespace ir::loop;
  using ir::DType;
  const VectorType vector{DType::F32, lanes};
  const int vectors = columns / lanes;
  const auto acc = [](int i, int j) { return fmt::format("c{}_{}", i, j); };
  Function f{
      .name = name, .buffers = {{.name = "a"}, {.name = "b"}, {.name = "c"}}, .sizes = {"k", "lda", "ldc"}, .body = {}};
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < vectors; ++j) f.body.push_back(assign(acc(i, j), float_constant(0, vector)));

  const Expr k = variable("k", {});
  Block step;
  for (int j = 0; j < vectors; ++j) {
    const Expr offset = binary(BinaryOp::Add, binary(BinaryOp::Mul, k, int_constant(columns)), int_constant(j * lanes));
    step.push_back(assign(fmt::format("b{}", j), load(1, DType::F32, lanes, offset)));
  }
  for (int i = 0; i < rows; ++i) {
    const Expr row = binary(BinaryOp::Mul, int_constant(i), size(1));
    step.push_back(assign("x", broadcast(load(0, DType::F32, 1, binary(BinaryOp::Add, row, k)), lanes)));
    for (int j = 0; j < vectors; ++j)
      step.push_back(assign(
          acc(i, j), fma(variable("x", vector), variable(fmt::format("b{}", j), vector), variable(acc(i, j), vector))));
  }
  f.body.push_back(for_loop("k", int_constant(0), size(0), int_constant(1), std::move(step)));

  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < vectors; ++j) {
      const Expr row = binary(BinaryOp::Mul, int_constant(i), size(2));
      f.body.push_back(store(2, binary(BinaryOp::Add, row, int_constant(j * lanes)), variable(acc(i, j), vector)));
    }
  return f;
}

}  // namespace hone::test
