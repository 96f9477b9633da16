#include "ir/text/constants.h"

#include <cmath>
#include <cstring>

#include "base/hash.h"

namespace hone::ir::text {
namespace {

constexpr size_t kMostWritten = 16;
constexpr int64_t kMostElements = int64_t{1} << 20;  // of a text; it writes no more

std::string_view bytes_of(const ConstantData& constant) {
  return {reinterpret_cast<const char*>(constant.data), constant.bytes};
}

uint64_t bits_at(const std::byte* data, size_t size) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, size);
  return bits;
}

std::string float_text(float value) {
  std::string text = fmt::format("{}", value);
  return static_cast<float>(std::stod(text)) == value ? text : number_text(value);
}

std::string element_text(DType type, const std::byte* data) {
  uint64_t bits = bits_at(data, size_of(type));
  std::string as_bits = fmt::format("0x{:x}", bits);
  switch (type) {
    case DType::F32: {
      float value;
      std::memcpy(&value, data, sizeof value);
      return std::isnan(value) ? as_bits : std::isinf(value) ? number_text(value) : float_text(value);
    }
    case DType::F64: {
      double value;
      std::memcpy(&value, data, sizeof value);
      return std::isnan(value) ? as_bits : number_text(value);
    }
    case DType::F16:
    case DType::BF16:
    case DType::F8E4M3FN:
    case DType::F8E4M3FNUZ:
    case DType::F8E5M2:
    case DType::F8E5M2FNUZ:
    case DType::F8E8M0:
    case DType::F4E2M1:
    case DType::I4:
    case DType::U4:
    case DType::I2:
    case DType::U2:
      return as_bits;
    case DType::I8:
      return fmt::format("{}", static_cast<int8_t>(bits));
    case DType::I16:
      return fmt::format("{}", static_cast<int16_t>(bits));
    case DType::I32:
      return fmt::format("{}", static_cast<int32_t>(bits));
    case DType::I64:
      return integer_text(static_cast<int64_t>(bits));
    case DType::U8:
    case DType::U16:
    case DType::U32:
      return fmt::format("{}", bits);
    case DType::U64:
      return bits >> 63 ? as_bits : fmt::format("{}", bits);
    case DType::Bool:
      return bits > 1 ? as_bits : bits ? "true" : "false";
  }
  HONE_CHECK(false, "unknown type");
}

Result<int64_t> element_count(Lexer& lexer, const TensorType& type) {
  int64_t count = 1;
  for (const Index& size : type.shape) {
    if (!size.constant() || *size.constant() < 0)
      return lexer.problem_at(lexer.peek(), fmt::format("a constant has sizes known now, not {}", size.text()));
    if (__builtin_mul_overflow(count, *size.constant(), &count))
      return lexer.problem_at(lexer.peek(), "this constant is larger than memory");
  }
  return count;
}

Result<uint64_t> element_bits(Lexer& lexer, DType type) {
  Token token = lexer.peek();
  bool hexadecimal = token.kind == Token::Kind::Integer && token.text.starts_with("0x");
  if (hexadecimal) return static_cast<uint64_t>(lexer.take().integer);
  if (type == DType::Bool) {
    if (!lexer.at("true") && !lexer.at("false")) return lexer.unexpected("true or false");
    return uint64_t{lexer.take().text == "true"};
  }
  if (is_integer(type)) {
    HONE_TRY(int64_t value, lexer.integer("a whole number"));
    return static_cast<uint64_t>(value);
  }
  if (type != DType::F32 && type != DType::F64)
    return lexer.unexpected(fmt::format("the bits of a {}, as 0x…", name_of(type)));
  HONE_TRY(double value, lexer.number("a number"));
  float narrow = static_cast<float>(value);
  uint64_t bits = 0;
  if (type == DType::F32)
    std::memcpy(&bits, &narrow, sizeof narrow);
  else
    std::memcpy(&bits, &value, sizeof value);
  return bits;
}

Status check_width(Lexer& lexer, const Token& token, DType type, uint64_t bits) {
  size_t width = size_of(type) * 8;
  int64_t value = static_cast<int64_t>(bits);
  bool fits = width == 64 || bits >> width == 0 || (is_signed(type) && value < 0 && value >> (width - 1) == -1);
  if (!fits) return lexer.problem_at(token, fmt::format("{} is no value of type {}", token.text, name_of(type)));
  return Done{};
}

Result<ConstantData> hashed_constant(Lexer& lexer, size_t bytes, const ConstantProvider& provider) {
  Token token = lexer.peek();
  HONE_TRY(int64_t hash, lexer.integer("a hash, as 0x…"));
  std::optional<ConstantData> found = provider ? provider(static_cast<uint64_t>(hash)) : std::nullopt;
  if (!found)
    return lexer.problem_at(
        token, fmt::format("the bytes of constant {} are not at hand; a text names them only", token.text));
  if (found->bytes != bytes)
    return lexer.problem_at(
        token, fmt::format("constant {} has {} bytes, its type takes {}", token.text, found->bytes, bytes));
  return *found;
}

}  // namespace

Result<ConstantData> parse_constant(Lexer& lexer, const TensorType& type, const ConstantProvider& provider) {
  HONE_TRY(int64_t count, element_count(lexer, type));
  size_t width = size_of(type.dtype);
  if (lexer.take_if("hash")) return hashed_constant(lexer, static_cast<size_t>(count) * width, provider);
  if (count > kMostElements)
    return lexer.problem_at(lexer.peek(), fmt::format("{} elements are too many to write", count));
  auto bytes = std::make_shared<std::vector<std::byte>>();
  Token open = lexer.peek();
  HONE_PASS(lexer.expect("{"));
  if (!lexer.at("}")) do {
      Token token = lexer.peek();
      HONE_TRY(uint64_t bits, element_bits(lexer, type.dtype));
      HONE_PASS(check_width(lexer, token, type.dtype, bits));
      const std::byte* first = reinterpret_cast<const std::byte*>(&bits);
      bytes->insert(bytes->end(), first, first + width);
    } while (lexer.take_if(","));
  HONE_PASS(lexer.expect("}"));
  if (bytes->size() != static_cast<size_t>(count) * width)
    return lexer.problem_at(open, fmt::format("found {} elements, expected {}", bytes->size() / width, count));
  const std::byte* data = bytes->data();
  return ConstantData{data, bytes->size(), std::move(bytes)};
}

std::string constant_text(const TensorType& type, const ConstantData& constant) {
  size_t width = size_of(type.dtype), count = constant.bytes / width;
  if (count > kMostWritten) return fmt::format("hash 0x{:016x}", hash_bytes(bytes_of(constant)));
  std::string text;
  for (size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + element_text(type.dtype, constant.data + i * width);
  return "{" + text + "}";
}

}  // namespace hone::ir::text
