// Text of constant tensors.
//
//   constant := '{' (element (',' element)*)? '}' | 'hash' 0x…
//   element  := number | 'true' | 'false' | 0x…                 (hexadecimal: the bits of the element)
//
// Up to 16 elements are written out; f16 and bf16 as bits, and so is NaN. A larger constant is named by the hash of its
// bytes, and reading it back needs someone who holds the bytes.
#pragma once

#include "ir/mugraph/kernel_graph.h"
#include "ir/text/lexer.h"

namespace hone::ir::text {

// The bytes with this hash (hash_bytes of base/hash.h); nothing if they are not at hand.
using ConstantProvider = std::function<std::optional<ConstantData>(uint64_t hash)>;

Result<Program> parse_program(std::string_view source, const ConstantProvider& provider);
Result<KernelGraph> parse_kernel_graph(std::string_view source, const ConstantProvider& provider);

// Parts of longer texts.
Result<ConstantData> parse_constant(Lexer& lexer, const TensorType& type, const ConstantProvider& provider);
std::string constant_text(const TensorType& type, const ConstantData& constant);

}  // namespace hone::ir::text
