// A kernel as a part of a longer text. The grammar stands in ir/mugraph/kernel.h.
#pragma once

#include "ir/mugraph/kernel.h"
#include "ir/text/lexer.h"

namespace hone::ir::text {

Result<Kernel> parse_kernel(Lexer& lexer);
std::string kernel_text(const Kernel& kernel, int indent = 0);

}  // namespace hone::ir::text
