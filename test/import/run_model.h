// What an imported model computes, by the interpreter.
#pragma once

#include "eval/interpreter.h"
#include "model_builder.h"

namespace hone::import {

inline std::vector<eval::Tensor> run_model(const Model& model, const std::vector<eval::Tensor>& inputs) {
  auto results = eval::evaluate(model.imported(), inputs);
  EXPECT_TRUE(results.ok()) << (results.ok() ? "" : results.problem().message);
  return results.ok() ? *results : std::vector<eval::Tensor>(static_cast<size_t>(model.imported().outputs.size()));
}

inline std::vector<double> values(const Model& model, const std::vector<eval::Tensor>& inputs, size_t output = 0) {
  return eval::values_of(run_model(model, inputs).at(output));
}

inline eval::Tensor floats(std::vector<int64_t> shape, const std::vector<double>& values) {
  return eval::filled(ir::DType::F32, std::move(shape), values);
}

inline void expect_told(const std::string& refusal, const std::string& text) {
  EXPECT_NE(refusal.find(text), std::string::npos) << refusal;
}

}  // namespace hone::import
