#include "lower/body.h"

#include <algorithm>
#include <limits>

namespace hone::lower {

using namespace ir::loop;
using ir::Index;
using ir::Scalar;
using ir::ScalarNode;

void match_lanes(Expr& a, Expr& b) {
  int wide = std::max(a->type.lanes, b->type.lanes);
  a = broadcast(a, wide);
  b = broadcast(b, wide);
}

Expr combined(ir::Combine combine, Expr a, Expr b) {
  match_lanes(a, b);
  switch (combine) {
    case ir::Combine::Sum:
      return binary(a->type.element == ir::DType::Bool ? BinaryOp::Or : BinaryOp::Add, a, b);
    case ir::Combine::Prod:
      return binary(BinaryOp::Mul, a, b);
    case ir::Combine::Max:
      return binary(BinaryOp::Max, a, b);
    case ir::Combine::Min:
      return binary(BinaryOp::Min, a, b);
    case ir::Combine::MaxNumber:
      return select(binary(BinaryOp::Less, a, b), b, a);
    case ir::Combine::None:
      break;
  }
  HONE_CHECK(false, "no combination");
}

Expr identity_value(ir::Combine combine, ir::DType type, int lanes) {
  VectorType wide{type, lanes};
  if (ir::is_float(type)) return float_constant(ir::identity_of(combine), wide);
  if (type == ir::DType::Bool) return int_constant(ir::identity_of(combine) > 0 ? 1 : 0, wide);
  return int_constant(ir::constant(type, ir::identity_of(combine))->integer, wide);
}

Expr constant_value(const Scalar& constant) {
  if (ir::is_float(constant->type)) return float_constant(constant->number, {constant->type, 1});
  return int_constant(constant->type == ir::DType::Bool ? constant->number != 0 : constant->integer,
                      {constant->type, 1});
}

Expr Body::register_value(const std::string& name, const std::string& key) const {
  auto found = registers_.find(name + "@" + key);
  HONE_CHECK(found != registers_.end(), "register {} is read before it is written in kernel {}", name, kernel_.name);
  return found->second;
}

void Body::learn_signs(const ir::Group& group) {
  needless_ = needless_minimums(kernel_, group);
  for (const auto* stmts : {&group.inner, &group.outer})
    for (const ir::Stmt& stmt : *stmts)
      if (stmt.at.empty() && stmt.combine == ir::Combine::None && sign_of(stmt.body) == Sign::NotPositive)
        not_positive_.insert(stmt.result);
}

Sign Body::sign_of_argument(const ir::Stmt& stmt, const Scalar& argument) const {
  if (argument->kind != ScalarNode::Kind::Access) return sign_of(argument);
  int place = stmt.accesses[static_cast<size_t>(argument->access)].operand;
  return not_positive_.contains(kernel_.place_name(place)) ? Sign::NotPositive : Sign::Any;
}

Expr Body::value(const ir::Stmt& stmt, const Point& point) {
  return argument(stmt, stmt.body, point);
}

Expr Body::argument(const ir::Stmt& stmt, const Scalar& part, const Point& point) {
  std::map<const ScalarNode*, Expr> done;
  return scalar_value(stmt, part, point, done);
}

Expr Body::scalar_value(const ir::Stmt& stmt, const Scalar& scalar, const Point& point,
                        std::map<const ScalarNode*, Expr>& done) {
  if (auto found = done.find(scalar.get()); found != done.end()) return found->second;
  Expr result;
  switch (scalar->kind) {
    case ScalarNode::Kind::Constant:
      result = constant_value(scalar);
      break;
    case ScalarNode::Kind::Access:
      result = access(stmt, scalar->access, point);
      break;
    case ScalarNode::Kind::IndexValue: {
      std::map<std::string, Expr> vectors;
      Index index = bind_reads(stmt, scalar->index, point, vectors).substitute(point.values);
      auto linear = vectors.empty() ? index.linear_in(kLane) : std::nullopt;
      if (linear && linear->first.constant() && !linear->first.is(0) && point.lanes > 1) {
        // Lanes in the type itself: half as many registers as in I64.
        Expr base = broadcast(convert(emitter_.scalar(linear->second), scalar->type), point.lanes);
        Expr steps = convert(ramp(point.lanes), scalar->type);
        VectorType wide{scalar->type, point.lanes};
        int64_t step = *linear->first.constant();
        Expr factor =
            ir::is_float(scalar->type) ? float_constant(static_cast<double>(step), wide) : int_constant(step, wide);
        result = binary(BinaryOp::Add, base, step == 1 ? steps : binary(BinaryOp::Mul, steps, factor));
      } else {
        result = convert(index_expr(index, point, vectors), scalar->type);
      }
      break;
    }
    case ScalarNode::Kind::Cast: {
      Expr from = scalar_value(stmt, scalar->args[0], point, done);
      if (scalar->type == ir::DType::Bool && from->type.element != ir::DType::Bool) {
        Expr zero = ir::is_float(from->type.element) ? float_constant(0, from->type) : int_constant(0, from->type);
        result = binary(BinaryOp::NotEqual, from, zero);
      } else {
        result = convert(from, scalar->type);
      }
      break;
    }
    case ScalarNode::Kind::Bits:
      result = bitcast(scalar_value(stmt, scalar->args[0], point, done), scalar->type);
      break;
    case ScalarNode::Kind::Operation: {
      if (settled_.contains(scalar.get())) return done[scalar.get()] = scalar_value(stmt, scalar->args[1], point, done);
      if (needless_.contains(scalar.get()))
        return done[scalar.get()] = scalar_value(stmt, scalar->args[0], point, done);
      std::vector<Expr> args;
      int wide = 1;
      for (const Scalar& arg : scalar->args) {
        args.push_back(scalar_value(stmt, arg, point, done));
        wide = std::max(wide, args.back()->type.lanes);
      }
      for (Expr& arg : args) arg = broadcast(arg, wide);
      Sink sink([&](Expr e) { return emitter_.let("t", std::move(e)); });
      result = expand(scalar->op, args, sink, sign_of_argument(stmt, scalar->args.back()));
      break;
    }
  }
  result = emitter_.let("t", result);
  done[scalar.get()] = result;
  return result;
}

bool Body::varies_by_lane(const Index& index, const std::map<std::string, Expr>& vectors) const {
  for (const std::string& name : index.axes())
    if (name == kLane || vectors.contains(name)) return true;
  return false;
}

Expr Body::index_expr(const Index& index, const Point& point, const std::map<std::string, Expr>& vectors) {
  return varies_by_lane(index, vectors) ? emitter_.lanes(index, point.lanes, vectors) : emitter_.scalar(index);
}

Index Body::bind_reads(const ir::Stmt& stmt, const Index& index, const Point& point,
                       std::map<std::string, Expr>& vectors) {
  if (!index.uses_read()) return index;
  return index.replace_reads([&](int slot) {
    Expr read = emitter_.let("read", convert(access(stmt, slot, point), ir::DType::I64));
    if (read->kind == ExprKind::IntConstant) return Index(read->integer);
    if (read->type.lanes > 1) vectors[read->name] = read;
    return Index::axis(read->name);
  });
}

// Which lanes lie inside; null if all do. Lanes at even steps are inside from one on and up to another, and a mask that counts
// lanes costs less than one that compares positions.
Expr Body::inside_extent(const Index& position, const Index& extent, const Point& point,
                         const std::map<std::string, Expr>& vectors) {
  const std::string key = fmt::format("{} in {}", position.text(), extent.text());
  if (auto found = insides_.find(key); found != insides_.end()) return found->second;
  auto linear = vectors.empty() ? position.linear_in(kLane) : std::nullopt;
  auto step = linear ? linear->first.constant() : std::nullopt;
  Expr inside;
  if (step.value_or(0) > 0) {
    Index from = ir::ceil_div(-linear->second, *step), to = ir::ceil_div(extent - linear->second, *step);
    if (to.constant().value_or(0) < point.lanes) inside = tail_mask(emitter_.scalar(to), point.lanes);
    if (from.constant().value_or(1) > 0) {
      Expr after = unary(UnaryOp::Not, tail_mask(emitter_.scalar(from), point.lanes));
      inside = inside ? binary(BinaryOp::And, inside, after) : after;
    }
  } else {
    Expr at = index_expr(position, point, vectors);
    int wide = at->type.lanes;
    Expr low = binary(BinaryOp::LessEqual, int_constant(0, {ir::DType::I64, wide}), at);
    inside = binary(BinaryOp::And, low, binary(BinaryOp::Less, at, broadcast(emitter_.scalar(extent), wide)));
    if (inside->kind == ExprKind::IntConstant && inside->integer != 0) inside = nullptr;
  }
  if (inside) inside = emitter_.let("inside", inside);
  return insides_[key] = inside;
}

Body::Place Body::locate(const ir::Stmt& stmt, const ir::Access& access, const Point& point) {
  Place place;
  std::vector<Index> index;
  for (const Index& part : access.index) index.push_back(bind_reads(stmt, part, point, place.vectors));
  using Rule = ir::Border::Rule;
  if (access.border.rule != Rule::None) {
    const ir::Shape shape = place_shape(kernel_, access.operand);
    auto [dims, fresh] = border_dims_.try_emplace(&stmt);
    if (fresh) dims->second = border_dims(kernel_, stmt);
    for (const BorderDim& border : dims->second) {
      if (&stmt.accesses[static_cast<size_t>(border.access)] != &access) continue;
      if (bordered_ == &stmt && std::find(trusted_.begin(), trusted_.end(), border) != trusted_.end()) continue;
      Index& at = index[border.dim];
      const Index& extent = shape[border.dim];
      switch (access.border.rule) {
        case Rule::None:
          break;
        case Rule::Clamp:
          at = ir::min(ir::max(at, 0), extent - 1);
          break;
        case Rule::Reflect: {
          // A wave, not one reflection: the border may be wider than the operand.
          Index period = ir::max(2 * (extent - 1), 1);
          Index within = ir::mod(at, period);
          at = ir::min(within, period - within);
          break;
        }
        case Rule::Wrap:
          at = ir::mod(at, extent);
          break;
        case Rule::Fill: {
          Expr both = inside_extent(at.substitute(point.values), extent, point, place.vectors);
          if (both && place.inside) {
            match_lanes(place.inside, both);
            both = emitter_.let("inside", binary(BinaryOp::And, place.inside, both));
          }
          if (both) place.inside = both;
        }
      }
    }
  }
  ir::Ranges ranges;
  ranges.insert_or_assign(kLane, ir::IndexRange{0, point.lanes - 1});
  place.offset = addresses_.offset(access.operand, index, point.values).simplify(ranges);
  return place;
}

Expr Body::access(const ir::Stmt& stmt, int number, const Point& point) {
  const ir::Access& access = stmt.accesses[static_cast<size_t>(number)];
  int first_register = static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size());
  if (access.operand >= first_register) return register_value(kernel_.place_name(access.operand), point.key);
  Place place = locate(stmt, access, point);
  std::string key = load_key(access.operand, place.offset, point);
  if (place.inside) key += fmt::format(" inside {}{}", place.inside->name, place.inside->integer);
  if (auto found = loads_.find(key); found != loads_.end()) return found->second;
  if (load_across(stmt, access, place, point)) return loads_.at(key);
  return loads_[key] = emitter_.let("v", load(stmt, access, place, point));
}

}  // namespace hone::lower
