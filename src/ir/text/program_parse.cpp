#include "ir/text/attribute_text.h"
#include "ir/text/constants.h"
#include "ir/text/index_text.h"
#include "ir/text/type_text.h"

namespace hone::ir::text {
namespace {

class ProgramParser {
 public:
  ProgramParser(Lexer& lexer, const ConstantProvider& provider) : lexer_(lexer), provider_(provider) {}

  Result<Program> parse() {
    Nesting nesting(lexer_);
    HONE_PASS(nesting.status());
    HONE_PASS(lexer_.expect("program"));
    HONE_TRY(program_.name, lexer_.key("the name of the program"));
    HONE_PASS(lexer_.expect("("));
    if (!lexer_.at(")")) do {
        HONE_TRY(ValueId id, definition());
        program_.inputs.push_back(id);
      } while (lexer_.take_if(","));
    if (!lexer_.take_if(")")) return lexer_.unexpected("',' or ')'");
    HONE_PASS(lexer_.expect("->"));
    HONE_TRY(std::vector<Token> outputs, output_names());
    HONE_PASS(lexer_.expect("{"));
    while (!lexer_.take_if("}")) HONE_PASS(lexer_.at("const") ? constant() : op());
    for (const Token& token : outputs) {
      HONE_TRY(ValueId id, known(token));
      program_.outputs.push_back(id);
    }
    return std::move(program_);
  }

 private:
  // name ':' type ('known' '[' … ']')?
  Result<Value> value(const char* what) {
    Value value;
    HONE_TRY(value.name, lexer_.name(what));
    HONE_PASS(lexer_.expect(":"));
    HONE_TRY(value.type, parse_type(lexer_));
    if (lexer_.take_if("known")) {
      HONE_TRY(value.known, parse_indices(lexer_, {}));
    }
    return value;
  }

  Result<ValueId> define(Value value, const Token& token) {
    if (!ids_.emplace(value.name, static_cast<ValueId>(program_.values.size())).second)
      return lexer_.problem_at(token, fmt::format("value '{}' is defined twice", value.name));
    program_.values.push_back(std::move(value));
    return static_cast<ValueId>(program_.values.size()) - 1;
  }

  Result<ValueId> definition() {
    Token token = lexer_.peek();
    HONE_TRY(Value defined, value("the name of a value"));
    return define(std::move(defined), token);
  }

  Result<std::vector<Token>> output_names() {
    std::vector<Token> tokens;
    HONE_PASS(lexer_.expect("("));
    if (!lexer_.at(")")) do {
        tokens.push_back(lexer_.peek());
        HONE_PASS(lexer_.name("the name of a value"));
      } while (lexer_.take_if(","));
    if (!lexer_.take_if(")")) return lexer_.unexpected("',' or ')'");
    return tokens;
  }

  Result<ValueId> known(const Token& token) const {
    auto found = ids_.find(token.text);
    if (found == ids_.end())
      return lexer_.problem_at(token, fmt::format("value '{}' is not defined before", token.text));
    return found->second;
  }

  Status constant() {
    lexer_.take();
    HONE_TRY(ValueId id, definition());
    HONE_PASS(lexer_.expect("="));
    Value& defined = program_.values[static_cast<size_t>(id)];
    HONE_TRY(defined.constant, parse_constant(lexer_, defined.type, provider_));
    return Done{};
  }

  // Results are named only when the operands are read, so that an op cannot read itself.
  Status op() {
    Op op;
    std::vector<std::optional<Value>> results;
    std::vector<Token> tokens;
    do {
      tokens.push_back(lexer_.peek());
      results.emplace_back();
      if (lexer_.take_if("_")) continue;
      HONE_TRY(results.back(), value("a constant, an op or '}'"));
    } while (lexer_.take_if(","));
    HONE_PASS(lexer_.expect("="));
    std::optional<OpKind> kind;
    if (lexer_.peek().kind == Token::Kind::Name) kind = op_named(lexer_.peek().text);
    if (!kind) return lexer_.unexpected("an operator of ops.def, such as add or matmul");
    lexer_.take();
    op.kind = *kind;
    HONE_TRY(op.inputs, operands());
    HONE_TRY(op.attributes, parse_attributes(lexer_));
    HONE_TRY(op.name, parse_label(lexer_));
    while (lexer_.at("program")) {
      HONE_TRY(Program body, ProgramParser(lexer_, provider_).parse());
      op.bodies.push_back(std::move(body));
    }
    for (size_t i = 0; i < results.size(); ++i) {
      op.outputs.push_back(kAbsent);
      if (!results[i]) continue;
      HONE_TRY(op.outputs.back(), define(std::move(*results[i]), tokens[i]));
    }
    program_.ops.push_back(std::move(op));
    return Done{};
  }

  Result<std::vector<ValueId>> operands() {
    std::vector<ValueId> list;
    HONE_PASS(lexer_.expect("("));
    if (!lexer_.at(")")) do {
        if (lexer_.take_if("_")) {
          list.push_back(kAbsent);
          continue;
        }
        Token token = lexer_.peek();
        HONE_PASS(lexer_.name("the name of a value, or '_' for none"));
        HONE_TRY(ValueId id, known(token));
        list.push_back(id);
      } while (lexer_.take_if(","));
    if (!lexer_.take_if(")")) return lexer_.unexpected("',' or ')'");
    return list;
  }

  Lexer& lexer_;
  const ConstantProvider& provider_;
  Program program_;
  std::map<std::string, ValueId> ids_;
};

}  // namespace

Result<Program> parse_program(std::string_view source, const ConstantProvider& provider) {
  HONE_TRY(Lexer lexer, Lexer::open(std::string(source)));
  HONE_TRY(Program program, ProgramParser(lexer, provider).parse());
  HONE_PASS(lexer.expect_end());
  return program;
}

}  // namespace hone::ir::text

namespace hone::ir {

Result<Program> parse_program(std::string_view source) {
  return text::parse_program(source, nullptr);
}

}  // namespace hone::ir
