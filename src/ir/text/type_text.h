// Text of tensor types: dtype '[' index, … ']', where every name is a symbol.
#pragma once

#include "ir/program/program.h"
#include "ir/text/lexer.h"

namespace hone::ir::text {

Result<TensorType> parse_type(Lexer& lexer);
std::string type_text(const TensorType& type);

}  // namespace hone::ir::text
