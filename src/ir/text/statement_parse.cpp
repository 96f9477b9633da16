#include "ir/text/statement_parse.h"

#include <algorithm>

namespace hone::ir::text {

bool StatementParser::is_axis(const std::string& name) const {
  return std::any_of(kernel_.axes.begin(), kernel_.axes.end(), [&](const Axis& axis) { return axis.name == name; });
}

IndexScope StatementParser::index_scope() {
  return {[this](const std::string& name) { return is_axis(name); }, [this](Lexer&) { return read(); }};
}

ScalarScope StatementParser::scalar_scope() {
  return {index_scope(), [this](Lexer&) -> Result<std::optional<Scalar>> {
            HONE_TRY(std::optional<int> number, access());
            if (!number) return std::optional<Scalar>();
            int place = accesses_[static_cast<size_t>(*number)].operand;
            return std::optional(access_value(kernel_.place_type(place), *number));
          }};
}

Result<Stmt> StatementParser::statement() {
  accesses_.clear();
  Stmt statement;
  Token name = lexer_.peek();
  HONE_TRY(statement.result, lexer_.name("a statement, such as s = … or y[i] = …"));
  std::optional<DType> type;
  HONE_PASS(result_of(statement, type, name));
  HONE_PASS(lexer_.expect("="));
  statement.combine = combine();
  Token body = lexer_.peek();
  HONE_TRY(statement.body, parse_body(lexer_, scalar_scope(), type));
  if (type && statement.body->type != *type)
    return lexer_.problem_at(
        body, fmt::format("the value is {} but {} is {}; write cast:{}(…)", name_of(statement.body->type),
                          statement.result, name_of(*type), name_of(*type)));
  if (!type) HONE_PASS(add_register(statement.result, statement.body->type, name));
  statement.accesses = std::move(accesses_);
  accesses_.clear();
  return statement;
}

// A place is written with brackets, a register without.
Status StatementParser::result_of(Stmt& statement, std::optional<DType>& type, const Token& name) {
  int place = kernel_.place_of(statement.result);
  bool in_memory = place >= 0 && place < static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size());
  if (lexer_.at("[")) {
    if (!in_memory)
      return lexer_.problem_at(name,
                               fmt::format("'{}' is neither a buffer nor a tile of this kernel", statement.result));
    type = kernel_.place_type(place);
    HONE_TRY(statement.at, parse_indices(lexer_, index_scope()));
    if (!accesses_.empty())
      return lexer_.problem_at(name,
                               fmt::format("where {} is written may not depend on what is read", statement.result));
  } else if (in_memory) {
    return lexer_.problem_at(
        name, fmt::format("'{}' lives in memory; write where, as in {}[…] = …", statement.result, statement.result));
  }
  return Done{};
}

Status StatementParser::add_register(const std::string& name, DType type, const Token& token) {
  if (is_axis(name))
    return lexer_.problem_at(token, fmt::format("'{}' is an axis; give the register another name", name));
  auto known = std::find(kernel_.registers.begin(), kernel_.registers.end(), name);
  if (known == kernel_.registers.end()) {
    kernel_.registers.push_back(name);
    kernel_.register_types.push_back(type);
  } else if (DType before = kernel_.register_types[static_cast<size_t>(known - kernel_.registers.begin())];
             before != type) {
    return lexer_.problem_at(
        token, fmt::format("register '{}' is {} elsewhere and {} here; give one of them another name", name,
                           name_of(before), name_of(type)));
  }
  visible_.insert(name);
  return Done{};
}

Combine StatementParser::combine() {
  for (Combine candidate : {Combine::Sum, Combine::Prod, Combine::Max, Combine::Min, Combine::MaxNumber}) {
    bool function = lexer_.at("(", 1) && scalar_op_named(name_of(candidate));
    if (!lexer_.at(name_of(candidate)) || function) continue;
    lexer_.take();
    lexer_.take_if(":");
    return candidate;
  }
  return Combine::None;
}

Result<Scalar> StatementParser::initial_value(DType type) {
  accesses_.clear();
  Token token = lexer_.peek();
  HONE_TRY(Scalar value, parse_body(lexer_, scalar_scope(), type));
  if (!accesses_.empty()) return lexer_.problem_at(token, "an initial value may not read memory");
  if (value->type != type)
    return lexer_.problem_at(token,
                             fmt::format("the initial value is {}, expected {}", name_of(value->type), name_of(type)));
  return value;
}

Result<Border> StatementParser::border() {
  using Rule = Border::Rule;
  Border border;
  if (!lexer_.take_if("{")) return border;
  if (lexer_.take_if("fill")) {
    border.rule = Rule::Fill;
    HONE_TRY(border.fill, lexer_.number("the value to fill with"));
  } else if (lexer_.take_if("clamp")) {
    border.rule = Rule::Clamp;
  } else if (lexer_.take_if("reflect")) {
    border.rule = Rule::Reflect;
  } else if (lexer_.take_if("wrap")) {
    border.rule = Rule::Wrap;
  } else {
    return lexer_.unexpected("a border: fill 0, clamp, reflect or wrap");
  }
  HONE_PASS(lexer_.expect("}"));
  return border;
}

Result<std::optional<int>> StatementParser::access() {
  if (!lexer_.at_name()) return std::optional<int>();
  Nesting nesting(lexer_);
  HONE_PASS(nesting.status());
  Token name = lexer_.take();
  Access access;
  access.operand = kernel_.place_of(name.text);
  int in_memory = static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size());
  if (lexer_.at("[")) {
    if (access.operand < 0 || access.operand >= in_memory)
      return lexer_.problem_at(name, fmt::format("'{}' is neither a buffer nor a tile of this kernel", name.text));
    HONE_TRY(access.index, parse_indices(lexer_, index_scope()));
    HONE_TRY(access.border, border());
  } else if (!visible_.count(name.text)) {
    const char* hint = access.operand >= in_memory ? "a register is known only after its statement, in the same group"
                       : access.operand >= 0       ? "a buffer or tile is read with […]"
                                                   : "values of axes and sizes are written #(…)";
    return lexer_.problem_at(name, fmt::format("'{}' has no value here; {}", name.text, hint));
  }
  return std::optional(numbered(std::move(access)));
}

int StatementParser::numbered(Access access) {
  for (size_t i = 0; i < accesses_.size(); ++i)
    if (accesses_[i].operand == access.operand && accesses_[i].index == access.index &&
        accesses_[i].border == access.border)
      return static_cast<int>(i);
  accesses_.push_back(std::move(access));
  return static_cast<int>(accesses_.size()) - 1;
}

Result<std::optional<Index>> StatementParser::read() {
  bool is_register = lexer_.at_name() && visible_.count(lexer_.peek().text) != 0;
  if (!is_register && !(lexer_.at_name() && lexer_.at("[", 1))) return std::optional<Index>();
  HONE_TRY(std::optional<int> number, access());
  return std::optional(Index::read(*number));
}

}  // namespace hone::ir::text
