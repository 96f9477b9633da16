// Compiled code against the interpreter: its tensors as inputs, its outputs bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "eval/interpreter.h"
#include "pipeline/compile.h"
#include "target/target.h"

namespace hone::e2e {

inline std::vector<runtime::InputTensor> feeds_of(const std::vector<eval::Tensor>& tensors) {
  std::vector<runtime::InputTensor> feeds;
  for (const eval::Tensor& tensor : tensors)
    feeds.push_back({ir::name_of(tensor.dtype), tensor.shape, tensor.bytes.data()});
  return feeds;
}

inline void expect_same_bytes(const std::vector<eval::Tensor>& want, const std::vector<runtime::OutputTensor>& got) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_EQ(got[i].shape, want[i].shape);
    if (want[i].bytes.empty()) continue;
    EXPECT_EQ(std::memcmp(got[i].data.data(), want[i].bytes.data(), want[i].bytes.size()), 0) << "output " << i;
  }
}

inline std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (target::Isa isa : {target::Isa::X86_64, target::Isa::Avx2, target::Isa::Avx512})
    if (isa <= target::host_target().isa) names.push_back(target::name_of(isa));
  return names;
}

// One compilation, run on each set of inputs.
inline void expect_agreement(const ir::Program& program, const pipeline::Options& options,
                             const std::vector<std::vector<eval::Tensor>>& sets) {
  auto model = pipeline::compile_program(program, options);
  ASSERT_TRUE(model.ok()) << model.problem().message;
  auto session = pipeline::load(*model, options);
  ASSERT_TRUE(session.ok()) << session.problem().message;
  for (const std::vector<eval::Tensor>& inputs : sets) {
    auto want = eval::evaluate(program, inputs);
    ASSERT_TRUE(want.ok()) << want.problem().message;
    auto got = (*session)->run(feeds_of(inputs));
    ASSERT_TRUE(got.ok()) << got.problem().message;
    SCOPED_TRACE(fmt::format("{}, first input {}", options.isa, fmt::join(inputs[0].shape, " x ")));
    expect_same_bytes(*want, *got);
  }
}

}  // namespace hone::e2e
