// Sizes: the run-time values of symbols, found by laying actual shapes over types.
#pragma once

#include <map>

#include "base/result.h"
#include "ir/program/program.h"

namespace hone::eval {

using Sizes = std::map<std::string, int64_t>;

// Value of a dimension; a symbol without a value is a fault of the caller.
int64_t size_of(const ir::Index& dimension, const Sizes& sizes);
std::vector<int64_t> shape_of(const ir::Shape& shape, const Sizes& sizes);

// Binds the symbols of `type` that have no value yet, where a dimension is linear in one of them, and checks the others.
// `what` names the tensor in the refusal.
Status bind_sizes(const std::string& what, const ir::Shape& type, const std::vector<int64_t>& actual, Sizes& sizes);

}  // namespace hone::eval
