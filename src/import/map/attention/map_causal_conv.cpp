#include "import/map/steps_internal.h"

namespace hone::import {

namespace {

Status check_causal_conv(Node& node) {
  if (node.rank(0) != 3 || node.rank(1) != 3)
    return error("its operands have ranks {} and {}; 3 is needed", node.rank(0), node.rank(1));
  if (node.has(3) && node.rank(3) != 3) return error("its past_state has rank {}, not 3", node.rank(3));
  if (!node.shape(1)[2].constant() || *node.shape(1)[2].constant() < 1)
    return error("the length {} of its window must be a positive number", node.shape(1)[2].text());
  if (!node.shape(1)[0].constant()) return error("its {} channels are known only at run time", node.shape(1)[0].text());
  return Done{};
}

// In f32, so that the product of halves is rounded once.
ValueId silu(Steps& steps, ValueId x, DType type) {
  ValueId wide = steps.cast(x, DType::F32);
  return steps.cast(steps.mul(wide, steps.op(OpKind::Sigmoid, {wide})), type);
}

}  // namespace

Result<Values> map_causal_conv(Node& node) {
  HONE_PASS(check_causal_conv(node));
  std::string activation = node.attributes().text("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish")
    return error("its activation '{}' is unknown; none, silu and swish are known", activation);
  int64_t window = *node.shape(1)[2].constant(), channels = *node.shape(1)[0].constant();
  ValueId x = node.input(0), past = node.input(3);
  HONE_PASS(node.match(node.input(1), 0, x, 1));
  if (node.has(3)) {
    for (size_t d : {0, 1}) HONE_PASS(node.match(x, d, past, d));
    if (provably_different(node.shape(3)[2], window - 1))
      return error("its past_state has length {}, not {}", node.shape(3)[2].text(), window - 1);
    node.importer().equate(node.shape(3)[2], window - 1);
    ir::Shape shape = node.type_of(past).shape;
    shape[2] = window - 1;
    HONE_TRY(past, node.reshape(past, shape));
  }
  Steps steps(node);
  std::vector<int64_t> before{0, 0, window - 1, 0, 0, 0};
  ValueId whole = node.has(3) ? steps.concat({past, x}, 2)
                              : steps.op(OpKind::Pad, {x}, {{"pads", before}, {"mode", std::string("constant")}});
  Values operands{whole, node.input(1)};
  if (node.has(2)) operands.push_back(node.input(2));
  ValueId result = steps.op(OpKind::Conv, operands, {{"group", channels}});
  if (activation != "none") result = silu(steps, result, node.type(0).dtype);
  ValueId state = steps.slice(whole, 2, window > 1 ? 1 - window : 0, window - 1);
  return steps.done({result, state});
}

}  // namespace hone::import
