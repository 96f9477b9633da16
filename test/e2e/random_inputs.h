// Inputs of a random program, by its seed.
#pragma once

#include "eval/interpreter.h"
#include "fuse/random_program.h"

namespace hone::e2e {

inline std::vector<eval::Tensor> inputs_of(const ir::Program& program, fuse::Numbers numbers, uint64_t seed) {
  Rng rng(seed * 31 + 1);
  std::vector<eval::Tensor> inputs;
  for (ir::ValueId id : program.inputs) {
    std::vector<int64_t> shape;
    for (const ir::Index& extent : program.type(id).shape) shape.push_back(*extent.constant());
    std::vector<double> values;
    for (int64_t i = 0; i < eval::count_of(shape); ++i)
      values.push_back(numbers == fuse::Numbers::Exact ? static_cast<double>(rng.between(-4, 4)) : rng.unit() * 2 - 1);
    inputs.push_back(eval::filled(program.type(id).dtype, shape, values));
  }
  return inputs;
}

}  // namespace hone::e2e
