// The part of Body that reads memory: one element, a run, every other element, a gather, or squares that are turned.
#include <algorithm>
#include <set>

#include "lower/body.h"
#include "lower/transpose.h"

namespace hone::lower {

using namespace ir::loop;
using ir::Index;

Expr Body::load(const ir::Stmt& stmt, const ir::Access& access, const Place& place, const Point& point) {
  ir::DType type = kernel_.place_type(access.operand);
  if (!varies_by_lane(place.offset, place.vectors) && (!place.inside || place.inside->type.lanes == 1)) {
    if (!place.inside) return ir::loop::load(access.operand, type, 1, emitter_.offset(place.offset));
    // A branch, because memory outside must not be touched.
    std::string name = emitter_.fresh("bordered");
    emitter_.append(assign(name, constant_value(ir::constant(type, access.border.fill))));
    emitter_.branch(place.inside, [&] {
      emitter_.append(assign(name, ir::loop::load(access.operand, type, 1, emitter_.scalar(place.offset))));
    });
    return variable(name, {type, 1});
  }
  Expr mask = point.mask;
  if (place.inside) {
    Expr inside = broadcast(place.inside, point.lanes);
    mask = mask ? emitter_.let("mask", binary(BinaryOp::And, mask, inside)) : inside;
  }
  auto linear = place.offset.linear_in(kLane);
  bool contiguous = place.vectors.empty() && linear && linear->first.is(1);
  Expr value;
  if (contiguous) {
    bool unmasked = !place.inside && addresses_.is_tile(access.operand);
    Expr offset = emitter_.offset(linear->second);
    fetch_behind(access.operand, offset);
    value = load_run(access.operand, point.lanes, offset, unmasked ? nullptr : mask);
  } else if (place.vectors.empty() && linear && linear->first.is(2) && point.lanes % 2 == 0) {
    if (!mask) value = load_shared_alternate(stmt, access, linear->second, point);
    if (!value) value = load_alternate(access.operand, type, linear->second, point.lanes, mask);
  } else {
    value = gather(access.operand, type, emitter_.lanes(place.offset, point.lanes, place.vectors), mask);
  }
  if (!place.inside || (access.border.fill == 0)) return value;
  Expr fill = broadcast(constant_value(ir::constant(type, access.border.fill)), point.lanes);
  return select(broadcast(place.inside, point.lanes), value, fill);
}

Expr Body::load_run(int place, int lanes, const Expr& offset, const Expr& mask) {
  const ir::DType type = kernel_.place_type(place);
  return !mask && addresses_.is_alone(place) ? load_alone(place, type, lanes, offset)
                                             : ir::loop::load(place, type, lanes, offset, mask);
}

void Body::fetch_behind(int place, const Expr& offset) {
  if (auto ahead = ahead_.find(place); ahead != ahead_.end())
    emitter_.append(prefetch(place, binary(BinaryOp::Add, offset, int_constant(ahead->second, offset->type))));
}

std::string Body::load_key(int operand, const Index& offset, const Point& point) {
  return fmt::format("{}[{}]{}{}", operand, offset.text(), point.lanes, point.mask ? point.mask->name : "");
}

// Vectors that are strided along the lanes and contiguous across them, for all points across at once.
bool Body::load_across(const ir::Stmt& stmt, const ir::Access& access, const Place& place, const Point& point) {
  if (point.across.empty() || place.inside || !place.vectors.empty()) return false;
  auto along = place.offset.linear_in(kLane);
  if (!along || along->first.is(0) || along->first.is(1)) return false;
  Point next = point;
  next.values.at(point.across) = next.values.at(point.across) + 1;
  if (!(locate(stmt, access, next).offset == place.offset + 1)) return false;
  const Index first = place.offset - point.position;
  const std::vector<Expr> columns = load_square(access.operand, first, point);
  for (int u = 0; u < point.lanes; ++u)
    loads_[load_key(access.operand, first + u, point)] = columns[static_cast<size_t>(u)];
  return true;
}

// The rows as they lie, turned.
std::vector<Expr> Body::load_square(int operand, const Index& first, const Point& point) {
  std::vector<Expr> rows;
  for (int lane = 0; lane < point.lanes; ++lane) {
    Expr alive = point.mask ? broadcast(extract(point.mask, lane), point.lanes) : nullptr;
    Expr offset = emitter_.offset(first.substitute({{kLane, Index(lane)}}));
    fetch_behind(operand, offset);
    rows.push_back(emitter_.let("row", load_run(operand, point.lanes, offset, alive)));
  }
  return transposed(emitter_, std::move(rows));
}

// Whether the next tap of a window reads the neighbour of each element that this one reads, all of them inside the operand.
bool Body::reads_neighbours_next(const ir::Stmt& stmt, const ir::Access& access, const Index& first,
                                 const Point& point) {
  std::set<std::string> axes;
  for (const Index& index : access.index)
    for (const std::string& axis : index.axes()) axes.insert(axis);
  return std::any_of(axes.begin(), axes.end(), [&](const std::string& axis) {
    const auto value = point.values.find(axis);
    const auto tap = value == point.values.end() ? std::nullopt : value->second.constant();
    if (!tap || *tap + 1 >= kernel_.extent(axis).constant().value_or(0)) return false;
    Point next = point;
    next.values.at(axis) = *tap + 1;
    const Place place = locate(stmt, access, next);
    return !place.inside && place.vectors.empty() && place.offset == first + 1 + Index::axis(kLane) * 2;
  });
}

// Every other element of two neighbouring vectors, of which the next tap of the window takes the others; null where there is none.
Expr Body::load_shared_alternate(const ir::Stmt& stmt, const ir::Access& access, const Index& first,
                                 const Point& point) {
  auto key = [&](const Index& at) { return load_key(access.operand, at, point) + " shared"; };
  auto every_other = [&](const Index& from, int odd) {
    std::vector<int> taken;
    for (int lane = 0; lane < point.lanes; ++lane) taken.push_back(2 * lane + odd);
    return shuffle(loads_.at(key(from)), loads_.at(key(from + point.lanes)), taken);
  };
  if (loads_.contains(key(first - 1)) && loads_.contains(key(first - 1 + point.lanes)))
    return every_other(first - 1, 1);
  if (!reads_neighbours_next(stmt, access, first, point)) return nullptr;
  for (const Index& at : {first, first + point.lanes})
    loads_[key(at)] = emitter_.let(
        "both", ir::loop::load(access.operand, kernel_.place_type(access.operand), point.lanes, emitter_.offset(at)));
  return every_other(first, 0);
}

// Every other element: the even ones of a vector and the odd ones of another that ends with the last, so that nothing outside
// is touched. A mask lets through nothing in between.
Expr Body::load_alternate(int buffer, ir::DType type, const Index& first, int lanes, const Expr& mask) {
  const int half = lanes / 2;
  std::vector<int> taken, low, high;
  for (int lane = 0; lane < lanes; ++lane) {
    taken.push_back(lane < half ? 2 * lane : 2 * lane + 1);
    low.push_back(lane % 2 == 0 ? lane / 2 : lanes);
    high.push_back(lane % 2 == 1 ? half + lane / 2 : lanes);
  }
  auto part = [&](const Index& at, const std::vector<int>& alive) {
    Expr own = mask ? emitter_.let("mask", shuffle(mask, int_constant(0, mask->type), alive)) : nullptr;
    return emitter_.let("part", ir::loop::load(buffer, type, lanes, emitter_.offset(at), own));
  };
  Expr begin = part(first, low);
  return shuffle(begin, part(first + (lanes - 1), high), taken);
}

}  // namespace hone::lower
