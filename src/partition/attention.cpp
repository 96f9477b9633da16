#include "partition/attention.h"

#include <algorithm>
#include <cstring>

#include "partition/cluster.h"

namespace hone::partition {
namespace {

using ir::Combine;
using ir::Index;
using ir::Indexed;
using ir::MeaningKind;
using ir::ScalarOp;
using ir::ValueId;

constexpr int64_t kFewestQueries = 8;  // vectors run along them

bool uses(const Coordinate& at, const std::string& axis) {
  return std::any_of(at.begin(), at.end(), [&](const Index& index) { return index.uses_axis(axis); });
}

bool is_access(const ir::Scalar& scalar) {
  return scalar->kind == ir::ScalarNode::Kind::Access;
}

bool is_operation(const Indexed& meaning, ScalarOp op) {
  return meaning.body->kind == ir::ScalarNode::Kind::Operation && meaning.body->op == op &&
         std::all_of(meaning.body->args.begin(), meaning.body->args.end(), is_access);
}

bool is_product(const Indexed& meaning) {
  return meaning.combine == Combine::Sum && meaning.type == ir::DType::F32 && is_operation(meaning, ScalarOp::Mul) &&
         meaning.accesses.size() == 2 && meaning.reduce.size() == 1;
}

class Matcher {
 public:
  Matcher(const Flow& flow, const std::vector<Indexed>& meanings, int weighted, NamedAxes axes)
      : flow_(flow), meanings_(meanings), named_(std::move(axes)) {
    found_.attention.weighted = weighted;
    found_.axes = named_;
    found_.members[weighted] = named_.place;
  }

  // An axis to split before another attempt: a reshape on the way cuts it in two.
  const std::optional<Split>& wanted_split() const { return split_; }

  std::optional<AttentionMatch> run() {
    const Indexed& product = meaning(found_.attention.weighted);
    if (product.finish || named_.cols.size() != 1 || named_.cols[0].extent.is(0)) return std::nullopt;
    found_.attention.key = named_.cols[0].name;
    std::vector<ir::Axis> axes = named_.rows;
    axes.push_back(named_.cols[0]);
    ranges_ = ranges_of(axes);
    Coordinate at;
    for (const ir::Axis& axis : product.axes) at.push_back(named_.place.at(axis.name));
    found_.values[flow_.op(found_.attention.weighted).outputs[0]] = at;
    for (size_t shares = 0; shares < 2; ++shares) {
      AttentionMatch before = found_;
      Reading of_shares = reading(found_.attention.weighted, shares),
              of_values = reading(found_.attention.weighted, 1 - shares);
      if (find_roles(of_shares.at, of_values.at) && take_softmax(of_shares) && is_closed()) return std::move(found_);
      found_ = std::move(before);
    }
    return std::nullopt;
  }

 private:
  using Place = std::map<std::string, Index>;
  struct Reading {
    ValueId value = 0;
    Coordinate at;
  };

  const Indexed& meaning(int op) const { return meanings_[static_cast<size_t>(op)]; }

  Coordinate substituted(const std::vector<Index>& index, const Place& place) const {
    Coordinate result;
    for (const Index& one : index) result.push_back(one.substitute(place).simplify(ranges_));
    return result;
  }

  Reading reading(int op, size_t access) const {
    const ir::Access& read = meaning(op).accesses[access];
    return {flow_.op(op).inputs[static_cast<size_t>(read.operand)], substituted(read.index, found_.members.at(op))};
  }

  // What the body's argument reads.
  Reading argument(int op, size_t number) const {
    return reading(op, static_cast<size_t>(meaning(op).body->args[number]->access));
  }

  // Shares move with every row but one, which the values bring; the queries are the innermost that the values lack.
  bool find_roles(const Coordinate& shares, const Coordinate& values) {
    Attention& roles = found_.attention;
    roles.query = roles.element = "";
    for (const ir::Axis& row : named_.rows) {
      bool of_shares = uses(shares, row.name), of_values = uses(values, row.name);
      if (!of_shares && (!of_values || !roles.element.empty())) return false;
      if (!of_shares) roles.element = row.name;
      if (!of_values && row.extent.constant().value_or(kFewestQueries) >= kFewestQueries) roles.query = row.name;
    }
    return !roles.query.empty() && !roles.element.empty() && uses(shares, roles.key) && uses(values, roles.key);
  }

  // Every point of the scores is met: no op on the way widens what it reads.
  bool is_everywhere(const Coordinate& at) const {
    bool indirect = std::any_of(at.begin(), at.end(), [](const Index& index) { return index.uses_read(); });
    if (indirect || !is_affine(at) || !uses(at, found_.attention.key)) return false;
    return std::all_of(named_.rows.begin(), named_.rows.end(),
                       [&](const ir::Axis& row) { return row.name == found_.attention.element || uses(at, row.name); });
  }

  // The op that computes the value, joined at the value's place; views before it are joined too. -1: none that can be.
  int take(Reading& wanted) {
    for (;;) {
      int op = flow_.producer(wanted.value);
      if (op < 0 || !is_affine(wanted.at) || flow_.op(op).outputs.size() != 1 || found_.members.count(op)) return -1;
      if (flow_.kind(op) == MeaningKind::View) {
        if (!is_bijection(op)) return -1;
        found_.values[wanted.value] = wanted.at;
        found_.members[op] = {};
        wanted = {flow_.op(op).inputs[0], backward(flow_.program, flow_.op(op), wanted.at, ranges_)};
        for (const Index& index : wanted.at)
          if (!split_) split_ = find_split(index, named_.rows);
        continue;
      }
      if (flow_.kind(op) != MeaningKind::Indexed) return -1;
      Place place;
      for (size_t d = 0; d < wanted.at.size(); ++d) place[meaning(op).axes[d].name] = wanted.at[d];
      found_.values[wanted.value] = wanted.at;
      found_.members[op] = std::move(place);
      return op;
    }
  }

  int take_operation(Reading wanted, ScalarOp operation) {
    int op = take(wanted);
    bool right = op >= 0 && meaning(op).combine == Combine::None && meaning(op).type == ir::DType::F32 &&
                 is_operation(meaning(op), operation);
    if (!right) return -1;
    found_.attention.softmax.insert(op);
    return op;
  }

  // Written down as a constant or computed by an op without operands.
  bool is_zero(ValueId id) const {
    const ir::Value& value = flow_.value(id);
    if (int op = flow_.producer(id); op >= 0)
      return flow_.kind(op) == MeaningKind::Indexed && meaning(op).body->kind == ir::ScalarNode::Kind::Constant &&
             meaning(op).body->number == 0;
    if (!value.constant || value.type.dtype != ir::DType::F32 || value.constant->bytes != sizeof(float)) return false;
    float number = 1;
    std::memcpy(&number, value.constant->data, sizeof(float));
    return number == 0;
  }

  // A reduction over the keys alone.
  bool take_reduction(Reading wanted, std::set<Combine> combines, const Reading& of) {
    if (uses(wanted.at, found_.attention.key)) return false;
    int op = take(wanted);
    if (op < 0 || !combines.contains(meaning(op).combine) || meaning(op).reduce.size() != 1 || meaning(op).finish ||
        !is_pure_reduction(meaning(op)) || !is_access(meaning(op).body))
      return false;
    found_.members.at(op)[meaning(op).reduce[0].name] = Index::axis(found_.attention.key);
    found_.attention.softmax.insert(op);
    Reading source = reading(op, 0);
    return source.value == of.value && source.at == of.at;
  }

  // Takes `select(is_nan(x), 0, x)` off the shares, if they are that.
  bool take_guard(Reading& shares) {
    int guard = flow_.producer(shares.value);
    if (guard < 0 || flow_.kind(guard) != MeaningKind::Indexed || !is_operation(meaning(guard), ScalarOp::Select))
      return true;
    if (take_operation(shares, ScalarOp::Select) < 0 || !is_zero(operand_of(guard, 1))) return false;
    Reading condition = argument(guard, 0), guarded = argument(guard, 2);
    int asks = take(condition);
    if (asks < 0 || !is_operation(meaning(asks), ScalarOp::IsNan)) return false;
    found_.attention.softmax.insert(asks);
    found_.attention.guarded = true;
    shares = guarded;
    return argument(asks, 0).value == guarded.value;
  }

  // exp(x - max x) / sum of that; the difference may be held below zero.
  bool take_softmax(Reading shares) {
    if (!take_guard(shares) || !is_everywhere(shares.at)) return false;
    int quotient = take_operation(shares, ScalarOp::Div);
    if (quotient < 0) return false;
    Reading grown = argument(quotient, 0);
    if (!take_reduction(argument(quotient, 1), {Combine::Sum}, grown)) return false;
    int exponential = take_operation(grown, ScalarOp::Exp);
    if (exponential < 0) return false;
    Reading shifted = argument(exponential, 0);
    if (int held = flow_.producer(shifted.value);
        held >= 0 && flow_.kind(held) == MeaningKind::Indexed && is_operation(meaning(held), ScalarOp::Min)) {
      if (take_operation(shifted, ScalarOp::Min) < 0 || !is_zero(argument(held, 1).value)) return false;
      shifted = argument(held, 0);
    }
    int difference = take_operation(shifted, ScalarOp::Sub);
    if (difference < 0) return false;
    Reading logits = argument(difference, 0);
    if (!take_reduction(argument(difference, 1), {Combine::Max, Combine::MaxNumber}, logits)) return false;
    found_.attention.logits = logits.value;
    return flow_.program.type(logits.value).dtype == ir::DType::F32 && take_scores(logits);
  }

  // Element-wise ops from the logits back to the contraction.
  bool take_scores(Reading wanted) {
    if (!is_everywhere(wanted.at)) return false;
    int op = take(wanted);
    if (op < 0) return false;
    if (meaning(op).combine != Combine::None) return is_scores(op);
    for (size_t access = 0; access < meaning(op).accesses.size(); ++access) {
      AttentionMatch before = found_;
      if (take_scores(reading(op, access))) return true;
      found_ = std::move(before);
    }
    return false;
  }

  bool is_scores(int op) {
    if (!is_product(meaning(op))) return false;
    Attention& roles = found_.attention;
    roles.scores = op;
    roles.feature = {"d", meaning(op).reduce[0].extent};
    found_.members.at(op)[meaning(op).reduce[0].name] = Index::axis(roles.feature.name);
    ranges_[roles.feature.name] = {0, roles.feature.extent - 1};
    roles.query_side = uses(reading(op, 0).at, roles.query) ? 0 : 1;
    for (size_t side = 0; side < 2; ++side) {
      Coordinate at = reading(op, side).at;
      bool of_queries = static_cast<int>(side) == roles.query_side;
      if (uses(at, roles.query) != of_queries || uses(at, roles.key) == of_queries) return false;
    }
    for (size_t side = 0; side < 2; ++side) take_factor(reading(op, side));
    return true;
  }

  // x * c or x / c, unless what computes x can take it.
  void take_factor(const Reading& scaled) {
    int op = flow_.producer(scaled.value);
    if (op < 0 || flow_.kind(op) != MeaningKind::Indexed || flow_.is_output(scaled.value) ||
        flow_.readers(scaled.value).size() != 1 || meaning(op).type != ir::DType::F32 || !is_affine(scaled.at))
      return;
    bool divides = is_operation(meaning(op), ScalarOp::Div);
    if (!divides && !is_operation(meaning(op), ScalarOp::Mul)) return;
    auto is_number = [&](size_t argument) {
      const ir::Shape& shape = flow_.program.type(operand_of(op, argument)).shape;
      return std::all_of(shape.begin(), shape.end(), [](const Index& extent) { return extent.is(1); });
    };
    size_t number = is_number(1) ? 1 : 0;
    if (!is_number(number) || is_number(1 - number) || (divides && number == 0)) return;
    if (is_computed_here(operand_of(op, 1 - number))) return;
    Place place;
    for (size_t d = 0; d < scaled.at.size(); ++d) place[meaning(op).axes[d].name] = scaled.at[d];
    found_.values[scaled.value] = scaled.at;
    found_.members[op] = std::move(place);
    found_.attention.factors.insert(op);
  }

  ValueId operand_of(int op, size_t argument) const {
    int access = meaning(op).body->args[argument]->access;
    return flow_.op(op).inputs[static_cast<size_t>(meaning(op).accesses[static_cast<size_t>(access)].operand)];
  }

  // By an op whose kernel could take element-wise ops on the value, seen through views that keep all elements.
  bool is_computed_here(ValueId value) const {
    int op = flow_.producer(value);
    while (op >= 0 && is_bijection(op)) op = flow_.producer(flow_.op(op).inputs[0]);
    return op >= 0 && flow_.kind(op) == MeaningKind::Indexed;
  }

  bool is_bijection(int op) const {
    if (flow_.kind(op) != MeaningKind::View) return false;
    size_t rank = flow_.program.type(flow_.op(op).inputs[0]).shape.size();
    return flow_.op(op).kind != ir::OpKind::Concat &&
           forward(flow_.program, flow_.op(op), Coordinate(rank), {}).has_value();
  }

  // Nothing but members reads a value on the way, and only where it is computed.
  bool is_closed() const {
    for (const auto& [value, at] : found_.values) {
      if (flow_.producer(value) == found_.attention.weighted) continue;
      if (flow_.is_output(value)) return false;
      for (int reader : flow_.readers(value))
        if (!found_.members.count(reader)) return false;
    }
    for (const auto& [op, place] : found_.members) {
      if (flow_.kind(op) != MeaningKind::Indexed) continue;
      for (const auto* accesses : {&meaning(op).accesses, &meaning(op).after})
        for (const ir::Access& access : *accesses) {
          auto value = found_.values.find(flow_.op(op).inputs[static_cast<size_t>(access.operand)]);
          if (value == found_.values.end()) continue;
          if (access.border.rule != ir::Border::Rule::None || substituted(access.index, place) != value->second)
            return false;
        }
    }
    return true;
  }

  const Flow& flow_;
  const std::vector<Indexed>& meanings_;
  NamedAxes named_;
  ir::Ranges ranges_;
  std::optional<Split> split_;
  AttentionMatch found_;
};

NamedAxes split_by(NamedAxes axes, const Split& split) {
  auto by_name = apply_split(split, {&axes.rows, &axes.cols});
  for (auto& [name, at] : axes.place) at = at.substitute(by_name);
  return axes;
}

}  // namespace

std::optional<AttentionMatch> match_attention(const Flow& flow, const std::vector<Indexed>& meanings, int weighted) {
  if (!is_product(meanings[static_cast<size_t>(weighted)])) return std::nullopt;
  NamedAxes axes = name_axes(flow.op(weighted).kind, meanings[static_cast<size_t>(weighted)]);
  for (;;) {
    Matcher matcher(flow, meanings, weighted, axes);
    auto found = matcher.run();
    if (found || !matcher.wanted_split()) return found;
    axes = split_by(std::move(axes), *matcher.wanted_split());
  }
}

}  // namespace hone::partition
