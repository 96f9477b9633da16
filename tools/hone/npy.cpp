#include "hone/npy.h"

#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

namespace hone::tools {
namespace {

using ir::DType;

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr size_t kMostHeader = 1 << 16;

struct TypeCode {
  const char* code;
  DType type;
};
constexpr TypeCode kCodes[] = {
    {"f4", DType::F32}, {"f8", DType::F64}, {"f2", DType::F16}, {"i1", DType::I8},
    {"i2", DType::I16}, {"i4", DType::I32}, {"i8", DType::I64}, {"u1", DType::U8},
    {"u2", DType::U16}, {"u4", DType::U32}, {"u8", DType::U64}, {"b1", DType::Bool},
};

std::string code_of(DType type) {
  if (ir::is_storage(type)) type = DType::U8;
  for (const TypeCode& entry : kCodes)
    if (entry.type == type) return (ir::size_of(type) == 1 ? "|" : "<") + std::string(entry.code);
  return "";
}

struct Header {
  DType type = DType::F32;
  std::vector<int64_t> shape;
};

// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }: a literal of Python with these three keys.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  Result<Header> read() {
    Header header;
    bool has_type = false, has_order = false, has_shape = false;
    HONE_PASS(expect('{'));
    while (!take('}')) {
      HONE_TRY(std::string_view key, quoted());
      HONE_PASS(expect(':'));
      if (key == "descr" && !has_type) {
        HONE_TRY(header.type, type());
        has_type = true;
      } else if (key == "fortran_order" && !has_order) {
        HONE_PASS(row_major());
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        HONE_TRY(header.shape, shape());
        has_shape = true;
      } else {
        return error("its header has the key '{}' where descr, fortran_order and shape are due once each", key);
      }
      if (!take(',')) {
        HONE_PASS(expect('}'));
        break;
      }
    }
    if (!has_type || !has_order || !has_shape) return error("its header lacks descr, fortran_order or shape");
    return header;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  bool take(char wanted) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  Status expect(char wanted) {
    if (take(wanted)) return Done{};
    return error("its header has no '{}' at character {}", wanted, at_);
  }

  Result<std::string_view> quoted() {
    skip_space();
    char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') return error("its header has no quoted text at character {}", at_);
    size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return error("its header has a text without end");
    std::string_view result = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return result;
  }

  Result<DType> type() {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[') return error("it holds records; a plain array would work");
    HONE_TRY(std::string_view code, quoted());
    if (!code.empty() && code[0] == '>')
      return error("it is big-endian ({}); x.astype('<{}') would work", code, code.substr(1));
    for (const TypeCode& entry : kCodes)
      if (code.size() == 3 && code.substr(1) == entry.code && (code[0] == '<' || code[0] == '|')) return entry.type;
    return error("its type '{}' is not known; floats, integers and bool of up to 8 bytes are", code);
  }

  Status row_major() {
    skip_space();
    if (text_.substr(at_, 4) == "True") return error("it is in Fortran order; np.ascontiguousarray(x) would work");
    if (text_.substr(at_, 5) != "False") return error("its header says neither True nor False for fortran_order");
    at_ += 5;
    return Done{};
  }

  Result<std::vector<int64_t>> shape() {
    std::vector<int64_t> sizes;
    HONE_PASS(expect('('));
    while (!take(')')) {
      HONE_TRY(int64_t size, integer());
      sizes.push_back(size);
      if (take(',')) continue;
      HONE_PASS(expect(')'));
      break;
    }
    return sizes;
  }

  Result<int64_t> integer() {
    skip_space();
    size_t begin = at_;
    int64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_] - '0', &value))
        return error("its shape is out of range");
    if (at_ == begin) return error("its shape has no number at character {}", at_);
    return value;
  }

  std::string_view text_;
  size_t at_ = 0;
};

std::optional<size_t> bytes_of(const Header& header) {
  int64_t bytes = static_cast<int64_t>(ir::size_of(header.type));
  for (int64_t size : header.shape)
    if (__builtin_mul_overflow(bytes, size, &bytes)) return std::nullopt;
  return static_cast<size_t>(bytes);
}

// The length of the header takes two bytes in version 1 and four later.
Result<std::string> read_header(std::istream& in) {
  char start[8];
  if (!in.read(start, sizeof start) || std::string_view(start, 6) != kMagic) return error("it is no .npy file");
  int version = start[6];
  if (version < 1 || version > 3) return error("it has version {} of the format; 1 to 3 would work", version);
  unsigned char length_bytes[4] = {};
  if (!in.read(reinterpret_cast<char*>(length_bytes), version == 1 ? 2 : 4)) return error("it ends in its header");
  size_t length = 0;
  for (int k = 3; k >= 0; --k) length = length << 8 | length_bytes[k];
  if (length > kMostHeader) return error("its header takes {} bytes", length);
  std::string header(length, '\0');
  if (!in.read(header.data(), static_cast<std::streamsize>(length))) return error("it ends in its header");
  return header;
}

Result<eval::Tensor> read_stream(std::istream& in, size_t file_bytes) {
  HONE_TRY(std::string text, read_header(in));
  HONE_TRY(Header header, HeaderReader(text).read());
  std::optional<size_t> wanted = bytes_of(header);
  size_t there = file_bytes - static_cast<size_t>(in.tellg());
  if (wanted != there)
    return error("its shape {} of {} does not go with the {} bytes that follow", eval::text_of(header.shape),
                 ir::name_of(header.type), there);
  eval::Tensor tensor{header.type, header.shape, std::vector<std::byte>(there)};
  if (!in.read(reinterpret_cast<char*>(tensor.bytes.data()), static_cast<std::streamsize>(there)))
    return error("it cannot be read to its end");
  return tensor;
}

std::string header_of(const eval::Tensor& tensor) {
  std::string shape;
  for (int64_t size : tensor.shape) shape += fmt::format("{}, ", size);
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", code_of(tensor.dtype), shape);
  constexpr size_t kBefore = 10;  // magic, version, length
  text.append(63 - (kBefore + text.size()) % 64, ' ');
  return text + '\n';
}

}  // namespace

Result<eval::Tensor> read_npy(const std::filesystem::path& file) {
  std::error_code failed;
  auto bytes = std::filesystem::file_size(file, failed);
  std::ifstream in(file, std::ios::binary);
  if (failed || !in)
    return error("'{}' cannot be read: {}", file.string(), failed ? failed.message() : "no permission");
  auto tensor = read_stream(in, bytes);
  if (!tensor) return error("'{}' cannot be taken: {}", file.string(), tensor.problem().message);
  return tensor;
}

Status write_npy(const std::filesystem::path& file, const eval::Tensor& tensor) {
  if (tensor.dtype == DType::BF16)
    return write_npy(file, eval::filled(DType::F32, tensor.shape, eval::values_of(tensor)));
  std::string header = header_of(tensor);
  HONE_CHECK(header.size() < kMostHeader, "header of {} bytes", header.size());
  std::ofstream out(file, std::ios::binary);
  out.write(kMagic.data(), kMagic.size());
  const char start[] = {1, 0, static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  out.write(start, sizeof start);
  out.write(header.data(), static_cast<std::streamsize>(header.size()));
  out.write(reinterpret_cast<const char*>(tensor.bytes.data()), static_cast<std::streamsize>(tensor.bytes.size()));
  out.flush();
  if (!out) return error("'{}' cannot be written", file.string());
  return Done{};
}

}  // namespace hone::tools
