#include "import/map/steps_internal.h"

namespace hone::import {

// Place s of the cache takes element s - start of the update if there is one; in a ring the difference wraps around.
Result<Values> map_tensor_scatter(Node& node) {
  size_t rank = node.rank(0);
  HONE_TRY(int axis, normal_axis(node.attributes().integer("axis", -2), rank));
  if (axis == 0) return error("its axis is the batch; another would work");
  if (node.rank(1) != rank) return error("its operands have ranks {} and {}", rank, node.rank(1));
  std::string mode = node.attributes().text("mode", "linear");
  if (mode != "linear" && mode != "circular") return error("its mode '{}' is unknown; linear and circular are", mode);
  ValueId update = node.input(1), starts = node.input(2);
  size_t d = static_cast<size_t>(axis);
  for (size_t k = 0; k < rank; ++k)
    if (k != d) HONE_PASS(node.match(node.input(0), k, update, k));
  if (node.has(2) && node.rank(2) != 1) return error("its write_indices have rank {}, not 1", node.rank(2));
  if (node.has(2)) HONE_PASS(node.match(node.input(0), 0, starts, 0));
  ir::Shape shape = node.shape(0), per_batch(rank, Index(1));
  per_batch[0] = shape[0];
  Index length = node.type_of(update).shape[d];
  Steps steps(node);
  ValueId place = steps.positions(shape[d], rank - 1 - d), zero = steps.number(DType::I64, 0);
  ValueId from = node.has(2) ? steps.sub(place, steps.reshape(starts, per_batch)) : place;
  ValueId capacity = steps.size(shape[d]);
  if (mode == "circular") from = steps.op(OpKind::Mod, {from, capacity}, {{"fmod", int64_t{0}}});
  ValueId written = steps.op(OpKind::And, {steps.op(OpKind::GreaterOrEqual, {from, zero}),
                                           steps.op(OpKind::Less, {from, steps.size(length)})});
  ValueId source = steps.where(written, steps.add(from, capacity), place);
  ValueId all = steps.concat({node.input(0), update}, axis);
  return steps.done({steps.op(OpKind::GatherElements, {all, steps.expand(source, shape)}, {{"axis", int64_t{axis}}})});
}

}  // namespace hone::import
