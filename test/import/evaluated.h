// What a model computes, by the interpreter.
#pragma once

#include <random>

#include "eval/interpreter.h"
#include "model_builder.h"

namespace hone::import {

inline eval::Tensor floats(const std::vector<int64_t>& shape, const std::vector<double>& values) {
  return eval::filled(ir::DType::F32, shape, values);
}
inline eval::Tensor integers(const std::vector<int64_t>& shape, const std::vector<double>& values) {
  return eval::filled(ir::DType::I64, shape, values);
}
inline eval::Tensor random_floats(const std::vector<int64_t>& shape, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> some(-2, 2);
  std::vector<double> values(static_cast<size_t>(eval::count_of(shape)));
  for (double& value : values) value = some(engine);
  return floats(shape, values);
}

// 0, 1/4, …, in an order without a pattern.
inline eval::Tensor some_floats(const std::vector<int64_t>& shape) {
  std::vector<double> values(static_cast<size_t>(eval::count_of(shape)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 37 % 29) / 4 - 3;
  return floats(shape, values);
}

inline std::vector<eval::Tensor> evaluated(const Model& model, const std::vector<eval::Tensor>& inputs) {
  auto results = eval::evaluate(model.imported(), inputs);
  EXPECT_TRUE(results.ok()) << results.problem().message;
  return results.ok() ? *results : std::vector<eval::Tensor>(8);
}

inline void expect_values(const eval::Tensor& tensor, const std::vector<int64_t>& shape,
                          const std::vector<double>& values, double tolerance = 1e-5) {
  EXPECT_EQ(tensor.shape, shape);
  std::vector<double> got = eval::values_of(tensor);
  ASSERT_EQ(got.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i]) || std::isinf(values[i]) || tolerance == 0)
      EXPECT_TRUE(got[i] == values[i] || (std::isnan(got[i]) && std::isnan(values[i])))
          << got[i] << " instead of " << values[i] << " at " << i;
    else
      EXPECT_NEAR(got[i], values[i], tolerance) << "at " << i;
  }
}

inline void expect_told(const std::string& refusal, const std::string& text) {
  EXPECT_NE(refusal.find(text), std::string::npos) << refusal;
}

}  // namespace hone::import
