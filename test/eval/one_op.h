// Programs of one op, for tests: built from tensors, typed by infer_types, validated, evaluated.
#pragma once

#include <gtest/gtest.h>

#include "eval/interpreter.h"

namespace hone::eval {

using Attributes = std::map<std::string, ir::Attribute>;

struct OneOp {
  ir::OpKind kind{};
  std::vector<Tensor> inputs = {};  // absent() stands for one that is not given
  Attributes attributes = {};
  std::optional<std::vector<int64_t>> shape = {};  // of the result, for operators that have it in their type
  std::vector<ir::Program> bodies = {};
  int outputs = 1;
};

// An operand that is not given.
Tensor absent();
bool is_absent(const Tensor& tensor);

// A symbol stands for each dimension for which symbolic(input, dimension) is true.
ir::Program program_of(const OneOp& op, const std::function<bool(size_t, size_t)>& symbolic = nullptr);

std::vector<Tensor> given_inputs(const OneOp& op);

// All results as doubles. Failures of inference, validation and evaluation fail the test.
std::vector<Tensor> run_all(const OneOp& op);
Tensor run(const OneOp& op);
// The message with which infer_types refuses the op; empty if it does not.
std::string refusal_of(const OneOp& op);

Tensor floats(std::vector<int64_t> shape, const std::vector<double>& values);
Tensor integers(std::vector<int64_t> shape, const std::vector<double>& values);
// Small numbers that differ from each other: multiples of 1/8 in [-4, 4), in a fixed shuffled order.
Tensor some_floats(std::vector<int64_t> shape, uint64_t seed = 1);
Tensor some_integers(std::vector<int64_t> shape, int64_t low, int64_t high, ir::DType type = ir::DType::I64,
                     uint64_t seed = 1);

void expect_values(const Tensor& tensor, const std::vector<int64_t>& shape, const std::vector<double>& values,
                   double tolerance = 0);

}  // namespace hone::eval
