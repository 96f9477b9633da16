#include "ir/random_kernel.h"

#include <limits>

namespace hone::ir {
namespace {

class KernelMaker {
 public:
  explicit KernelMaker(uint64_t seed) : rng_(seed) {}

  Kernel make() {
    kernel_.name = rng_.chance(0.2) ? "odd name" : "k";
    for (const char* name : {"i", "j", "max", "c"}) kernel_.axes.push_back({name, size(2)});
    for (int b = 0; b < 4; ++b) {
      Buffer buffer{fmt::format("b{}", b), type(), {}, b >= 2};
      for (int64_t d = rng_.below(4); d > 0; --d) buffer.shape.push_back(size(2));
      kernel_.buffers.push_back(buffer);
    }
    kernel_.buffers.push_back({"ids", DType::I64, {size(1)}, false});
    for (int t = 0; t < 2; ++t) {
      Tile tile{fmt::format("then{}", t), type(), {}, std::nullopt};
      for (const Axis& axis : kernel_.axes)
        if (rng_.chance(0.5)) tile.axes.push_back(axis.name);
      if (!tile.axes.empty() && rng_.chance(0.3)) tile.ring = Ring{tile.axes[0], size(1)};
      kernel_.tiles.push_back(tile);
    }
    kernel_.body = nodes(3);
    return kernel_;
  }

 private:
  DType type() {
    constexpr DType kTypes[] = {DType::F32, DType::F32, DType::F64, DType::F16,
                                DType::I64, DType::I32, DType::U8,  DType::Bool};
    return kTypes[rng_.below(8)];
  }

  std::string axis() { return kernel_.axes[static_cast<size_t>(rng_.below(4))].name; }

  Index size(int depth) { return index(depth, false); }

  Index index(int depth, bool with_axes) {
    if (depth == 0 || rng_.chance(0.3)) {
      if (with_axes && rng_.chance(0.6)) return Index::axis(axis());
      constexpr const char* kSizes[] = {"N", "M", "batch size", "sum"};
      return rng_.chance(0.5) ? Index(rng_.between(-3, 20)) : Index::symbol(kSizes[rng_.below(4)]);
    }
    Index a = index(depth - 1, with_axes), b = index(depth - 1, with_axes);
    switch (rng_.below(7)) {
      case 0:
        return a + b;
      case 1:
        return a - b;
      case 2:
        return a * b;
      case 3:
        return floor_div(a, Index(rng_.between(1, 5)));
      case 4:
        return mod(a, Index(rng_.between(2, 5)));
      case 5:
        return min(a, b);
      default:
        return max(a, b);
    }
  }

  std::vector<Node> nodes(int depth) {
    std::vector<Node> list;
    for (int64_t n = rng_.between(1, 2); n > 0; --n) {
      if (depth == 0 || rng_.chance(0.4)) {
        list.emplace_back(group());
        continue;
      }
      Nest nest;
      nest.grid = rng_.chance(0.5);
      nest.axis = axis();
      nest.step = index(1, true);
      if (rng_.chance(0.3)) nest.until = index(2, true);
      for (const Tile& tile : kernel_.tiles)
        if (rng_.chance(0.2)) nest.states.push_back({tile.name, initial(tile.dtype)});
      nest.body = nodes(depth - 1);
      list.emplace_back(std::make_shared<const Nest>(std::move(nest)));
    }
    return list;
  }

  Scalar initial(DType type) { return rng_.chance(0.5) ? number(type) : index_value(type, index(1, true)); }

  Group group() {
    Group group;
    visible_.clear();
    for (const Axis& candidate : kernel_.axes) {
      GroupAxis axis{candidate.name, std::nullopt, std::nullopt};
      if (rng_.chance(0.2)) axis.range = {index(2, true), index(2, true)};
      if (rng_.chance(0.2)) axis.carry = this->axis();
      (rng_.chance(0.7) ? group.parallel : group.over).push_back(axis);
    }
    for (int64_t n = rng_.between(1, 3); n > 0; --n) group.inner.push_back(statement());
    for (int64_t n = rng_.below(3); n > 0; --n) group.outer.push_back(statement());
    return group;
  }

  std::vector<Index> indices(size_t rank, std::vector<Access>* accesses) {
    std::vector<Index> list;
    for (size_t d = 0; d < rank; ++d) {
      Index at = index(2, true);
      if (accesses && rng_.chance(0.15)) {
        accesses->push_back({kernel_.place_of("ids"), {index(1, true)}, {}});
        at = at + Index::read(static_cast<int>(accesses->size()) - 1);
      }
      list.push_back(at);
    }
    return list;
  }

  Stmt statement() {
    Stmt statement;
    DType type = this->type();
    if (rng_.chance(0.5)) {
      size_t memory = static_cast<size_t>(rng_.below(4));
      bool tile = memory >= 2;
      statement.result = tile ? kernel_.tiles[memory - 2].name : kernel_.buffers[memory + 2].name;
      type = tile ? kernel_.tiles[memory - 2].dtype : kernel_.buffers[memory + 2].dtype;
      statement.at =
          indices(tile ? kernel_.tiles[memory - 2].axes.size() : kernel_.buffers[memory + 2].shape.size(), nullptr);
    }
    constexpr Combine kCombines[] = {Combine::None, Combine::Sum, Combine::Prod,
                                     Combine::Max,  Combine::Min, Combine::MaxNumber};
    if (rng_.chance(0.3)) statement.combine = kCombines[rng_.below(5)];
    shared_.clear();
    statement.body = scalar(type, 4, statement.accesses);
    if (statement.result.empty()) statement.result = define(type);
    return statement;
  }

  std::string define(DType type) {
    std::string name = fmt::format("r_{}", name_of(type));
    if (kernel_.place_of(name) < 0) {
      kernel_.registers.push_back(name);
      kernel_.register_types.push_back(type);
    }
    visible_.push_back(name);
    return name;
  }

  Scalar number(DType type) {
    if (type == DType::Bool) return constant(type, static_cast<double>(rng_.below(2)));
    if (is_integer(type)) return integer_constant(type, is_signed(type) ? rng_.between(-100, 100) : rng_.below(200));
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kNumbers[] = {0, -0.0, 1, -1, 0.1, 1e-30, 1e30, kInfinity, -kInfinity, 12345678};
    return constant(type, kNumbers[rng_.below(10)]);
  }

  Scalar leaf(DType type, std::vector<Access>& accesses) {
    if (rng_.chance(0.4)) return number(type);
    if (rng_.chance(0.2)) return index_value(type, index(2, true));
    std::vector<int> places;
    for (int p = 0; p < static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size()); ++p)
      if (kernel_.place_type(p) == type) places.push_back(p);
    for (const std::string& name : visible_)
      if (int p = kernel_.place_of(name); kernel_.place_type(p) == type) places.push_back(p);
    if (places.empty()) return number(type);
    Access access;
    access.operand = places[static_cast<size_t>(rng_.below(static_cast<int64_t>(places.size())))];
    size_t at = static_cast<size_t>(access.operand), buffers = kernel_.buffers.size();
    if (at < buffers + kernel_.tiles.size()) {
      size_t rank = at < buffers ? kernel_.buffers[at].shape.size() : kernel_.tiles[at - buffers].axes.size();
      access.index = indices(rank, &accesses);
      constexpr Border::Rule kRules[] = {Border::Rule::None,  Border::Rule::None,    Border::Rule::Fill,
                                         Border::Rule::Clamp, Border::Rule::Reflect, Border::Rule::Wrap};
      access.border.rule = kRules[rng_.below(6)];
      if (access.border.rule == Border::Rule::Fill) access.border.fill = rng_.chance(0.5) ? 0 : -1.5;
    }
    accesses.push_back(access);
    return access_value(type, static_cast<int>(accesses.size()) - 1);
  }

  Scalar scalar(DType type, int depth, std::vector<Access>& accesses) {
    if (rng_.chance(0.15))
      for (const Scalar& known : shared_)
        if (known->type == type) return known;
    Scalar made = depth == 0 || rng_.chance(0.2) ? leaf(type, accesses) : operation(type, depth, accesses);
    shared_.push_back(made);
    return made;
  }

  Scalar operation(DType type, int depth, std::vector<Access>& accesses) {
    auto next = [&](DType of) { return scalar(of, depth - 1, accesses); };
    if (rng_.chance(0.15)) return cast(type, next(this->type()));
    if (rng_.chance(0.15)) return apply(ScalarOp::Select, {next(DType::Bool), next(type), next(type)});
    if (type == DType::Bool && rng_.chance(0.6)) {
      DType of = this->type();
      constexpr ScalarOp kComparisons[] = {ScalarOp::Less, ScalarOp::LessEqual, ScalarOp::Equal};
      return apply(kComparisons[rng_.below(3)], {next(of), next(of)});
    }
    auto op = static_cast<ScalarOp>(rng_.below(static_cast<int64_t>(ScalarOp::Select)));
    if (is_comparison(op)) op = ScalarOp::Add;
    std::vector<Scalar> args;
    for (int a = 0; a < arity_of(op); ++a) args.push_back(next(type));
    return apply(op, std::move(args));
  }

  Rng rng_;
  Kernel kernel_;
  std::vector<std::string> visible_;
  std::vector<Scalar> shared_;
};

}  // namespace

Kernel random_kernel(uint64_t seed) {
  return KernelMaker(seed).make();
}

}  // namespace hone::ir
