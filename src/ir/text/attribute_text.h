// Text of attributes.
//
//   attributes := '{' name '=' value (',' name '=' value)* '}'
//   value      := integer | number with a fraction or exponent | "text" | '[' (number (',' number)*)? ']' (':' 'f64')?
//
// A list with a fraction in it is one of floats; ':f64' says so of an empty one.
#pragma once

#include "ir/program/program.h"
#include "ir/text/lexer.h"

namespace hone::ir::text {

using Attributes = std::map<std::string, Attribute>;

Result<Attributes> parse_attributes(Lexer& lexer);          // empty if no '{' stands here
std::string attributes_text(const Attributes& attributes);  // with a blank in front; "" if there are none

// A label: 'as' "text". Empty if there is none.
Result<std::string> parse_label(Lexer& lexer);
std::string label_text(const std::string& label);

}  // namespace hone::ir::text
