#include <algorithm>
#include <numeric>

#include "import/map/steps_internal.h"

namespace hone::import {

Result<Values> map_identity(Node& node) {
  return Node::single(node.emit(OpKind::Identity, {node.input(0)}));
}

namespace {

// Sizes or bounds that older opsets have in an attribute and newer ones in an operand.
Result<std::vector<Index>> attribute_or_sizes(Node& node, const char* name, size_t k, const char* what) {
  if (!node.attributes().has(name)) return node.sizes(k, what);
  auto numbers = node.attributes().integers(name);
  return std::vector<Index>(numbers.begin(), numbers.end());
}

}  // namespace

Result<Values> map_reshape(Node& node) {
  HONE_TRY(std::vector<Index> wanted, attribute_or_sizes(node, "shape", 1, "target sizes"));
  HONE_TRY(ir::Shape shape, reshape_target(node.shape(0), wanted, node.attributes().integer("allowzero", 0) != 0));
  HONE_PASS(element_count(shape));
  return Node::single(node.emit(OpKind::Reshape, {node.input(0)}, {}, {node.type(0).dtype, shape}));
}

Result<Values> map_flatten(Node& node) {
  int64_t rank = static_cast<int64_t>(node.rank(0)), axis = node.attributes().integer("axis", 1);
  if (axis < -rank || axis > rank) return error("axis {} is outside a tensor of rank {}", axis, rank);
  if (axis < 0) axis += rank;
  ir::Shape shape = node.shape(0);
  Index rows = ir::product({shape.begin(), shape.begin() + axis}),
        columns = ir::product({shape.begin() + axis, shape.end()});
  return Node::single(node.emit(OpKind::Reshape, {node.input(0)}, {}, {node.type(0).dtype, {rows, columns}}));
}

Result<Values> map_squeeze(Node& node) {
  ir::Shape from = node.shape(0), to;
  HONE_TRY(std::vector<int64_t> axes, node.integers("axes", 1));
  std::vector<bool> drop(from.size(), false);
  for (int64_t axis : axes) {
    HONE_TRY(int normal, normal_axis(axis, from.size()));
    const Index& dim = from[static_cast<size_t>(normal)];
    if (provably_different(dim, 1)) return error("dimension {} has size {}, not 1", normal, dim.text());
    drop[static_cast<size_t>(normal)] = true;
  }
  bool all = !node.has(1) && !node.attributes().has("axes");
  for (size_t d = 0; d < from.size(); ++d) {
    std::optional<bool> one = all ? node.is_one(from[d]) : drop[d];
    if (!one)
      return error("it drops sizes of 1, and {} is known only at run time; axes or a fixed size would work",
                   from[d].text());
    if (!*one) to.push_back(from[d]);
  }
  return Node::single(node.emit(OpKind::Reshape, {node.input(0)}, {}, {node.type(0).dtype, to}));
}

Result<Values> map_unsqueeze(Node& node) {
  if (!node.has(1) && !node.attributes().has("axes")) return error("its axes are missing");
  HONE_TRY(std::vector<int64_t> axes, node.integers("axes", 1));
  ir::Shape from = node.shape(0), to;
  size_t rank = from.size() + axes.size();
  std::vector<bool> added(rank, false);
  for (int64_t axis : axes) {
    HONE_TRY(int normal, normal_axis(axis, rank));
    if (added[static_cast<size_t>(normal)]) return error("axis {} is listed twice", axis);
    added[static_cast<size_t>(normal)] = true;
  }
  auto next = from.begin();
  for (size_t d = 0; d < rank; ++d) to.push_back(added[d] ? Index(1) : *next++);
  return Node::single(node.emit(OpKind::Reshape, {node.input(0)}, {}, {node.type(0).dtype, to}));
}

Result<Values> map_transpose(Node& node) {
  std::vector<int64_t> perm(node.rank(0));
  std::iota(perm.rbegin(), perm.rend(), 0);
  perm = node.attributes().integers("perm", perm);
  return Node::single(node.emit(OpKind::Transpose, {node.input(0)}, {{"perm", perm}}));
}

namespace {

// As many elements of one dimension, `step` apart.
Result<ValueId> slice_axis(Node& node, ValueId value, size_t axis, const Index& length, int64_t start, int64_t step) {
  ir::TensorType type = node.type_of(value);
  std::vector<int64_t> starts(type.shape.size(), 0), steps(type.shape.size(), 1);
  starts[axis] = start;
  steps[axis] = step;
  type.shape[axis] = length;
  return node.emit(OpKind::Slice, {value}, {{"starts", starts}, {"steps", steps}}, type);
}

// The last `length` elements of a dimension: turned round, cut, and turned back, none of which can leave it.
Result<ValueId> take_last(Node& node, ValueId value, size_t axis, const Index& length) {
  HONE_TRY(ValueId turned, slice_axis(node, value, axis, node.type_of(value).shape[axis], -1, -1));
  HONE_TRY(ValueId cut, slice_axis(node, turned, axis, length, 0, 1));
  return slice_axis(node, cut, axis, length, -1, -1);
}

Result<ValueId> take_from(Node& node, ValueId value, size_t axis, const SliceRange& range) {
  Steps steps(node);
  HONE_TRY(Values taken, steps.done({steps.take(value, axis, *range.first, range.length, range.step)}));
  return taken[0];
}

}  // namespace

Result<Values> map_slice(Node& node) {
  HONE_TRY(std::vector<Index> from, attribute_or_sizes(node, "starts", 1, "starts"));
  HONE_TRY(std::vector<Index> to, attribute_or_sizes(node, "ends", 2, "ends"));
  std::vector<int64_t> each(from.size()), ones(from.size(), 1);
  std::iota(each.begin(), each.end(), 0);
  HONE_TRY(std::vector<int64_t> axes, node.integers("axes", 3, each));
  HONE_TRY(std::vector<int64_t> by, node.integers("steps", 4, ones));
  if (to.size() != from.size() || axes.size() != from.size() || by.size() != from.size())
    return error("starts, ends, axes and steps have {}, {}, {} and {} entries", from.size(), to.size(), axes.size(),
                 by.size());
  ir::TensorType type = node.type(0);
  ValueId value = node.input(0);
  std::vector<int64_t> starts(type.shape.size(), 0), steps(type.shape.size(), 1);
  std::vector<bool> listed(type.shape.size(), false);
  for (size_t i = 0; i < axes.size(); ++i) {
    HONE_TRY(int axis, normal_axis(axes[i], type.shape.size()));
    size_t d = static_cast<size_t>(axis);
    if (listed[d]) return error("axis {} is listed twice", axes[i]);
    listed[d] = true;
    HONE_TRY(SliceRange range, slice_range(type.shape[d], from[i], to[i], by[i]));
    type.shape[d] = range.length;
    if (range.first) {
      HONE_TRY(value, take_from(node, value, d, range));
      continue;
    }
    if (range.rest) {
      HONE_TRY(value, take_last(node, value, d, *range.rest));
    }
    if (range.turned) {
      HONE_TRY(value, slice_axis(node, value, d, *range.turned, range.start, 1));
      range.start = -1;
    }
    starts[d] = range.start;
    steps[d] = range.length.is(1) ? 1 : range.step;
  }
  return Node::single(node.emit(OpKind::Slice, {value}, {{"starts", starts}, {"steps", steps}}, type));
}

Result<Values> map_concat(Node& node) {
  // Until opset 3 there was a default.
  if (node.opset() >= 4 && !node.attributes().has("axis")) return error("attribute 'axis' is missing");
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", 1), node.rank(0)));
  Values values = node.inputs();
  for (size_t k = 0; k < values.size(); ++k) {
    if (values[k] == ir::kAbsent) return error("input number {} is missing", k);
    if (node.rank(k) != node.rank(0)) return error("its inputs have ranks {} and {}", node.rank(0), node.rank(k));
  }
  for (size_t d = 0; d < node.rank(0); ++d) {
    if (static_cast<int>(d) == axis) continue;
    // The part whose size is a number tells the size of the others.
    size_t model = 0;
    while (model + 1 < values.size() && !node.type_of(values[model]).shape[d].constant()) ++model;
    if (!node.type_of(values[model]).shape[d].constant()) model = 0;
    for (size_t k = 0; k < values.size(); ++k)
      if (k != model) HONE_PASS(node.match(values[model], d, values[k], d));
  }
  return Node::single(node.emit(OpKind::Concat, values, {{"axis", int64_t{axis}}}));
}

Result<Values> map_expand(Node& node) {
  HONE_TRY(std::vector<Index> wanted, node.sizes(1, "target sizes"));
  size_t rank = std::max(node.rank(0), wanted.size());
  ir::Shape to(rank, Index(1));
  for (size_t i = 0; i < rank; ++i) {
    Index own = i < node.rank(0) ? node.shape(0)[node.rank(0) - 1 - i] : 1;
    Index want = i < wanted.size() ? wanted[wanted.size() - 1 - i] : 1;
    if (want.constant().value_or(1) < 0) return error("it has the negative target size {}", want.text());
    if (own.constant() && want.constant() && !own.is(1) && !want.is(1) && !(own == want))
      return error("size {} cannot be expanded to {}", own.text(), want.text());
    if (own.is(1))
      to[rank - 1 - i] = want;
    else
      to[rank - 1 - i] = want.is(1) || own == want ? own : max(own, want);
  }
  return Node::single(node.emit(OpKind::Expand, {node.input(0)}, {}, {node.type(0).dtype, to}));
}

namespace {

Result<int64_t> block_size(Node& node) {
  int64_t block = node.attributes().integer("blocksize", 0);
  if (block < 1 || block > 4096) return error("its blocksize is {}", block);
  if (node.rank(0) != 4) return error("its input has rank {}, not 4", node.rank(0));
  return block;
}

Result<Values> rearrange(Node& node, const ir::Shape& apart, const std::vector<int64_t>& perm,
                         const ir::Shape& result) {
  HONE_TRY(ValueId value, node.reshape(node.input(0), apart));
  HONE_TRY(value, node.emit(OpKind::Transpose, {value}, {{"perm", perm}}));
  return Node::single(node.reshape(value, result));
}

}  // namespace

Result<Values> map_depth_to_space(Node& node) {
  HONE_TRY(int64_t block, block_size(node));
  ir::Shape s = node.shape(0);
  auto depth = exact_quotient(s[1], block * block);
  if (!depth) return error("{} channels do not divide by {}", s[1].text(), block * block);
  ir::Shape result{s[0], *depth, s[2] * block, s[3] * block};
  std::string mode = node.attributes().text("mode", "DCR");
  if (mode == "CRD") return rearrange(node, {s[0], *depth, block, block, s[2], s[3]}, {0, 1, 4, 2, 5, 3}, result);
  if (mode != "DCR") return error("its mode '{}' is unknown", mode);
  return rearrange(node, {s[0], block, block, *depth, s[2], s[3]}, {0, 3, 4, 1, 5, 2}, result);
}

Result<Values> map_space_to_depth(Node& node) {
  HONE_TRY(int64_t block, block_size(node));
  ir::Shape s = node.shape(0);
  auto rows = exact_quotient(s[2], block), columns = exact_quotient(s[3], block);
  if (!rows) rows = floor_div(s[2], block);
  if (!columns) columns = floor_div(s[3], block);
  return rearrange(node, {s[0], s[1], *rows, block, *columns, block}, {0, 3, 5, 1, 2, 4},
                   {s[0], s[1] * block * block, *rows, *columns});
}

Result<Values> map_constant(Node& node) {
  Attributes& attributes = node.attributes();
  std::string value;
  for (const char* name : {"value", "value_float", "value_floats", "value_int", "value_ints"}) {
    if (!attributes.has(name)) continue;
    if (!value.empty()) return error("it has both '{}' and '{}'; one of them would work", value, name);
    value = name;
  }
  if (const onnx::TensorProto* proto = attributes.tensor("value")) {
    auto tensor = node.importer().read(*proto);
    if (!tensor) return error("its value {}", tensor.problem().message);
    return Values{node.constant(tensor->type, tensor->data)};
  }
  auto floats = [&](const std::vector<double>& values, ir::Shape shape) {
    return Values{node.constant({ir::DType::F32, std::move(shape)}, constant_of(ir::DType::F32, values))};
  };
  auto integers = [&](const std::vector<int64_t>& values, ir::Shape shape) {
    return Values{node.constant({ir::DType::I64, std::move(shape)}, constant_of(ir::DType::I64, values))};
  };
  auto length = [](size_t count) { return ir::Shape{static_cast<int64_t>(count)}; };
  if (attributes.has("value_float")) return floats({attributes.number("value_float", 0)}, {});
  if (attributes.has("value_int")) return integers({attributes.integer("value_int", 0)}, {});
  if (attributes.has("value_floats"))
    return floats(attributes.numbers("value_floats"), length(attributes.numbers("value_floats").size()));
  if (attributes.has("value_ints"))
    return integers(attributes.integers("value_ints"), length(attributes.integers("value_ints").size()));
  return error("it has no value of a supported kind; dense tensors and numbers would work");
}

}  // namespace hone::import
