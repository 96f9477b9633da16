// The part of Body that writes memory: one element, a run, lane by lane, or pieces of vectors that are turned.
#include <algorithm>

#include "lower/body.h"
#include "lower/transpose.h"

namespace hone::lower {

using namespace ir::loop;
using ir::Index;

Body::Place Body::place_of_store(const ir::Stmt& stmt, const Point& point) {
  ir::Access target;
  target.operand = kernel_.place_of(stmt.result);
  target.index = stmt.at;
  return locate(stmt, target, point);
}

void Body::forget_loads_of(int place) {
  std::erase_if(loads_, [&](const auto& entry) { return entry.first.starts_with(fmt::format("{}[", place)); });
}

Statement Body::store_run(int place, const Expr& offset, const Expr& value, const Expr& mask) const {
  if (!mask && addresses_.is_streamed(place)) return stream(place, offset, value);
  if (!mask && addresses_.is_alone(place)) return store_alone(place, offset, value);
  return ir::loop::store(place, offset, value, mask);
}

void Body::store(const ir::Stmt& stmt, const Point& point, Expr value) {
  const int place_number = kernel_.place_of(stmt.result);
  forget_loads_of(place_number);
  Place place = place_of_store(stmt, point);
  if (point.lanes == 1) {
    emitter_.append(ir::loop::store(place_number, emitter_.offset(place.offset), value));
    return;
  }
  value = broadcast(value, point.lanes);
  auto linear = place.offset.linear_in(kLane);
  if (place.vectors.empty() && linear && linear->first.is(1)) {
    Expr offset = emitter_.offset(linear->second);
    emitter_.append(store_run(place_number, offset, value, point.mask));
    return;
  }
  // No scatter in the Loop IR: lane by lane.
  Expr held = emitter_.let("scattered", value);
  for (int lane = 0; lane < point.lanes; ++lane) {
    Index at = place.offset.substitute({{kLane, Index(lane)}});
    auto one = [&] { emitter_.append(ir::loop::store(place_number, emitter_.scalar(at), extract(held, lane))); };
    if (point.mask)
      emitter_.branch(extract(point.mask, lane), one);
    else
      one();
  }
}

bool Body::stores_across(const ir::Stmt& stmt, const Point& point, const Point& next) {
  if (stmt.at.empty() || point.lanes == 1 || next.lanes != point.lanes ||
      std::any_of(stmt.at.begin(), stmt.at.end(), [](const Index& index) { return index.uses_read(); }))
    return false;
  const Index offset = place_of_store(stmt, point).offset;
  auto lanes = offset.linear_in(kLane);
  return lanes && !lanes->first.is(1) && !lanes->first.is(0) && place_of_store(stmt, next).offset == offset + 1;
}

void Body::store_across(const ir::Stmt& stmt, std::span<const Point> points, std::vector<Expr> values) {
  const int place_number = kernel_.place_of(stmt.result), lanes = points[0].lanes;
  const int piece = lanes_of_piece(stmt.body->type);
  bool turns = piece > 1 && static_cast<size_t>(piece) == points.size() && lanes >= piece;
  for (size_t k = 0; turns && k < points.size(); ++k)
    turns = !points[k].mask && (k == 0 || stores_across(stmt, points[k - 1], points[k]));
  if (!turns) {
    for (size_t k = 0; k < points.size(); ++k) store(stmt, points[k], values[k]);
    return;
  }
  forget_loads_of(place_number);
  const Index offset = place_of_store(stmt, points[0]).offset;
  for (Expr& value : values) value = emitter_.let("across", broadcast(value, lanes));
  const std::vector<Expr> turned = turned_in_pieces(emitter_, std::move(values));
  for (int lane = 0; lane < lanes; ++lane) {
    std::vector<int> taken;
    for (int k = 0; k < piece; ++k) taken.push_back(lane / piece * piece + k);
    const Expr& vector = turned[static_cast<size_t>(lane % piece)];
    emitter_.append(ir::loop::store(place_number, emitter_.scalar(offset.substitute({{kLane, Index(lane)}})),
                                    shuffle(vector, vector, std::move(taken))));
  }
}

}  // namespace hone::lower
