#include <algorithm>

#include "import/map/contraction/contraction_internal.h"
#include "import/map/window/window_internal.h"
#include "import/node_internal.h"

namespace hone::import {

Result<ValueId> matrix_product(Node& node, ValueId a, ValueId b) {
  size_t rank_a = node.type_of(a).shape.size(), rank_b = node.type_of(b).shape.size();
  if (rank_a == 0 || rank_b == 0) return error("it takes no scalars");
  HONE_PASS(node.match(b, rank_b == 1 ? 0 : rank_b - 2, a, rank_a - 1));
  for (size_t d = 3; d <= std::min(rank_a, rank_b); ++d) {
    const auto &x = node.type_of(a).shape[rank_a - d], &y = node.type_of(b).shape[rank_b - d];
    if (node.must_equal_each_other(x, y)) HONE_PASS(node.match(a, rank_a - d, b, rank_b - d));
  }
  return node.emit(OpKind::MatMul, {a, b});
}

Result<Values> map_matmul(Node& node) {
  return Node::single(matrix_product(node, node.input(0), node.input(1)));
}

Result<Values> map_gemm(Node& node) {
  if (node.rank(0) != 2 || node.rank(1) != 2)
    return error("its operands have ranks {} and {}; 2 is needed", node.rank(0), node.rank(1));
  Attributes& attributes = node.attributes();
  int64_t turn_a = attributes.integer("transA", 0), turn_b = attributes.integer("transB", 0);
  Values values = node.inputs();
  HONE_PASS(node.match(values[1], turn_b ? 1 : 0, values[0], turn_a ? 0 : 1));
  AttributeMap map{{"alpha", attributes.number("alpha", 1)},
                   {"beta", attributes.number("beta", 1)},
                   {"transA", turn_a},
                   {"transB", turn_b}};
  if (node.has(2)) {
    size_t rank = node.rank(2), columns = turn_b ? 0 : 1, rows = turn_a ? 1 : 0;
    if (rank > 0 && node.must_equal(node.shape(2)[rank - 1], node.shape(1)[columns]))
      HONE_PASS(node.match_open(values[1], columns, values[2], rank - 1));
    if (rank == 2 && node.must_equal(node.shape(2)[0], node.shape(0)[rows]))
      HONE_PASS(node.match_open(values[0], rows, values[2], 0));
  }
  return Node::single(node.emit(OpKind::Gemm, values, map));
}

Result<ValueId> convolution(Node& node, ValueId x, ValueId w, ValueId bias) {
  const ir::Shape shape = node.type_of(x).shape, weight = node.type_of(w).shape;
  if (shape.size() < 3 || weight.size() != shape.size())
    return error("its operands have ranks {} and {}; equal ones of at least 3 are needed", shape.size(), weight.size());
  std::vector<int64_t> kernel;
  for (size_t d = 2; d < weight.size(); ++d) {
    if (!weight[d].constant()) return error("the size of its window is known only at run time");
    kernel.push_back(*weight[d].constant());
  }
  if (node.attributes().integers("kernel_shape", kernel) != kernel)
    return error("kernel_shape differs from the weight's shape");
  HONE_TRY(AttributeMap map, window_attributes(node, kernel));
  HONE_TRY(x, with_open_pads(node, x, kernel, 0));
  int64_t group = node.attributes().integer("group", 1);
  map["group"] = group;
  if (group == 1) HONE_PASS(node.match_open(w, 1, x, 1));
  if (bias != ir::kAbsent) HONE_PASS(node.match_open(w, 0, bias, 0));
  Values operands{x, w};
  if (bias != ir::kAbsent) operands.push_back(bias);
  return node.emit(OpKind::Conv, operands, map);
}

Result<Values> map_conv(Node& node) {
  return Node::single(convolution(node, node.input(0), node.input(1), node.input(2)));
}

namespace {

// Pads of a transposed convolution from the size of its result: what is too much goes at both ends, what is missing is
// added at the end.
Status fit_output(Node& node, const std::vector<int64_t>& wanted, bool more_at_end, AttributeMap& map) {
  auto integers = [&](const char* name) -> std::vector<int64_t>& { return std::get<std::vector<int64_t>>(map[name]); };
  size_t spatial = node.rank(0) - 2;
  integers("pads").resize(2 * spatial);
  for (size_t i = 0; i < spatial; ++i) {
    int64_t stride = integers("strides")[i], extra = integers("output_padding")[i];
    ir::Index reach = (node.shape(1)[i + 2] - 1) * integers("dilations")[i] + 1, in = node.shape(0)[i + 2];
    ir::Index out = wanted.empty() ? in * stride : ir::Index(wanted[i]);
    auto total = ((in - 1) * stride + extra + reach - out).constant();
    if (!total) return error("output_shape on the run-time size {}; explicit pads would work", in.text());
    int64_t cut = std::max<int64_t>(*total, 0);
    integers("pads")[i] = more_at_end ? cut / 2 : cut - cut / 2;
    integers("pads")[i + spatial] = cut - integers("pads")[i];
    integers("output_padding")[i] = extra + std::max<int64_t>(-*total, 0);
  }
  return Done{};
}

}  // namespace

Result<Values> map_conv_transpose(Node& node) {
  size_t rank = node.rank(0);
  if (rank < 3 || node.rank(1) != rank) return error("its operands have ranks {} and {}", rank, node.rank(1));
  Attributes& attributes = node.attributes();
  size_t spatial = rank - 2;
  std::string auto_pad = attributes.text("auto_pad", "NOTSET");
  AttributeMap map{{"strides", attributes.integers("strides", std::vector<int64_t>(spatial, 1))},
                   {"dilations", attributes.integers("dilations", std::vector<int64_t>(spatial, 1))},
                   {"pads", attributes.integers("pads", std::vector<int64_t>(2 * spatial, 0))},
                   {"output_padding", attributes.integers("output_padding", std::vector<int64_t>(spatial, 0))},
                   {"group", attributes.integer("group", 1)}};
  bool same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  if (!same && auto_pad != "NOTSET" && auto_pad != "VALID") return error("auto_pad '{}' is unknown", auto_pad);
  std::vector<int64_t> wanted = attributes.integers("output_shape");
  if (wanted.size() == rank) wanted.erase(wanted.begin(), wanted.begin() + 2);
  for (const char* name : {"strides", "dilations", "output_padding"})
    if (std::get<std::vector<int64_t>>(map[name]).size() != spatial || (!wanted.empty() && wanted.size() != spatial))
      return error("strides, dilations, output_padding and output_shape do not fit {} spatial dimensions", spatial);
  if (same || !wanted.empty()) HONE_PASS(fit_output(node, wanted, auto_pad == "SAME_UPPER", map));
  Values values = node.inputs();
  HONE_PASS(node.match_open(values[1], 0, values[0], 1));
  if (node.has(2) && attributes.integer("group", 1) == 1) HONE_PASS(node.match_open(values[1], 1, values[2], 0));
  return Node::single(node.emit(OpKind::ConvTranspose, values, map));
}

}  // namespace hone::import
