// Compares what fuse makes of a program with the program itself, on random inputs.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "eval/interpreter.h"
#include "eval/kernel_eval.h"
#include "fuse/fuse.h"

namespace hone::fuse {

inline eval::Tensor random_tensor(const ir::TensorType& type, const eval::Sizes& sizes, Rng& rng) {
  std::vector<int64_t> shape = eval::shape_of(type.shape, sizes);
  std::vector<double> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) {
    if (type.dtype == ir::DType::Bool)
      values.push_back(static_cast<double>(rng.below(2)));
    else if (ir::is_float(type.dtype))
      values.push_back(static_cast<double>(rng.below(2001)) / 1000 - 1);
    else
      values.push_back(static_cast<double>(rng.below(4)));
  }
  return eval::filled(type.dtype, shape, values);
}

inline ir::KernelGraph fused(const ir::Program& program) {
  auto graph = fuse(program);
  EXPECT_TRUE(graph.ok()) << (graph.ok() ? "" : graph.problem().message);
  if (!graph.ok()) return {};
  for (const ir::Kernel& kernel : graph->kernels) {
    Status valid = ir::validate(kernel);
    EXPECT_TRUE(valid.ok()) << (valid.ok() ? "" : valid.problem().message) << "\n" << ir::text_of(kernel);
  }
  return *graph;
}

inline void expect_close(const eval::Tensor& got, const eval::Tensor& want, double tolerance, const std::string& what) {
  ASSERT_EQ(got.shape, want.shape) << what;
  ASSERT_EQ(got.dtype, want.dtype) << what;
  for (int64_t i = 0; i < eval::count_of(want.shape); ++i) {
    double a = eval::element(got, i), b = eval::element(want, i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    ASSERT_LE(std::abs(a - b), tolerance * (1 + std::abs(b))) << what << ", element " << i << ": " << a << " for " << b;
  }
}

// Runs both with the given sizes of symbols; tiles take all sorts of sizes.
inline ir::KernelGraph expect_same(const ir::Program& program, const eval::Sizes& sizes = {}, double tolerance = 1e-5) {
  ir::KernelGraph graph = fused(program);
  Rng rng(7);
  std::vector<eval::Tensor> inputs;
  for (ir::ValueId id : program.inputs) inputs.push_back(random_tensor(program.type(id), sizes, rng));
  std::vector<eval::Sizes> parameters;
  for (const ir::Kernel& kernel : graph.kernels) {
    parameters.emplace_back();
    for (const std::string& name : ir::parameters_of(kernel))
      parameters.back()[name] = static_cast<int64_t>(1 + rng.below(5));
  }
  auto want = eval::evaluate(program, inputs);
  EXPECT_TRUE(want.ok()) << (want.ok() ? "" : want.problem().message);
  auto got = eval::evaluate(graph, inputs, parameters);
  EXPECT_TRUE(got.ok()) << (got.ok() ? "" : got.problem().message);
  if (!want.ok() || !got.ok()) return graph;
  for (size_t i = 0; i < want->size(); ++i)
    expect_close((*got)[i], (*want)[i], tolerance, fmt::format("output {} of {}", i, program.name));
  if (testing::Test::HasFailure())
    for (const ir::Kernel& kernel : graph.kernels) ADD_FAILURE() << ir::text_of(kernel);
  return graph;
}

}  // namespace hone::fuse
