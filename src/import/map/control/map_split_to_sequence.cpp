#include "import/map/movement/split_internal.h"

namespace hone::import {
namespace {

constexpr int64_t kMostParts = 4096;

// Lengths of the parts: one number cuts into equal parts, the last of which may be shorter.
Result<std::vector<int64_t>> lengths_of(Node& node, size_t axis) {
  auto size = node.shape(0)[axis].constant();
  std::vector<int64_t> lengths;
  if (node.has(1)) {
    if (!node.is_tensor(1)) return error("its lengths are not a tensor");
    HONE_TRY(lengths, node.integers(1, "lengths"));
    if (node.rank(1) == 1) return lengths;
  }
  int64_t each = lengths.empty() ? 1 : lengths[0];
  if (!size)
    return error("it cuts the run-time size {}; a number, or a list of lengths, would work",
                 node.shape(0)[axis].text());
  if (each < 1) return error("it cuts into parts of length {}", each);
  if (*size / each > kMostParts) return error("it cuts into more than {} parts", kMostParts);
  lengths.clear();
  for (int64_t left = *size; left > 0; left -= each) lengths.push_back(std::min(left, each));
  return lengths;
}

}  // namespace

Result<Terms> map_split_to_sequence(Node& node) {
  if (!node.is_tensor(0)) return error("what it splits is not a tensor");
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", 0), node.rank(0)));
  size_t d = static_cast<size_t>(axis);
  HONE_TRY(std::vector<int64_t> lengths, lengths_of(node, d));
  bool drop = !node.has(1) && node.attributes().integer("keepdims", 1) == 0;
  HONE_TRY(ValueId whole, whole_of(node, d, lengths));
  Terms parts;
  int64_t start = 0;
  for (int64_t length : lengths) {
    ir::TensorType type = node.type_of(whole);
    type.shape[d] = length;
    std::vector<int64_t> starts(type.shape.size(), 0);
    starts[d] = start;
    start += length;
    HONE_TRY(ValueId part, node.emit(OpKind::Slice, {whole}, {{"starts", starts}}, type));
    if (drop) {
      type.shape.erase(type.shape.begin() + axis);
      HONE_TRY(part, node.reshape(part, type.shape));
    }
    parts.push_back(value_term(part));
  }
  return Terms{sequence_term(std::move(parts))};
}

}  // namespace hone::import
