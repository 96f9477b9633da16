// The words of every text form of the IR: one lexer, so that numbers, names, comments and error places are the same in
// kernels, plans, graphs, programs and loops.
//
//   name    := letter or '_', then letters, digits, '_'  |  '"' any text, with \" \\ \n \t \xNN, '"'
//   number  := 42 | 0x2a | 4.2 | 4.2e-1
//   comment := '#' to the end of the line, unless '(' follows at once (`#(i + 1)` is the value of an index)
//
// Blanks and line ends only separate. A name that is no plain word, or is a reserved word, stands in quotes; name_text
// does that. A problem reads `line:column: found …, expected …`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hone::ir::text {

struct Token {
  enum class Kind { Name, Quoted, Integer, Float, Sign, End };
  Kind kind = Kind::End;
  std::string text;           // Name, Quoted: the name. Sign: itself. Numbers: as written
  int64_t integer = 0;        // Integer
  double number = 0;          // Integer, Float
  size_t begin = 0, end = 0;  // in the source
  int line = 1, column = 1;
};

// The tokens of one text and a place among them. Parsers take a Lexer& and leave it after what they read.
class Lexer {
 public:
  static Result<Lexer> open(std::string source);

  const Token& peek(size_t ahead = 0) const;
  Token take();
  bool at_end() const { return peek().kind == Token::Kind::End; }

  // A sign such as "(" or "//", or an unquoted word.
  bool at(std::string_view sign_or_word, size_t ahead = 0) const;
  bool take_if(std::string_view sign_or_word);
  Status expect(std::string_view sign_or_word);
  Status expect_end();

  // A name that may be given to things: quoted, or a word that is not reserved.
  bool at_name(size_t ahead = 0) const;
  Result<std::string> name(std::string_view what);
  // A name where no reserved word could stand.
  Result<std::string> key(std::string_view what);
  // With an optional minus.
  Result<int64_t> integer(std::string_view what);
  Result<double> number(std::string_view what);  // also inf, -inf, nan

  Error unexpected(std::string_view wanted) const;
  // A problem of another kind at a token.
  Error problem_at(const Token& token, const std::string& message) const;

  // Source text between two places, for parsers of foreign text.
  std::string_view source(size_t begin, size_t end) const {
    return std::string_view(source_).substr(begin, end - begin);
  }

  // Bounds recursion: enter() fails when texts nest too deeply, and every success is paired with leave().
  Status enter();
  void leave() { --depth_; }

 private:
  std::string source_;
  std::vector<Token> tokens_;  // the last is End
  size_t at_ = 0;
  int depth_ = 0;
};

// Calls enter and leave around a scope.
class Nesting {
 public:
  explicit Nesting(Lexer& lexer) : lexer_(lexer), status_(lexer.enter()) {}
  ~Nesting() {
    if (status_.ok()) lexer_.leave();
  }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  const Status& status() const { return status_; }

 private:
  Lexer& lexer_;
  Status status_;
};

int64_t negated(int64_t value);  // the least one stays itself
bool is_reserved(std::string_view word);
std::string name_text(std::string_view name);    // plain, or in quotes where it must
std::string key_text(std::string_view name);     // as name_text, but reserved words stay plain
std::string quoted_text(std::string_view text);  // always in quotes
std::string integer_text(int64_t value);         // decimal but for the least, whose digits are no int64_t
std::string number_text(double value);           // shortest text that gives the same double; may be inf, -inf, nan

}  // namespace hone::ir::text
