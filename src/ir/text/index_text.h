// Text of index expressions.
//
//   index  := term (('+' | '-') term)*
//   term   := factor (('*' | '//' | '%') factor)*
//   factor := integer | name | '-' factor | '(' index ')' | ('min' | 'max') '(' index ',' index ')' | read
//
// A name that IndexScope knows as an axis is one; all others are symbols. What a read looks like is the scope's affair:
// `$k`, or an access written in place.
#pragma once

#include "ir/index.h"
#include "ir/text/lexer.h"

namespace hone::ir::text {

struct IndexScope {
  std::function<bool(const std::string&)> is_axis;
  // Reads what stands at the lexer if it is a read, as Index::read; nothing if it is not one.
  std::function<Result<std::optional<Index>>(Lexer&)> read;
};

Result<Index> parse_index(Lexer& lexer, const IndexScope& scope);
// '[' index, … ']'
Result<std::vector<Index>> parse_indices(Lexer& lexer, const IndexScope& scope);

// The normal form, with names quoted where needed. read_text gives the text of `$k`.
std::string index_text(const Index& index, const std::function<std::string(int)>& read_text = nullptr);
std::string indices_text(const std::vector<Index>& indices, const std::function<std::string(int)>& read_text = nullptr);

// A whole text that is one index, without reads.
Result<Index> parse_index(std::string_view source, const std::vector<std::string>& axes = {});

}  // namespace hone::ir::text
