#include <charconv>

#include "ir/loop/parser.h"

namespace hone::ir::loop {

Parser::Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {
  types_["task_begin"] = types_["task_end"] = VectorType{};
}

bool Parser::take(std::string_view text) {
  if (!is(text)) return false;
  ++at_;
  return true;
}

Status Parser::expect(std::string_view text) {
  if (take(text)) return Done{};
  return wrong("expected '{}' before '{}'", text, next().text);
}

Result<std::string> Parser::name(const char* what) {
  if (next().kind != Token::Kind::Name) return wrong("expected {} before '{}'", what, next().text);
  return std::string(tokens_[at_++].text);
}

Result<int> Parser::count(const char* what) {
  int value = 0;
  const std::string_view text = next().text;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (next().kind != Token::Kind::Number || read.ec != std::errc() || read.ptr != text.data() + text.size())
    return wrong("expected {} before '{}'", what, text);
  ++at_;
  return value;
}

Result<Function> Parser::function() {
  HONE_PASS(expect("function"));
  HONE_TRY(function_.name, name("the name of the function"));
  HONE_PASS(expect("("));
  HONE_PASS(sizes());
  HONE_PASS(buffers());
  HONE_PASS(expect(")"));
  HONE_TRY(function_.body, block());
  if (next().kind != Token::Kind::End) return wrong("'{}' after the end of the function", next().text);
  HONE_PASS(validate(function_));
  return std::move(function_);
}

Status Parser::sizes() {
  HONE_PASS(expect("sizes"));
  while (next().kind == Token::Kind::Name) {
    HONE_TRY(std::string size_name, name("a size"));
    function_.sizes.push_back(std::move(size_name));
    if (!take(",")) break;
  }
  return expect(";");
}

Status Parser::buffers() {
  HONE_PASS(expect("buffers"));
  while (next().kind == Token::Kind::Name) {
    LoopBuffer buffer;
    HONE_TRY(buffer.name, name("a buffer"));
    HONE_PASS(expect(":"));
    HONE_TRY(const VectorType element, type());
    buffer.dtype = element.element;
    buffer.scratch = take("at");
    if (buffer.scratch) {
      HONE_TRY(buffer.byte_offset, index_expr("a byte offset"));
    }
    function_.buffers.push_back(std::move(buffer));
    if (!take(",")) break;
  }
  return Done{};
}

Result<Block> Parser::block() {
  HONE_PASS(expect("{"));
  Block statements;
  while (!take("}")) {
    HONE_TRY(Statement s, statement());
    statements.push_back(std::move(s));
  }
  return statements;
}

Result<int> Parser::buffer(const std::string& target) const {
  for (size_t i = 0; i < function_.buffers.size(); ++i)
    if (function_.buffers[i].name == target) return static_cast<int>(i);
  return wrong("there is no buffer '{}'", target);
}

Result<Statement> Parser::statement() {
  HONE_TRY(const std::string word, name("a statement"));
  if (word == "for") return loop();
  if (word == "if") return branch();
  if (word == "part") {
    HONE_TRY(Block body, block());
    return part(std::move(body));
  }
  if (word == "prefetch") {
    HONE_TRY(const std::string target, name("a buffer"));
    HONE_TRY(const int place, buffer(target));
    HONE_PASS(expect("["));
    HONE_TRY(const Expr offset, index_expr("an offset"));
    HONE_PASS(expect("]"));
    return prefetch(place, offset);
  }
  if ((word == "stream" || word == "alone") && !is("=") && !is("[")) {
    HONE_TRY(const std::string target, name("a buffer"));
    HONE_TRY(Statement stored, store(target));
    const bool streams = word == "stream";
    if (stored.args.size() > 2) return wrong("what is {} has no mask", streams ? "streamed" : "stored alone");
    (streams ? stored.stream : stored.alone) = true;
    return stored;
  }
  if (is("[")) return store(word);
  HONE_PASS(expect("="));
  HONE_TRY(const Expr value, expr());
  types_[word] = value->type;
  return assign(word, value);
}

Result<Statement> Parser::store(const std::string& target) {
  HONE_TRY(const int place, buffer(target));
  HONE_PASS(expect("["));
  HONE_TRY(const Expr offset, index_expr("an offset"));
  HONE_PASS(expect("]"));
  HONE_PASS(expect("="));
  HONE_TRY(const Expr value, expr());
  if (!take("where")) return ir::loop::store(place, offset, value);
  HONE_TRY(const Expr mask, mask_expr(value->type.lanes));
  return ir::loop::store(place, offset, value, mask);
}

Result<Statement> Parser::loop() {
  HONE_TRY(const std::string counter, name("a loop variable"));
  HONE_PASS(expect("in"));
  HONE_TRY(const Expr lo, index_expr("a bound"));
  HONE_PASS(expect(".."));
  HONE_TRY(const Expr hi, index_expr("a bound"));
  HONE_PASS(expect("by"));
  HONE_TRY(const Expr step, index_expr("a step"));
  types_[counter] = VectorType{};
  HONE_TRY(Block body, block());
  return for_loop(counter, lo, hi, step, std::move(body));
}

Result<Statement> Parser::branch() {
  HONE_TRY(const Expr condition, mask_expr(1));
  HONE_TRY(Block then, block());
  Block otherwise;
  if (take("else")) {
    HONE_TRY(otherwise, block());
  }
  return if_else(condition, std::move(then), std::move(otherwise));
}

Result<Function> parse_function(std::string_view text) {
  HONE_TRY(std::vector<Token> tokens, tokens_of(text));
  return Parser(std::move(tokens)).function();
}

}  // namespace hone::ir::loop
