#include "base/printable.h"

#include <fmt/format.h>

namespace hone {
namespace {

bool continues(std::string_view text, size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

// The bytes of the character that begins here; 0 if they are no UTF-8. Overlong forms and surrogates are none.
size_t character_bytes(std::string_view text, size_t at) {
  auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return 1;
  size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  for (size_t k = 1; k < length; ++k)
    if (!continues(text, at + k)) return 0;
  auto second = static_cast<unsigned char>(text[at + 1]);
  bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  bool outside = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || outside ? 0 : length;
}

}  // namespace

bool is_plain_text(std::string_view text) {
  for (size_t at = 0, length = 0; at < text.size(); at += length) {
    length = text[at] == '\0' ? 0 : character_bytes(text, at);
    if (length == 0) return false;
  }
  return true;
}

std::string printable(std::string_view text, size_t most, bool keep_lines) {
  std::string result;
  size_t at = 0;
  while (at < text.size() && at < most) {
    auto byte = static_cast<unsigned char>(text[at]);
    size_t length = character_bytes(text, at);
    if (byte == '\n' && !keep_lines)
      result += "\\n";
    else if (length == 0 || (byte < 0x20 && byte != '\n') || byte == 0x7F)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  if (at < text.size()) result += fmt::format("… ({} bytes more)", text.size() - at);
  return result;
}

}  // namespace hone
