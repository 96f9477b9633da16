#include "import/node_internal.h"

namespace hone::import {

namespace {

// Until opset 5 there is one number of repeats, and the axis that it is for.
Result<std::vector<Index>> tile_repeats(Node& node) {
  if (node.opset() >= 6) return node.sizes(1, "repeats");
  HONE_TRY(std::vector<int64_t> tiles, node.integers(1, "tiles"));
  HONE_TRY(std::vector<int64_t> axes, node.integers(2, "axis"));
  if (tiles.size() != 1 || axes.size() != 1) return error("its tiles and axis must be one number each");
  HONE_TRY(int axis, normal_axis(axes[0], node.rank(0)));
  std::vector<Index> repeats(node.rank(0), Index(1));
  repeats[static_cast<size_t>(axis)] = tiles[0];
  return repeats;
}

}  // namespace

// [a, b] tiled (r, s) is [1, a, 1, b] expanded to [r, a, s, b].
Result<Values> map_tile(Node& node) {
  HONE_TRY(std::vector<Index> repeats, tile_repeats(node));
  ir::TensorType type = node.type(0);
  if (repeats.size() != type.shape.size())
    return error("it has {} repeats for rank {}", repeats.size(), type.shape.size());
  ir::Shape apart, expanded, result;
  for (size_t d = 0; d < repeats.size(); ++d) {
    if (repeats[d].constant().value_or(0) < 0 || !is_reasonable(repeats[d]))
      return error("repeats of {}", repeats[d].text());
    apart.insert(apart.end(), {Index(1), type.shape[d]});
    expanded.insert(expanded.end(), {repeats[d], type.shape[d]});
    result.push_back(repeats[d] * type.shape[d]);
  }
  HONE_PASS(element_count(result));
  HONE_TRY(ValueId value, node.reshape(node.input(0), apart));
  HONE_TRY(value, node.emit(OpKind::Expand, {value}, {}, {type.dtype, expanded}));
  return Node::single(node.reshape(value, result));
}

}  // namespace hone::import
