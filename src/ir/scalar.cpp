#include "ir/scalar.h"

#include <cmath>
#include <map>

#include "base/result.h"

namespace hone::ir {
namespace {

struct OpEntry {
  const char* name;
  int arity;
};

constexpr OpEntry kOps[] = {
#define HONE_SCALAR(name, arity, text) {text, arity},
#include "ir/scalar.def"
#undef HONE_SCALAR
};

using Kind = ScalarNode::Kind;

Scalar make(ScalarNode node) {
  return std::make_shared<const ScalarNode>(std::move(node));
}

// Rebuilds bottom-up with a memo, so that sharing survives.
Scalar rewrite(const Scalar& scalar, const std::function<Scalar(const Scalar&)>& leaf,
               std::map<const ScalarNode*, Scalar>& done) {
  if (auto found = done.find(scalar.get()); found != done.end()) return found->second;
  Scalar result = scalar;
  if (scalar->args.empty()) {
    result = leaf(scalar);
  } else {
    std::vector<Scalar> args;
    bool changed = false;
    for (const Scalar& arg : scalar->args) {
      args.push_back(rewrite(arg, leaf, done));
      changed |= args.back() != arg;
    }
    if (changed) result = with_args(scalar, std::move(args));
  }
  done[scalar.get()] = result;
  return result;
}

}  // namespace

const char* name_of(ScalarOp op) {
  return kOps[static_cast<size_t>(op)].name;
}
int arity_of(ScalarOp op) {
  return kOps[static_cast<size_t>(op)].arity;
}

std::optional<ScalarOp> scalar_op_named(std::string_view name) {
  for (size_t i = 0; i < std::size(kOps); ++i)
    if (name == kOps[i].name) return static_cast<ScalarOp>(i);
  return std::nullopt;
}

namespace {

// The whole number of the type nearest to the value; NaN is 0. Those of u64 stand as the bits of an i64.
int64_t saturated(DType type, double value) {
  if (value != value) return 0;
  double bits = static_cast<double>(8 * size_of(type)), half = std::exp2(bits - 1);
  if (!is_signed(type)) {
    if (value <= 0) return 0;
    return value >= 2 * half ? static_cast<int64_t>(~uint64_t{0} >> (64 - 8 * size_of(type)))
                             : static_cast<int64_t>(static_cast<uint64_t>(value));
  }
  if (value >= half) return static_cast<int64_t>((uint64_t{1} << (8 * size_of(type) - 1)) - 1);
  if (value <= -half) return -static_cast<int64_t>((uint64_t{1} << (8 * size_of(type) - 1)) - 1) - 1;
  return static_cast<int64_t>(value);
}

}  // namespace

Scalar constant(DType type, double value) {
  if (is_integer(type)) return integer_constant(type, saturated(type, value));
  if (is_storage(type)) return integer_constant(type, static_cast<int64_t>(value));
  ScalarNode node{.kind = Kind::Constant, .type = type};
  node.number = value;
  return make(std::move(node));
}

Scalar integer_constant(DType type, int64_t value) {
  if (!is_integer(type) && !is_storage(type)) return constant(type, static_cast<double>(value));
  ScalarNode node{.kind = Kind::Constant, .type = type};
  node.integer = value;
  node.number = static_cast<double>(value);
  return make(std::move(node));
}

Scalar access_value(DType type, int access) {
  ScalarNode node{.kind = Kind::Access, .type = type};
  node.access = access;
  return make(std::move(node));
}

Scalar index_value(DType type, Index index) {
  ScalarNode node{.kind = Kind::IndexValue, .type = type};
  node.index = std::move(index);
  return make(std::move(node));
}

Scalar cast(DType type, Scalar value) {
  if (value->type == type) return value;
  ScalarNode node{.kind = Kind::Cast, .type = type};
  node.args = {std::move(value)};
  return make(std::move(node));
}

Scalar bits(DType type, Scalar value) {
  if (value->type == type) return value;
  HONE_CHECK(size_of(type) == size_of(value->type) && type != DType::Bool && value->type != DType::Bool,
             "the bits of a {} are no {}", name_of(value->type), name_of(type));
  ScalarNode node{.kind = Kind::Bits, .type = type};
  node.args = {std::move(value)};
  return make(std::move(node));
}

Scalar with_args(const Scalar& scalar, std::vector<Scalar> args) {
  if (scalar->kind == Kind::Cast) return cast(scalar->type, std::move(args[0]));
  if (scalar->kind == Kind::Bits) return bits(scalar->type, std::move(args[0]));
  return apply(scalar->op, std::move(args));
}

Scalar apply(ScalarOp op, std::vector<Scalar> args) {
  HONE_CHECK(static_cast<int>(args.size()) == arity_of(op), "{} takes {} arguments, got {}", name_of(op), arity_of(op),
             args.size());
  for (size_t i = op == ScalarOp::Select ? 2 : 1; i < args.size(); ++i)
    HONE_CHECK(args[i]->type == args[i - 1]->type, "arguments of {} are {} and {}", name_of(op),
               name_of(args[i - 1]->type), name_of(args[i]->type));
  ScalarNode node{.kind = Kind::Operation, .type = is_comparison(op) ? DType::Bool : args.back()->type};
  node.op = op;
  node.args = std::move(args);
  return make(std::move(node));
}

Scalar replace_accesses(const Scalar& scalar, const std::function<Scalar(int, DType)>& by) {
  std::map<const ScalarNode*, Scalar> done;
  return rewrite(
      scalar, [&](const Scalar& leaf) { return leaf->kind == Kind::Access ? by(leaf->access, leaf->type) : leaf; },
      done);
}

Scalar replace_indices(const Scalar& scalar, const std::function<Index(const Index&)>& by) {
  std::map<const ScalarNode*, Scalar> done;
  return rewrite(
      scalar,
      [&](const Scalar& leaf) {
        if (leaf->kind != Kind::IndexValue) return leaf;
        Index index = by(leaf->index);
        return index == leaf->index ? leaf : index_value(leaf->type, index);
      },
      done);
}

void visit_accesses(const Scalar& scalar, const std::function<void(int)>& visit) {
  if (scalar->kind == Kind::Access) visit(scalar->access);
  for (const Scalar& arg : scalar->args) visit_accesses(arg, visit);
}

std::string text_of(const Scalar& scalar) {
  switch (scalar->kind) {
    case Kind::Constant:
      return is_integer(scalar->type) || is_storage(scalar->type)
                 ? fmt::format("{}:{}", scalar->integer, name_of(scalar->type))
                 : fmt::format("{}:{}", scalar->number, name_of(scalar->type));
    case Kind::Access:
      return fmt::format("@{}", scalar->access);
    case Kind::IndexValue:
      return fmt::format("#({}):{}", scalar->index.text(), name_of(scalar->type));
    case Kind::Cast:
      return fmt::format("cast:{}({})", name_of(scalar->type), text_of(scalar->args[0]));
    case Kind::Bits:
      return fmt::format("bits:{}({})", name_of(scalar->type), text_of(scalar->args[0]));
    case Kind::Operation: {
      std::string args;
      for (const Scalar& arg : scalar->args) args += (args.empty() ? "" : ", ") + text_of(arg);
      return fmt::format("{}({})", name_of(scalar->op), args);
    }
  }
  HONE_CHECK(false, "unknown scalar");
}

}  // namespace hone::ir
