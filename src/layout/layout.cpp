#include "layout/layout.h"

#include <algorithm>
#include <optional>

#include "layout/primitives.h"

namespace hone::layout {
namespace {

// The parts of one dimension, from the innermost (divide 1) to the outermost.
std::vector<Part> parts_of(const Layout& layout, int dim) {
  std::vector<Part> parts;
  for (const Part& part : layout.parts)
    if (part.dim == dim) parts.push_back(part);
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.divide < b.divide; });
  return parts;
}

Status validate_dimension(const Layout& layout, int dim) {
  std::vector<Part> parts = parts_of(layout, dim);
  if (parts.empty()) return error("layout '{}' does not place dimension d{}; add it", text_of(layout), dim);
  int64_t covered = 1;
  for (size_t i = 0; i < parts.size(); ++i) {
    bool last = i + 1 == parts.size();
    if (parts[i].divide != covered)
      return error(
          "layout '{}' places d{} in blocks that do not fit together: a part with divisor {} is expected, "
          "found {}",
          text_of(layout), dim, covered, parts[i].divide);
    if (last != (parts[i].modulo == 0))
      return error("layout '{}': only the outermost part of d{} stands without a remainder, as in 'd{}/16 d{}%16'",
                   text_of(layout), dim, dim, dim);
    if (!last && __builtin_mul_overflow(covered, parts[i].modulo, &covered))
      return error("layout '{}': the blocks of d{} are too large", text_of(layout), dim);
  }
  return Done{};
}

}  // namespace

Layout row_major(int rank) {
  Layout layout;
  for (int dim = 0; dim < rank; ++dim) layout.parts.push_back({dim, 1, 0});
  return layout;
}

Layout permuted(const std::vector<int>& order) {
  Layout layout;
  for (int dim : order) layout.parts.push_back({dim, 1, 0});
  return layout;
}

Layout blocked(Layout layout, int dim, int64_t block) {
  HONE_CHECK(block >= 1, "block {} of d{}", block, dim);
  if (block == 1) return layout;
  const size_t outer = outermost_part(layout, dim);
  layout = split(std::move(layout), outer, block);
  auto inner = layout.parts.begin() + static_cast<std::ptrdiff_t>(outer) + 1;
  std::rotate(inner, inner + 1, layout.parts.end());
  return layout;
}

int64_t block_of(const Layout& layout, int dim) {
  for (const Part& part : layout.parts)
    if (part.dim == dim && part.modulo == 0) return part.divide;
  return 1;
}

std::vector<int64_t> part_sizes(const Layout& layout, const std::vector<int64_t>& shape) {
  std::vector<int64_t> sizes;
  for (const Part& part : layout.parts) {
    int64_t extent = shape.at(static_cast<size_t>(part.dim));
    sizes.push_back(part.modulo != 0 ? part.modulo : (extent + part.divide - 1) / part.divide);
  }
  return sizes;
}

int64_t element_count(const Layout& layout, const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (int64_t size : part_sizes(layout, shape)) count *= size;
  return count;
}

int64_t offset_of(const Layout& layout, const std::vector<int64_t>& shape, const std::vector<int64_t>& index) {
  std::vector<int64_t> sizes = part_sizes(layout, shape);
  int64_t offset = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const Part& part = layout.parts[i];
    int64_t at = index.at(static_cast<size_t>(part.dim)) / part.divide;
    offset = offset * sizes[i] + (part.modulo != 0 ? at % part.modulo : at);
  }
  return offset;
}

std::string text_of(const Layout& layout) {
  if (layout.parts.empty()) return "scalar";
  std::string text;
  for (const Part& part : layout.parts) {
    if (!text.empty()) text += ' ';
    text += fmt::format("d{}", part.dim);
    if (part.divide != 1) text += fmt::format("/{}", part.divide);
    if (part.modulo != 0) text += fmt::format("%{}", part.modulo);
  }
  return text;
}

Status validate(const Layout& layout, int rank) {
  for (const Part& part : layout.parts) {
    if (part.dim < 0 || part.dim >= rank)
      return error("layout '{}' names d{}, but the tensor has {} dimensions", text_of(layout), part.dim, rank);
    if (part.divide < 1 || part.modulo < 0 || part.modulo == 1)
      return error("layout '{}': a part of d{} has divisor {} and remainder {}; blocks are 2 or larger",
                   text_of(layout), part.dim, part.divide, part.modulo);
  }
  for (int dim = 0; dim < rank; ++dim) HONE_PASS(validate_dimension(layout, dim));
  return Done{};
}

}  // namespace hone::layout
