#include "ir/text/lexer.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace hone::ir::text {
namespace {

constexpr int kMostDepth = 128;

// Words that have a meaning where a name could stand too.
constexpr std::string_view kReserved[] = {"_",   "cast", "const", "false", "grid",    "group", "inf",  "let", "loop",
                                          "max", "min",  "nan",   "prod",  "program", "sum",   "then", "true"};

constexpr std::string_view kLongSigns[] = {"//", "<=", "==", "->", ".."};

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  Result<std::vector<Token>> scan() {
    std::vector<Token> tokens;
    do {
      skip_blanks();
      HONE_TRY(Token token, next());
      tokens.push_back(std::move(token));
    } while (tokens.back().kind != Token::Kind::End);
    return tokens;
  }

 private:
  char look(size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }

  void advance() {
    if (source_[at_] == '\n') {
      ++line_;
      line_begin_ = at_ + 1;
    }
    ++at_;
  }

  void skip_blanks() {
    while (at_ < source_.size()) {
      if (std::isspace(static_cast<unsigned char>(look()))) {
        advance();
      } else if (look() == '#' && look(1) != '(') {
        while (at_ < source_.size() && look() != '\n') advance();
      } else {
        return;
      }
    }
  }

  Error problem(const Token& token, const std::string& message) const {
    return error("{}:{}: {}", token.line, token.column, message);
  }

  Result<Token> next() {
    Token token;
    token.begin = token.end = at_;
    token.line = line_;
    token.column = static_cast<int>(at_ - line_begin_) + 1;
    if (at_ == source_.size()) return token;
    HONE_PASS(look() == '"'         ? quoted(token)
              : is_digit(look())    ? number(token)
              : starts_word(look()) ? word(token)
                                    : sign(token));
    token.end = at_;
    return token;
  }

  Status word(Token& token) {
    token.kind = Token::Kind::Name;
    while (in_word(look())) ++at_;
    token.text = source_.substr(token.begin, at_ - token.begin);
    return Done{};
  }

  Status sign(Token& token) {
    token.kind = Token::Kind::Sign;
    for (std::string_view candidate : kLongSigns)
      if (source_.substr(at_).starts_with(candidate)) token.text = candidate;
    if (token.text.empty()) token.text = look();
    if (!std::isprint(static_cast<unsigned char>(look())))
      return problem(token, fmt::format("found byte 0x{:02x}, expected text", static_cast<unsigned char>(look())));
    at_ += token.text.size();
    return Done{};
  }

  Status quoted(Token& token) {
    token.kind = Token::Kind::Quoted;
    ++at_;
    while (look() != '"') {
      if (at_ >= source_.size() || look() == '\n') return problem(token, "this quoted name has no end; add '\"'");
      char c = look();
      ++at_;
      if (c == '\\') {
        HONE_PASS(escape(token, c));
      }
      token.text += c;
    }
    ++at_;
    return Done{};
  }

  Status escape(const Token& token, char& c) {
    c = look();
    ++at_;
    if (c == 'n')
      c = '\n';
    else if (c == 't')
      c = '\t';
    else if (c == 'x') {
      int high = hex_digit(look()), low = high < 0 ? -1 : hex_digit(look(1));
      if (low < 0) return problem(token, "'\\x' takes two hexadecimal digits");
      c = static_cast<char>(high * 16 + low);
      at_ += 2;
    } else if (c != '"' && c != '\\') {
      return problem(token, "in quotes, '\\' stands before '\"', '\\', n, t or x only");
    }
    return Done{};
  }

  Status number(Token& token) {
    token.kind = Token::Kind::Integer;
    if (look() == '0' && (look(1) == 'x' || look(1) == 'X')) return hex_number(token);
    while (is_digit(look())) ++at_;
    if (look() == '.' && is_digit(look(1))) {
      token.kind = Token::Kind::Float;
      ++at_;
      while (is_digit(look())) ++at_;
    }
    if (look() == 'e' || look() == 'E') {
      size_t sign = look(1) == '+' || look(1) == '-' ? 1 : 0;
      if (is_digit(look(1 + sign))) {
        token.kind = Token::Kind::Float;
        at_ += 1 + sign;
        while (is_digit(look())) ++at_;
      }
    }
    return finish_number(token);
  }

  Status finish_number(Token& token) {
    const char *first = source_.data() + token.begin, *last = source_.data() + at_;
    token.text.assign(first, last);
    if (starts_word(look()))
      return problem(token, fmt::format("'{}{}' is neither a number nor a name", token.text, look()));
    if (token.kind == Token::Kind::Integer && std::from_chars(first, last, token.integer).ec != std::errc())
      return problem(token, fmt::format("{} is larger than 2^63 - 1", token.text));
    if (std::from_chars(first, last, token.number).ec != std::errc())
      return problem(token, fmt::format("{} does not fit a double", token.text));
    return Done{};
  }

  Status hex_number(Token& token) {
    at_ += 2;
    size_t digits = at_;
    while (hex_digit(look()) >= 0) ++at_;
    token.text = source_.substr(token.begin, at_ - token.begin);
    uint64_t bits = 0;
    auto [end, trouble] = std::from_chars(source_.data() + digits, source_.data() + at_, bits, 16);
    if (trouble != std::errc() || in_word(look()))
      return problem(token, fmt::format("'{}' is no hexadecimal number of at most 64 bits", token.text));
    token.integer = static_cast<int64_t>(bits);
    token.number = static_cast<double>(bits);
    return Done{};
  }

  std::string_view source_;
  size_t at_ = 0, line_begin_ = 0;
  int line_ = 1;
};

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
  HONE_TRY(lexer.tokens_, Scanner(lexer.source_).scan());
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
  return negative ? static_cast<int64_t>(0 - static_cast<uint64_t>(value)) : value;
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

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return fmt::format("{}", value);
}

}  // namespace hone::ir::text
