#include "lower/emitter.h"

#include <algorithm>

namespace hone::lower {

using namespace ir::loop;
using ir::Index;
using ir::IndexAtom;

Emitter::Emitter(std::vector<std::string> symbols) {
  for (size_t i = 0; i < symbols.size(); ++i) sizes_[symbols[i]] = static_cast<int>(i);
}

std::string Emitter::fresh(const std::string& stem) {
  int number = used_[stem]++;
  return number == 0 && stem != kLane ? stem : fmt::format("{}_{}", stem, number);
}

Expr Emitter::let(const std::string& stem, Expr value) {
  bool leaf = value->kind == ExprKind::Variable || value->kind == ExprKind::IntConstant ||
              value->kind == ExprKind::FloatConstant;
  if (leaf) return value;
  std::string name = fresh(stem);
  VectorType type = value->type;
  if (hoist_) hoist_->changing.insert(name);
  append(assign(name, std::move(value)));
  return variable(name, type);
}

Index Emitter::let_index(const std::string& stem, const Index& value) {
  bool leaf =
      value.terms().empty() || (value.terms().size() == 1 && value.terms()[0].factors.size() <= 1 &&
                                (value.terms()[0].factors.empty() ||
                                 (value.terms()[0].coefficient == 1 && value.terms()[0].factors[0]->args.empty())));
  if (leaf) return value;
  std::string name = fresh(stem);
  append(assign(name, scalar(value)));
  if (hoist_) hoist_->changing.insert(name);
  return Index::axis(name);
}

Block Emitter::inside(const std::function<void()>& emit) {
  Block inner;
  Block* outer = block_;
  block_ = &inner;
  emit();
  block_ = outer;
  return inner;
}

void Emitter::interleave(std::vector<Block> blocks) {
  std::map<std::string, int> assigned;  // variable → round
  auto latest_read = [&](const Expr& e, auto& again) -> int {
    auto found = e->kind == ExprKind::Variable ? assigned.find(e->name) : assigned.end();
    int round = found == assigned.end() ? 0 : found->second;
    for (const Expr& arg : e->args) round = std::max(round, again(arg, again));
    return round;
  };
  // The round of a statement, what it holds included, that comes after those whose results it reads.
  auto round_of = [&](const Statement& statement, int round, auto& again) -> int {
    for (const Expr& arg : statement.args) round = std::max(round, latest_read(arg, latest_read));
    for (const Block* block : {&statement.body, &statement.otherwise})
      for (const Statement& inner : *block) round = again(inner, round, again);
    if (!statement.variable.empty()) assigned[statement.variable] = round;
    return round;
  };
  std::vector<std::pair<int, Statement>> rounds;
  for (Block& block : blocks) {
    int round = -1;
    for (Statement& statement : block) {
      round = round_of(statement, round + 1, round_of);
      rounds.emplace_back(round, std::move(statement));
    }
  }
  std::stable_sort(rounds.begin(), rounds.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [round, statement] : rounds) append(std::move(statement));
}

void Emitter::loop(const std::string& name, const Index& lo, const Index& hi, const Index& step,
                   const std::function<void()>& body) {
  Block inner = inside(body);
  append(for_loop(name, scalar(lo), scalar(hi), scalar(step), std::move(inner)));
}

void Emitter::innermost_loop(const std::string& name, const Index& lo, const Index& hi, const Index& step,
                             const std::function<void()>& body) {
  Hoist hoist{name, lo, step, {}, {}, {}, {name}};
  Hoist* outer = hoist_;
  hoist_ = &hoist;
  Block inner = inside(body);
  hoist_ = outer;
  for (Statement& statement : hoist.before) append(std::move(statement));
  for (Statement& statement : hoist.behind) inner.push_back(std::move(statement));
  append(for_loop(name, scalar(lo), scalar(hi), scalar(step), std::move(inner)));
}

// A variable of the innermost loop that is `from` + `factor` times the loop's own.
Expr Emitter::counted_up(const Index& factor, const Index& from) {
  auto [found, fresh_one] = hoist_->known.try_emplace(fmt::format("{} by {}", from.text(), factor.text()));
  if (!fresh_one) return found->second;
  const std::string name = fresh("at");
  found->second = variable(name, {});
  hoist_->before.push_back(assign(name, scalar(from + factor * hoist_->lo)));
  Expr step = scalar(factor * hoist_->step);
  if (step->kind != ExprKind::IntConstant) {
    const std::string by = fresh("by");
    hoist_->before.push_back(assign(by, step));
    step = variable(by, {});
  }
  hoist_->behind.push_back(assign(name, binary(BinaryOp::Add, found->second, step)));
  return found->second;
}

Expr Emitter::offset(const Index& index) {
  if (!hoist_) return scalar(index);
  auto changes = [&](const Index& part) {
    const std::vector<std::string> axes = part.axes();
    return std::any_of(axes.begin(), axes.end(), [&](const std::string& a) { return hoist_->changing.contains(a); });
  };
  std::vector<ir::IndexTerm> fixed, varying, constant;
  for (const ir::IndexTerm& term : index.terms())
    (term.factors.empty() ? constant : changes(Index::from_terms({term})) ? varying : fixed).push_back(term);
  const Index base = Index::from_terms(fixed), moving = Index::from_terms(varying), rest = Index::from_terms(constant);
  auto linear = moving.linear_in(hoist_->variable);
  if (linear && linear->second.is(0) && !linear->first.is(0) && !linear->first.is(1) && !changes(linear->first))
    return binary(BinaryOp::Add, counted_up(linear->first, base), scalar(rest));
  if (fixed.empty()) return scalar(index);
  auto found = hoist_->known.find(base.text());
  if (found == hoist_->known.end()) {
    std::string name = fresh("base");
    hoist_->before.push_back(assign(name, scalar(base)));
    found = hoist_->known.emplace(base.text(), variable(name, {})).first;
  }
  return binary(BinaryOp::Add, found->second, scalar(moving + rest));
}

void Emitter::branch(Expr condition, const std::function<void()>& then, const std::function<void()>& otherwise) {
  if (condition->kind == ExprKind::IntConstant) {
    if (condition->integer != 0)
      then();
    else if (otherwise)
      otherwise();
    return;
  }
  Block taken = inside(then);
  Block other = otherwise ? inside(otherwise) : Block{};
  append(if_else(std::move(condition), std::move(taken), std::move(other)));
}

Expr Emitter::scalar(const Index& index) {
  return convert(index, 1, nullptr);
}

Expr Emitter::lanes(const Index& index, int count, const std::map<std::string, Expr>& vectors) {
  return broadcast(convert(index, count, &vectors), count);
}

Expr Emitter::convert(const Index& index, int count, const std::map<std::string, Expr>* vectors) {
  auto join = [&](BinaryOp op, Expr a, Expr b) {
    int wide = std::max(a->type.lanes, b->type.lanes);
    return binary(op, broadcast(std::move(a), wide), broadcast(std::move(b), wide));
  };
  auto atom_expr = [&](const IndexAtom& atom) -> Expr {
    auto arg = [&](size_t i) { return convert(atom.args[i], count, vectors); };
    switch (atom.kind) {
      case IndexAtom::Kind::Axis:
        if (vectors && atom.name == kLane) return ramp(count);
        if (vectors)
          if (auto found = vectors->find(atom.name); found != vectors->end()) return found->second;
        HONE_CHECK(atom.name != kLane, "a scalar index depends on the lane: {}", index.text());
        return variable(atom.name, {});
      case IndexAtom::Kind::Symbol: {
        auto found = sizes_.find(atom.name);
        HONE_CHECK(found != sizes_.end(), "{} is neither a size nor bound by the plan", atom.name);
        return size(found->second);
      }
      case IndexAtom::Kind::Read:
        HONE_CHECK(false, "unresolved read in {}", index.text());
        return nullptr;
      case IndexAtom::Kind::FloorDiv:
        return join(BinaryOp::FloorDiv, arg(0), arg(1));
      case IndexAtom::Kind::Mod:
        return join(BinaryOp::Mod, arg(0), arg(1));
      case IndexAtom::Kind::Min:
        return join(BinaryOp::Min, arg(0), arg(1));
      case IndexAtom::Kind::Max:
        return join(BinaryOp::Max, arg(0), arg(1));
    }
    HONE_CHECK(false, "unknown atom");
  };
  Expr sum = int_constant(0);
  for (const ir::IndexTerm& term : index.terms()) {
    Expr value = int_constant(term.coefficient);
    for (const ir::AtomPtr& atom : term.factors) value = join(BinaryOp::Mul, value, atom_expr(*atom));
    sum = join(BinaryOp::Add, sum, value);
  }
  return sum;
}

}  // namespace hone::lower
