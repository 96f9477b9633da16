#include <map>
#include <set>

#include "ir/text/scalar_text.h"

namespace hone::ir::text {
namespace {

using Kind = ScalarNode::Kind;

enum Level { kComparison, kSum, kProduct, kUnary, kPrimary };

struct Infix {
  const char* sign;
  Level level;
};

std::optional<Infix> infix_of(ScalarOp op) {
  if (op == ScalarOp::Add) return Infix{"+", kSum};
  if (op == ScalarOp::Sub) return Infix{"-", kSum};
  if (op == ScalarOp::Mul) return Infix{"*", kProduct};
  if (op == ScalarOp::Div) return Infix{"/", kProduct};
  if (op == ScalarOp::Less) return Infix{"<", kComparison};
  if (op == ScalarOp::LessEqual) return Infix{"<=", kComparison};
  if (op == ScalarOp::Equal) return Infix{"==", kComparison};
  return std::nullopt;
}

class ScalarPrinter {
 public:
  explicit ScalarPrinter(const ScalarTexts& texts) : texts_(texts) {}

  std::string body(const Scalar& root, std::optional<DType> want) {
    count_users(root);
    name_shared(root);
    std::string lets;
    for (const Scalar& node : shared_) {
      std::string name = fresh_name();
      lets += fmt::format("{}{} = {}", lets.empty() ? "let " : ", ", name, operation(node, std::nullopt, kComparison));
      names_[node.get()] = name;
    }
    if (!lets.empty()) lets += " in ";
    return lets + text(root, want, kComparison);
  }

 private:
  void count_users(const Scalar& node) {
    for (const Scalar& arg : node->args)
      if (users_[arg.get()]++ == 0) count_users(arg);
  }

  // Operations with several users, each after those that it uses itself.
  void name_shared(const Scalar& node) {
    if (!visited_.insert(node.get()).second) return;
    for (const Scalar& arg : node->args) name_shared(arg);
    if (!node->args.empty() && users_[node.get()] > 1) shared_.push_back(node);
  }

  std::string fresh_name() {
    std::string name;
    do name = fmt::format("t{}", next_name_++);
    while (texts_.is_taken && texts_.is_taken(name));
    return name;
  }

  // Whether its own words tell its type, when numbers are written without one.
  bool tells_type(const Scalar& node) const {
    if (node->kind == Kind::Constant) return node->type == DType::Bool;
    if (node->kind != Kind::Operation || is_comparison(node->op) || names_.count(node.get())) return true;
    for (size_t i = node->op == ScalarOp::Select ? 1 : 0; i < node->args.size(); ++i)
      if (tells_type(node->args[i])) return true;
    return false;
  }

  std::string text(const Scalar& node, std::optional<DType> want, Level level) const {
    if (auto named = names_.find(node.get()); named != names_.end()) return named->second;
    switch (node->kind) {
      case Kind::Constant:
        return number(*node, want);
      case Kind::Access:
        return texts_.access(node->access);
      case Kind::IndexValue: {
        std::string type = node->type == DType::I64 ? "" : fmt::format(":{}", name_of(node->type));
        return fmt::format("#({}){}", index_text(node->index, texts_.read), type);
      }
      case Kind::Cast:
      case Kind::Bits:
      case Kind::Operation:
        return operation(node, want, level);
    }
    HONE_CHECK(false, "unknown scalar");
  }

  static std::string number(const ScalarNode& node, std::optional<DType> want) {
    if (node.type == DType::Bool) return node.number != 0 ? "true" : "false";
    std::string digits =
        is_integer(node.type) || is_storage(node.type) ? integer_text(node.integer) : number_text(node.number);
    return node.type == want.value_or(DType::F32) ? digits : fmt::format("{}:{}", digits, name_of(node.type));
  }

  std::string operation(const Scalar& node, std::optional<DType> want, Level level) const {
    if (node->kind == Kind::Cast || node->kind == Kind::Bits)
      return fmt::format("{}:{}({})", node->kind == Kind::Cast ? "cast" : "bits", name_of(node->type),
                         text(node->args[0], std::nullopt, kComparison));
    size_t first = node->op == ScalarOp::Select ? 1 : 0;
    std::optional<DType> type = is_comparison(node->op) ? std::nullopt : want;
    for (size_t i = first; i < node->args.size(); ++i)
      if (tells_type(node->args[i])) type = node->args[i]->type;
    if (std::optional<Infix> infix = infix_of(node->op)) {
      Level left = infix->level == kComparison ? kSum : infix->level;
      std::string joined = fmt::format("{} {} {}", text(node->args[0], type, left), infix->sign,
                                       text(node->args[1], type, static_cast<Level>(infix->level + 1)));
      return infix->level < level ? "(" + joined + ")" : joined;
    }
    if (node->op == ScalarOp::Neg && node->args[0]->kind != Kind::Constant) {
      std::string negated = "-" + text(node->args[0], type, kUnary);
      return kUnary < level ? "(" + negated + ")" : negated;
    }
    std::string args;
    for (size_t i = 0; i < node->args.size(); ++i)
      args += (i == 0 ? "" : ", ") + text(node->args[i], i < first ? DType::Bool : type, kComparison);
    return fmt::format("{}({})", name_of(node->op), args);
  }

  const ScalarTexts& texts_;
  std::map<const ScalarNode*, int> users_;  // looked up, never walked
  std::set<const ScalarNode*> visited_;
  std::vector<Scalar> shared_;
  std::map<const ScalarNode*, std::string> names_;
  int next_name_ = 0;
};

}  // namespace

std::string body_text(const Scalar& body, const ScalarTexts& texts, std::optional<DType> want) {
  return ScalarPrinter(texts).body(body, want);
}

}  // namespace hone::ir::text
