// Reads the text form; private to parse*.cpp. Types of variables follow from their assignments, so that text needs none.
#pragma once

#include <map>
#include <string>

#include "ir/loop/loop.h"
#include "ir/loop/tokens.h"

namespace hone::ir::loop {

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens);
  Result<Function> function();

 private:
  const Token& next() const { return tokens_[at_]; }
  bool is(std::string_view text) const { return next().kind != Token::Kind::End && next().text == text; }
  bool take(std::string_view text);
  Status expect(std::string_view text);
  Result<std::string> name(const char* what);
  Result<int> count(const char* what);
  template <typename... Args>
  Error wrong(fmt::format_string<Args...> format, Args&&... args) const {
    return error("line {}: {}", tokens_[at_ > 0 ? at_ - 1 : 0].line, fmt::format(format, std::forward<Args>(args)...));
  }

  Status buffers();
  Status sizes();
  Result<Block> block();
  Result<Statement> statement();
  Result<Statement> loop();
  Result<Statement> branch();
  Result<Statement> store(const std::string& target);

  Result<Expr> expr(int precedence = 1);
  Result<Expr> index_expr(const char* what);  // a scalar i64
  Result<Expr> mask_expr(int lanes);
  Result<Expr> primary();
  Result<Expr> number(bool negative);
  Result<Expr> size_named(const std::string& text);
  Result<Expr> load(const std::string& target);
  Result<Expr> call(const std::string& word);
  Result<Expr> call_with_count(const std::string& word);
  Result<Expr> shuffle();
  Result<Expr> gather();
  Result<std::vector<Expr>> arguments();
  Result<VectorType> type();
  Result<int> buffer(const std::string& target) const;

  std::vector<Token> tokens_;
  size_t at_ = 0;
  Function function_;
  std::map<std::string, VectorType> types_;
};

}  // namespace hone::ir::loop
