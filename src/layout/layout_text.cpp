#include <cctype>
#include <charconv>

#include "layout/layout.h"

namespace hone::layout {
namespace {

// A walk over the text that knows where it stands.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool at_end() const { return at_ == text_.size(); }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool at_blank() const { return at_end() || std::isspace(static_cast<unsigned char>(text_[at_])); }

  Result<int64_t> number(int64_t least, int64_t most, const char* what) {
    int64_t value = 0;
    auto [end, problem] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (problem == std::errc::invalid_argument) return unexpected(what);
    if (problem != std::errc() || value < least || value > most)
      return error("layout '{}', column {}: {} lies between {} and {}", text_, at_ + 1, what, least, most);
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  Error unexpected(const char* wanted) const {
    std::string found = at_end() ? "the end" : fmt::format("'{}'", text_[at_]);
    return error("layout '{}', column {}: found {}, expected {}", text_, at_ + 1, found, wanted);
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

constexpr int64_t kMostDims = 63;
constexpr int64_t kMostBlock = int64_t{1} << 31;

Result<Part> read_part(Reader& reader) {
  if (!reader.take('d')) return reader.unexpected("a part such as d0, d1/16 or d1%16");
  Part part;
  HONE_TRY(int64_t dim, reader.number(0, kMostDims, "the number of a dimension"));
  part.dim = static_cast<int>(dim);
  if (reader.take('/')) {
    HONE_TRY(part.divide, reader.number(2, kMostBlock, "a divisor"));
  }
  if (reader.take('%')) {
    HONE_TRY(part.modulo, reader.number(2, kMostBlock, "a block"));
  }
  if (!reader.at_blank()) return reader.unexpected("a blank after the part");
  return part;
}

}  // namespace

Result<Layout> parse_layout(std::string_view text) {
  Layout layout;
  Reader reader(text);
  reader.skip_blanks();
  if (reader.take_word("scalar")) {
    reader.skip_blanks();
    if (!reader.at_end()) return reader.unexpected("nothing more after 'scalar'");
    return layout;
  }
  do {
    HONE_TRY(Part part, read_part(reader));
    layout.parts.push_back(part);
    reader.skip_blanks();
  } while (!reader.at_end());
  return layout;
}

}  // namespace hone::layout
