// From characters to tokens. The words are told in ir/text/lexer.h.
#pragma once

#include "ir/text/lexer.h"

namespace hone::ir::text {

bool starts_word(char c);
bool in_word(char c);

// The tokens of a text; the last is End.
Result<std::vector<Token>> scan(std::string_view source);

}  // namespace hone::ir::text
