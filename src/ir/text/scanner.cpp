#include "ir/text/scanner.h"

#include <cctype>
#include <charconv>

namespace hone::ir::text {
namespace {

constexpr std::string_view kLongSigns[] = {"//", "<=", "==", "->", ".."};

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

}  // namespace

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

Result<std::vector<Token>> scan(std::string_view source) {
  return Scanner(source).scan();
}

}  // namespace hone::ir::text
