// NumPy's .npy files: one tensor, little-endian, row-major. Versions 1 to 3 are read, version 1 is written.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "eval/tensor.h"

namespace hone::tools {

// Refuses what the file does not fully say: other orders, unknown types, a size that does not match the shape.
Result<eval::Tensor> read_npy(const std::filesystem::path& file);

// NumPy has no bf16: such a tensor is written as f32, which holds all its values. Storage types are written as their bits.
Status write_npy(const std::filesystem::path& file, const eval::Tensor& tensor);

}  // namespace hone::tools
