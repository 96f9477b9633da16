#include "ir/loop/tokens.h"

#include <array>
#include <cctype>

namespace hone::ir::loop {
namespace {

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool in_name(char c) {
  return starts_name(c) || is_digit(c);
}

// A dot belongs to a name or number only if more of it follows; two dots are a range.
size_t name_length(std::string_view s) {
  size_t n = 1;
  while (n < s.size() && (in_name(s[n]) || (s[n] == '.' && n + 1 < s.size() && in_name(s[n + 1])))) ++n;
  return n;
}

size_t number_length(std::string_view s) {
  size_t n = 1;
  for (; n < s.size(); ++n) {
    const bool fraction = s[n] == '.' && n + 1 < s.size() && is_digit(s[n + 1]);
    const bool sign = (s[n] == '+' || s[n] == '-') && s[n - 1] == 'e';
    if (!is_digit(s[n]) && s[n] != 'e' && !fraction && !sign) break;
  }
  return n;
}

size_t symbol_length(std::string_view s) {
  constexpr std::array<std::string_view, 7> kPairs = {"..", "//", "<<", ">>", "<=", "==", "!="};
  for (std::string_view pair : kPairs)
    if (s.starts_with(pair)) return 2;
  constexpr std::string_view kSingles = "()[]{},;:=+-*/%&|^<";
  return kSingles.find(s[0]) == std::string_view::npos ? 0 : 1;
}

}  // namespace

Result<std::vector<Token>> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  int line = 1;
  while (!text.empty()) {
    const char c = text[0];
    if (std::isspace(static_cast<unsigned char>(c))) {
      line += c == '\n';
      text.remove_prefix(1);
      continue;
    }
    Token token{Token::Kind::Symbol, {}, line};
    size_t length = 0;
    if (starts_name(c)) {
      token.kind = Token::Kind::Name;
      length = name_length(text);
    } else if (is_digit(c)) {
      token.kind = Token::Kind::Number;
      length = number_length(text);
    } else {
      length = symbol_length(text);
    }
    if (length == 0) return error("line {}: '{}' begins nothing in Loop IR", line, c);
    token.text = text.substr(0, length);
    tokens.push_back(token);
    text.remove_prefix(length);
  }
  tokens.push_back({Token::Kind::End, "end of text", line});
  return tokens;
}

}  // namespace hone::ir::loop
