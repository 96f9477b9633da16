// Bytes → the message that they hold. What is too large to be taken is refused before it is taken apart.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "base/result.h"
#include "ir/program/program.h"
#include "onnx.pb.h"

namespace hone::import {

Result<ir::ConstantData> map_model(const std::filesystem::path& file);

// The message has a graph; its nodes, with those of inner graphs, are not too many.
Result<std::shared_ptr<const onnx::ModelProto>> parse_model(std::span<const std::byte> bytes);

}  // namespace hone::import
