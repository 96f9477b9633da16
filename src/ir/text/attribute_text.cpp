#include "ir/text/attribute_text.h"

namespace hone::ir::text {
namespace {

bool at_fraction(const Lexer& lexer) {
  size_t ahead = lexer.at("-") ? 1 : 0;
  return lexer.peek(ahead).kind == Token::Kind::Float || lexer.at("inf", ahead) || lexer.at("nan", ahead);
}

Result<Attribute> parse_list(Lexer& lexer) {
  std::vector<int64_t> integers;
  std::vector<double> numbers;
  bool fractions = false;
  if (!lexer.at("]")) do {
      fractions |= at_fraction(lexer);
      if (!fractions) integers.push_back(lexer.at("-") ? negated(lexer.peek(1).integer) : lexer.peek().integer);
      HONE_TRY(double number, lexer.number("a number"));
      numbers.push_back(number);
    } while (lexer.take_if(","));
  HONE_PASS(lexer.expect("]"));
  if (lexer.take_if(":")) {
    HONE_PASS(lexer.expect("f64"));
    fractions = true;
  }
  if (fractions) return Attribute(std::move(numbers));
  return Attribute(std::move(integers));
}

Result<Attribute> parse_value(Lexer& lexer) {
  if (lexer.peek().kind == Token::Kind::Quoted) return Attribute(lexer.take().text);
  if (lexer.take_if("[")) return parse_list(lexer);
  if (at_fraction(lexer)) {
    HONE_TRY(double number, lexer.number("a number"));
    return Attribute(number);
  }
  HONE_TRY(int64_t integer, lexer.integer("a value: a number, a text in quotes or a list in brackets"));
  return Attribute(integer);
}

// Never to be taken for an integer.
std::string fraction_text(double value) {
  std::string text = number_text(value);
  return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

struct ValueText {
  std::string operator()(int64_t value) const { return integer_text(value); }
  std::string operator()(double value) const { return fraction_text(value); }
  std::string operator()(const std::string& value) const { return quoted_text(value); }
  std::string operator()(const std::vector<int64_t>& values) const {
    std::string list;
    for (int64_t value : values) list += (list.empty() ? "" : ", ") + integer_text(value);
    return fmt::format("[{}]", list);
  }
  std::string operator()(const std::vector<double>& values) const {
    std::string list;
    for (double value : values) list += (list.empty() ? "" : ", ") + fraction_text(value);
    return fmt::format("[{}]{}", list, values.empty() ? ":f64" : "");
  }
};

}  // namespace

Result<Attributes> parse_attributes(Lexer& lexer) {
  Attributes attributes;
  if (!lexer.take_if("{")) return attributes;
  do {
    Token token = lexer.peek();
    HONE_TRY(std::string name, lexer.key("the name of an attribute"));
    HONE_PASS(lexer.expect("="));
    HONE_TRY(Attribute value, parse_value(lexer));
    if (!attributes.emplace(name, std::move(value)).second)
      return lexer.problem_at(token, fmt::format("attribute '{}' is given twice", name));
  } while (lexer.take_if(","));
  if (!lexer.take_if("}")) return lexer.unexpected("',' or '}'");
  return attributes;
}

std::string attributes_text(const Attributes& attributes) {
  std::string text;
  for (const auto& [name, value] : attributes)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key_text(name), std::visit(ValueText{}, value));
  return text.empty() ? "" : " {" + text + "}";
}

Result<std::string> parse_label(Lexer& lexer) {
  if (!lexer.at("as") || lexer.peek(1).kind != Token::Kind::Quoted) return std::string();
  lexer.take();
  return lexer.take().text;
}

std::string label_text(const std::string& label) {
  return label.empty() ? "" : " as " + quoted_text(label);
}

}  // namespace hone::ir::text
