// Tensors of the interpreter as inputs of compiled code, and its outputs against the interpreter's.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "eval/interpreter.h"
#include "runtime/runner.h"

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
    EXPECT_EQ(std::memcmp(got[i].data.data(), want[i].bytes.data(), want[i].bytes.size()), 0) << "output " << i;
  }
}

}  // namespace hone::e2e
