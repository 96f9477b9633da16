#include <algorithm>
#include <numeric>

#include "import/known_internal.h"
#include "import/sizes_internal.h"
#include "import/tensor_internal.h"

namespace hone::import {
namespace {

using ir::Index;
using Coordinates = std::vector<int64_t>;

std::optional<size_t> count(const std::vector<int64_t>& dims) {
  size_t total = 1;
  for (int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    total *= static_cast<size_t>(dim);
    if (total > kMostKnown) return std::nullopt;
  }
  return total;
}

// result[c] = in[source(c)] for every coordinate of the dims.
template <typename Source>
std::optional<Known> remap(const Known& in, const std::vector<int64_t>& dims, Source source) {
  auto total = count(dims);
  if (!total) return std::nullopt;
  Known result{in.dtype, dims, {}};
  Coordinates at(dims.size(), 0);
  for (size_t i = 0; i < *total; ++i) {
    size_t rest = i;
    for (size_t d = dims.size(); d-- > 0;) {
      at[d] = static_cast<int64_t>(rest % static_cast<size_t>(dims[d]));
      rest /= static_cast<size_t>(dims[d]);
    }
    Coordinates from = source(at);
    size_t index = 0;
    for (size_t d = 0; d < from.size(); ++d)
      index = index * static_cast<size_t>(in.dims[d]) + static_cast<size_t>(from[d]);
    result.elements.push_back(in.elements[index]);
  }
  return result;
}

std::optional<std::vector<int64_t>> numbers(const Known* known) {
  if (!known) return std::nullopt;
  std::vector<int64_t> values;
  for (const Index& element : known->elements) {
    if (!element.constant()) return std::nullopt;
    values.push_back(*element.constant());
  }
  return values;
}

const Known* input(const KnownNode& node, size_t k) {
  return k < node.inputs.size() ? node.inputs[k] : nullptr;
}

// Attribute of old opsets, input of new ones.
std::optional<std::vector<int64_t>> attribute_or_input(const KnownNode& node, const char* name, size_t k) {
  if (node.attributes.has(name)) return node.attributes.integers(name);
  const Known* list = input(node, k);
  return list && list->rank() <= 1 ? numbers(list) : std::nullopt;
}

ir::Shape shape_of(const std::vector<int64_t>& dims) {
  return {dims.begin(), dims.end()};
}

std::optional<Known> with_dims(const Known& in, const ir::Shape& shape) {
  Known result{in.dtype, {}, in.elements};
  for (const Index& dim : shape) {
    if (!dim.constant()) return std::nullopt;
    result.dims.push_back(*dim.constant());
  }
  if (count(result.dims) != in.elements.size()) return std::nullopt;
  return result;
}

std::optional<Known> reshape(const KnownNode& node) {
  if (!input(node, 1) || node.inputs[1]->rank() > 1) return std::nullopt;
  auto target = reshape_target(shape_of(node.inputs[0]->dims), node.inputs[1]->elements,
                               node.attributes.integer("allowzero", 0) != 0);
  return target ? with_dims(*node.inputs[0], *target) : std::nullopt;
}

std::optional<Known> squeeze(const KnownNode& node) {
  const Known& in = *node.inputs[0];
  bool given = node.attributes.has("axes") || input(node, 1);
  std::vector<bool> drop(in.rank(), false);
  if (given) {
    auto axes = attribute_or_input(node, "axes", 1);
    if (!axes) return std::nullopt;
    for (int64_t axis : *axes) {
      auto normal = normal_axis(axis, in.rank());
      if (!normal || in.dims[static_cast<size_t>(*normal)] != 1) return std::nullopt;
      drop[static_cast<size_t>(*normal)] = true;
    }
  }
  Known result{in.dtype, {}, in.elements};
  for (size_t d = 0; d < in.rank(); ++d)
    if (given ? !drop[d] : in.dims[d] != 1) result.dims.push_back(in.dims[d]);
  return result;
}

std::optional<Known> unsqueeze(const KnownNode& node) {
  const Known& in = *node.inputs[0];
  auto axes = attribute_or_input(node, "axes", 1);
  if (!axes || axes->size() > 8) return std::nullopt;
  size_t rank = in.rank() + axes->size();
  std::vector<int64_t> dims(rank, 0);
  for (int64_t axis : *axes) {
    auto normal = normal_axis(axis, rank);
    if (!normal) return std::nullopt;
    dims[static_cast<size_t>(*normal)] = 1;
  }
  size_t next = 0;
  for (int64_t& dim : dims) {
    if (dim == 1) continue;
    if (next == in.rank()) return std::nullopt;
    dim = in.dims[next++];
  }
  return next == in.rank() ? std::optional(Known{in.dtype, dims, in.elements}) : std::nullopt;
}

std::optional<Known> transpose(const KnownNode& node) {
  const Known& in = *node.inputs[0];
  std::vector<int64_t> perm(in.rank());
  for (size_t d = 0; d < perm.size(); ++d) perm[d] = static_cast<int64_t>(perm.size() - 1 - d);
  perm = node.attributes.integers("perm", perm);
  std::vector<int64_t> sorted = perm, straight(in.rank());
  std::iota(straight.begin(), straight.end(), 0);
  std::sort(sorted.begin(), sorted.end());
  if (sorted != straight) return std::nullopt;
  std::vector<int64_t> dims;
  for (int64_t d : perm) dims.push_back(in.dims[static_cast<size_t>(d)]);
  return remap(in, dims, [&](const Coordinates& at) {
    Coordinates from(at.size());
    for (size_t d = 0; d < at.size(); ++d) from[static_cast<size_t>(perm[d])] = at[d];
    return from;
  });
}

std::optional<Known> slice(const KnownNode& node) {
  const Known& in = *node.inputs[0];
  auto starts = attribute_or_input(node, "starts", 1), ends = attribute_or_input(node, "ends", 2);
  bool has_axes = node.attributes.has("axes") || input(node, 3), has_steps = input(node, 4) != nullptr;
  auto axes = attribute_or_input(node, "axes", 3), steps = attribute_or_input(node, "steps", 4);
  if (!starts || !ends || starts->size() != ends->size() || (has_axes && !axes) || (has_steps && !steps))
    return std::nullopt;
  std::vector<int64_t> dims = in.dims, begin(in.rank(), 0), stride(in.rank(), 1);
  std::vector<bool> listed(in.rank(), false);
  for (size_t i = 0; i < starts->size(); ++i) {
    if ((has_axes && i >= axes->size()) || (has_steps && i >= steps->size())) return std::nullopt;
    auto axis = normal_axis(has_axes ? (*axes)[i] : static_cast<int64_t>(i), in.rank());
    if (!axis || listed[static_cast<size_t>(*axis)]) return std::nullopt;
    size_t d = static_cast<size_t>(*axis);
    listed[d] = true;
    auto range = slice_range(in.dims[d], (*starts)[i], (*ends)[i], has_steps ? (*steps)[i] : 1);
    if (!range) return std::nullopt;
    dims[d] = range->length.constant().value_or(-1);
    begin[d] = range->start;
    stride[d] = range->step;
  }
  return remap(in, dims, [&](Coordinates at) {
    for (size_t d = 0; d < at.size(); ++d) at[d] = begin[d] + at[d] * stride[d];
    return at;
  });
}

std::optional<Known> gather(const KnownNode& node) {
  const Known& in = *node.inputs[0];
  auto indices = numbers(input(node, 1));
  auto axis = normal_axis(node.attributes.integer("axis", 0), in.rank());
  if (!indices || !axis || in.rank() != 1) return std::nullopt;
  Known result{in.dtype, node.inputs[1]->dims, {}};
  for (int64_t index : *indices) {
    int64_t from = index < 0 ? index + in.dims[0] : index;
    if (from < 0 || from >= in.dims[0]) return std::nullopt;
    result.elements.push_back(in.elements[static_cast<size_t>(from)]);
  }
  return result;
}

// Of vectors only: what shapes are put together from.
std::optional<Known> concat(const KnownNode& node) {
  Known result{node.inputs[0]->dtype, {0}, {}};
  for (const Known* part : node.inputs) {
    if (!part || part->rank() != 1 || part->dtype != result.dtype) return std::nullopt;
    result.elements.insert(result.elements.end(), part->elements.begin(), part->elements.end());
  }
  result.dims[0] = static_cast<int64_t>(result.elements.size());
  return count(result.dims) ? std::optional(result) : std::nullopt;
}

std::optional<Known> expand(const KnownNode& node) {
  const Known& in = *node.inputs[0];
  auto target = attribute_or_input(node, "shape", 1);
  if (!target || target->size() > 8) return std::nullopt;
  std::vector<int64_t> dims(std::max(target->size(), in.rank()), 1);
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t own = i < in.rank() ? in.dims[in.rank() - 1 - i] : 1;
    int64_t want = i < target->size() ? (*target)[target->size() - 1 - i] : 1;
    if (own != want && own != 1 && want != 1) return std::nullopt;
    dims[dims.size() - 1 - i] = own == 1 ? want : own;
  }
  return remap(in, dims, [&](const Coordinates& at) {
    Coordinates from(at.end() - static_cast<std::ptrdiff_t>(in.rank()), at.end());
    for (size_t d = 0; d < from.size(); ++d)
      if (in.dims[d] == 1) from[d] = 0;
    return from;
  });
}

std::optional<Known> range(const KnownNode& node) {
  auto start = numbers(node.inputs[0]), limit = numbers(input(node, 1)), delta = numbers(input(node, 2));
  if (!start || !limit || !delta || start->size() != 1 || limit->size() != 1 || delta->size() != 1) return std::nullopt;
  int64_t step = (*delta)[0], from = (*start)[0], to = (*limit)[0];
  if (step == 0 || !is_reasonable(from) || !is_reasonable(to) || !is_reasonable(step)) return std::nullopt;
  Known result{node.inputs[0]->dtype, {0}, {}};
  for (int64_t value = from; step > 0 ? value < to : value > to; value += step) {
    result.elements.push_back(value);
    if (result.elements.size() > kMostKnown) return std::nullopt;
  }
  result.dims[0] = static_cast<int64_t>(result.elements.size());
  return result;
}

std::optional<Known> constant_of_shape(const KnownNode& node) {
  auto dims = numbers(node.inputs[0]);
  auto total = dims ? count(*dims) : std::nullopt;
  const onnx::TensorProto* value = node.attributes.tensor("value");
  if (!total || !value) return std::nullopt;
  ExternalFiles none({});
  auto tensor = read_tensor(*value, nullptr, none);
  auto integers = tensor ? integers_of(tensor->type, tensor->data, 1) : std::nullopt;
  if (!integers || integers->size() != 1) return std::nullopt;
  return Known{tensor->type.dtype, *dims, std::vector<Index>(*total, (*integers)[0])};
}

// Vectors into vectors.
std::optional<std::vector<Known>> split(const KnownNode& node) {
  const Known& in = *node.inputs[0];
  if (in.rank() != 1 || node.outputs == 0) return std::nullopt;
  auto parts = attribute_or_input(node, "split", 1);
  if (!parts) {
    if (in.elements.size() % node.outputs != 0) return std::nullopt;
    parts = std::vector<int64_t>(node.outputs, static_cast<int64_t>(in.elements.size() / node.outputs));
  }
  std::vector<Known> results;
  size_t next = 0;
  for (int64_t part : *parts) {
    if (part < 0 || static_cast<size_t>(part) > in.elements.size() - next) return std::nullopt;
    auto begin = in.elements.begin() + static_cast<std::ptrdiff_t>(next);
    results.push_back({in.dtype, {part}, {begin, begin + part}});
    next += static_cast<size_t>(part);
  }
  return results;
}

struct Movement {
  const char* op_type;
  std::optional<Known> (*apply)(const KnownNode&);
};

const Movement kMovements[] = {
    {"Reshape", reshape},
    {"Squeeze", squeeze},
    {"Unsqueeze", unsqueeze},
    {"Transpose", transpose},
    {"Slice", slice},
    {"Gather", gather},
    {"Concat", concat},
    {"Expand", expand},
    {"Range", range},
    {"ConstantOfShape", constant_of_shape},
    {"Identity", [](const KnownNode& node) -> std::optional<Known> { return *node.inputs[0]; }},
};

}  // namespace

std::optional<std::vector<Known>> known_movement(const KnownNode& node) {
  if (node.op_type == "Split") return split(node);
  for (const Movement& movement : kMovements) {
    if (node.op_type != movement.op_type) continue;
    auto result = movement.apply(node);
    if (!result) return std::nullopt;
    return std::vector<Known>{*result};
  }
  return std::nullopt;
}

}  // namespace hone::import
