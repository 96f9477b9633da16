// Reading and making constants.
#pragma once

#include <optional>
#include <vector>

#include "ir/program/program.h"

namespace hone::canon {

// Every element has this value; nothing if the value is no constant, is empty or has different elements.
std::optional<double> splat(const ir::Value& value);
// The elements as numbers; nothing if it is no constant.
std::optional<std::vector<double>> numbers(const ir::Value& value);
ir::ConstantData constant_of(ir::DType type, const std::vector<double>& numbers);
ir::ConstantData owned(std::vector<std::byte> bytes);

// The shape as numbers; nothing if a dimension is not one.
std::optional<std::vector<int64_t>> fixed_shape(const ir::Shape& shape);

}  // namespace hone::canon
