#include "ir/text/lexer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/text/scanner.h"

namespace hone::ir::text {
namespace {

constexpr int kMostDepth = 128;

// Words that have a meaning where a name could stand too.
constexpr std::string_view kReserved[] = {"_",   "cast", "const", "false", "grid",    "group", "inf",  "let", "loop",
                                          "max", "min",  "nan",   "prod",  "program", "sum",   "then", "true"};

std::string description_of(const Token& token) {
  switch (token.kind) {
    case Token::Kind::Name:
      return is_reserved(token.text) ? fmt::format("the word '{}'", token.text) : fmt::format("'{}'", token.text);
    case Token::Kind::Quoted:
      return quoted_text(token.text);
    case Token::Kind::Integer:
    case Token::Kind::Float:
    case Token::Kind::Sign:
      return fmt::format("'{}'", token.text);
    case Token::Kind::End:
      return "the end of the text";
  }
  HONE_CHECK(false, "unknown token");
}

}  // namespace

Result<Lexer> Lexer::open(std::string source) {
  Lexer lexer;
  lexer.source_ = std::move(source);
  HONE_TRY(lexer.tokens_, scan(lexer.source_));
  return lexer;
}

const Token& Lexer::peek(size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token Lexer::take() {
  const Token& token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Lexer::at(std::string_view sign_or_word, size_t ahead) const {
  const Token& token = peek(ahead);
  return (token.kind == Token::Kind::Sign || token.kind == Token::Kind::Name) && token.text == sign_or_word;
}

bool Lexer::take_if(std::string_view sign_or_word) {
  if (!at(sign_or_word)) return false;
  take();
  return true;
}

Status Lexer::expect(std::string_view sign_or_word) {
  if (!take_if(sign_or_word)) return unexpected(fmt::format("'{}'", sign_or_word));
  return Done{};
}

Status Lexer::expect_end() {
  if (!at_end()) return unexpected("the end of the text");
  return Done{};
}

bool Lexer::at_name(size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind == Token::Kind::Quoted || (token.kind == Token::Kind::Name && !is_reserved(token.text));
}

Result<std::string> Lexer::name(std::string_view what) {
  if (at_name()) return take().text;
  if (peek().kind == Token::Kind::Name)
    return unexpected(fmt::format("{} (as a name it is written \"{}\")", what, peek().text));
  return unexpected(what);
}

Result<std::string> Lexer::key(std::string_view what) {
  if (peek().kind == Token::Kind::Name) return take().text;
  return name(what);
}

Result<int64_t> Lexer::integer(std::string_view what) {
  bool negative = at("-") && peek(1).kind == Token::Kind::Integer;
  if (negative) take();
  if (peek().kind != Token::Kind::Integer) return unexpected(what);
  int64_t value = take().integer;
  return negative ? negated(value) : value;
}

Result<double> Lexer::number(std::string_view what) {
  bool negative = take_if("-");
  double value = 0;
  if (peek().kind == Token::Kind::Integer || peek().kind == Token::Kind::Float)
    value = take().number;
  else if (take_if("inf"))
    value = std::numeric_limits<double>::infinity();
  else if (take_if("nan"))
    value = std::numeric_limits<double>::quiet_NaN();
  else
    return unexpected(what);
  return negative ? -value : value;
}

Error Lexer::unexpected(std::string_view wanted) const {
  return problem_at(peek(), fmt::format("found {}, expected {}", description_of(peek()), wanted));
}

Error Lexer::problem_at(const Token& token, const std::string& message) const {
  return error("{}:{}: {}", token.line, token.column, message);
}

Status Lexer::enter() {
  if (depth_ >= kMostDepth) return problem_at(peek(), fmt::format("more than {} levels of nesting", kMostDepth));
  ++depth_;
  return Done{};
}

int64_t negated(int64_t value) {
  return static_cast<int64_t>(0 - static_cast<uint64_t>(value));
}

bool is_reserved(std::string_view word) {
  return std::find(std::begin(kReserved), std::end(kReserved), word) != std::end(kReserved);
}

std::string quoted_text(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (c == '\n')
      quoted += "\\n";
    else if (c == '\t')
      quoted += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      quoted += fmt::format("\\x{:02x}", byte);
    else
      quoted += c;
  }
  return quoted + '"';
}

std::string key_text(std::string_view name) {
  return is_reserved(name) ? std::string(name) : name_text(name);
}

std::string name_text(std::string_view name) {
  bool plain =
      !name.empty() && starts_word(name[0]) && std::all_of(name.begin(), name.end(), in_word) && !is_reserved(name);
  return plain ? std::string(name) : quoted_text(name);
}

std::string integer_text(int64_t value) {
  return value == INT64_MIN ? "0x8000000000000000" : fmt::format("{}", value);
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return fmt::format("{}", value);
}

}  // namespace hone::ir::text
