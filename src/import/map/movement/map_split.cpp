#include <algorithm>

#include "import/map/movement/split_internal.h"
#include "import/map/steps_internal.h"

namespace hone::import {

namespace {

// Equal parts of a size known only at run time: a dimension of its own for the parts, which is then sliced by number.
Result<Values> split_evenly(Node& node, size_t axis, size_t parts) {
  ir::Shape shape = node.shape(0);
  Index count = static_cast<int64_t>(parts);
  Index length = exact_quotient(shape[axis], count).value_or(floor_div(shape[axis], count));
  shape[axis] = length;
  ir::Shape apart = shape, one = shape;
  apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(axis), count);
  one.insert(one.begin() + static_cast<std::ptrdiff_t>(axis), Index(1));
  HONE_TRY(ValueId whole, node.reshape(node.input(0), apart));
  Values results;
  for (size_t k = 0; k < parts; ++k) {
    std::vector<int64_t> starts(apart.size(), 0);
    starts[axis] = static_cast<int64_t>(k);
    HONE_TRY(ValueId part, node.emit(OpKind::Slice, {whole}, {{"starts", starts}}, {node.type(0).dtype, one}));
    HONE_TRY(part, node.reshape(part, shape));
    results.push_back(part);
  }
  return results;
}

// Parts of a size known only at run time, of which the last may be smaller.
Result<Values> split_unevenly(Node& node, size_t axis, size_t parts) {
  const Index whole = node.shape(0)[axis], each = ceil_div(whole, static_cast<int64_t>(parts));
  Index first = 0;
  Steps steps(node);
  Values results;
  for (size_t k = 0; k < parts; ++k) {
    Index length = k == 0 ? each : max(min(each, whole - first), 0);
    results.push_back(k == 0 ? steps.slice(node.input(0), axis, 0, each)
                             : steps.take(node.input(0), axis, first, length));
    first = first + each;
  }
  return steps.done(std::move(results));
}

}  // namespace

Result<ValueId> whole_of(Node& node, size_t axis, const std::vector<int64_t>& lengths) {
  int64_t total = 0;
  for (int64_t length : lengths) {
    if (length < 0 || !is_reasonable(length)) return error("a length of {}", length);
    total += length;
  }
  ir::Shape shape = node.shape(0);
  if (provably_different(shape[axis], total))
    return error("its lengths add up to {}, not {}", total, shape[axis].text());
  if (node.importer().equate(shape[axis], total)) return node.input(0);
  shape[axis] = total;
  return node.reshape(node.input(0), shape);
}

Result<Values> map_split(Node& node) {
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", 0), node.rank(0)));
  size_t d = static_cast<size_t>(axis), parts = node.output_count();
  if (parts == 0) return error("it has no outputs");
  HONE_TRY(std::vector<int64_t> lengths, node.integers("split", 1));
  auto size = node.shape(0)[d].constant();
  if (lengths.empty()) {
    bool even = !node.attributes().has("num_outputs") || exact_quotient(node.shape(0)[d], static_cast<int64_t>(parts));
    if (!size) return even ? split_evenly(node, d, parts) : split_unevenly(node, d, parts);
    int64_t count = static_cast<int64_t>(parts), each = (*size + count - 1) / count;
    for (int64_t left = *size, k = 0; k < count; ++k, left -= std::min(left, each))
      lengths.push_back(std::min(left, each));
  }
  if (lengths.size() != parts) return error("it has {} outputs and {} lengths", parts, lengths.size());
  HONE_TRY(ValueId whole, whole_of(node, d, lengths));
  Values results;
  int64_t start = 0;
  for (int64_t length : lengths) {
    ir::TensorType type = node.type(0);
    type.shape[d] = length;
    std::vector<int64_t> starts(type.shape.size(), 0);
    starts[d] = start;
    HONE_TRY(ValueId part, node.emit(OpKind::Slice, {whole}, {{"starts", starts}}, type));
    results.push_back(part);
    start += length;
  }
  return results;
}

}  // namespace hone::import
