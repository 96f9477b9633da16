// Texts that come from a model file, made fit for messages.
#pragma once

#include <string>
#include <string_view>

namespace hone {

// Control characters and what is no UTF-8 as \xNN, line feeds as \n unless they are kept, and no more than `most` bytes
// of the text: a name in a model may hold anything, and as much of it as it likes.
std::string printable(std::string_view text, size_t most, bool keep_lines = false);

// UTF-8 without a NUL, which C and Python can hand on whole.
bool is_plain_text(std::string_view text);

}  // namespace hone
