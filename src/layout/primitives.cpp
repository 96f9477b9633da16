#include "layout/primitives.h"

#include <algorithm>

namespace hone::layout {

bool can_split(const Layout& layout, size_t part, int64_t factor) {
  if (part >= layout.parts.size() || factor < 2) return false;
  const Part& whole = layout.parts[part];
  int64_t ignored;
  if (whole.modulo == 0) return !__builtin_mul_overflow(whole.divide, factor, &ignored);
  return whole.modulo % factor == 0 && whole.modulo > factor;
}

Layout split(Layout layout, size_t part, int64_t factor) {
  HONE_CHECK(can_split(layout, part, factor), "part {} of '{}' by {}", part, text_of(layout), factor);
  Part& outer = layout.parts[part];
  const Part inner{outer.dim, outer.divide, factor};
  outer = {outer.dim, outer.divide * factor, outer.modulo / factor};
  layout.parts.insert(layout.parts.begin() + static_cast<std::ptrdiff_t>(part) + 1, inner);
  return layout;
}

bool can_fuse(const Layout& layout, size_t part) {
  if (part + 1 >= layout.parts.size()) return false;
  const Part &outer = layout.parts[part], &inner = layout.parts[part + 1];
  return outer.dim == inner.dim && inner.modulo != 0 && outer.divide == inner.divide * inner.modulo;
}

Layout fuse(Layout layout, size_t part) {
  HONE_CHECK(can_fuse(layout, part), "parts {} and {} of '{}'", part, part + 1, text_of(layout));
  Part& outer = layout.parts[part];
  const Part inner = layout.parts[part + 1];
  outer = {outer.dim, inner.divide, outer.modulo * inner.modulo};
  layout.parts.erase(layout.parts.begin() + static_cast<std::ptrdiff_t>(part) + 1);
  return layout;
}

Layout reorder(const Layout& layout, const std::vector<size_t>& order) {
  HONE_CHECK(order.size() == layout.parts.size(), "{} places for the {} parts of '{}'", order.size(),
             layout.parts.size(), text_of(layout));
  Layout result;
  std::vector<bool> placed(order.size());
  for (size_t part : order) {
    HONE_CHECK(part < placed.size() && !placed[part], "part {} of '{}' in an order", part, text_of(layout));
    placed[part] = true;
    result.parts.push_back(layout.parts[part]);
  }
  return result;
}

Layout pad(const Layout& layout, int dim, int64_t multiple) {
  return split(layout, outermost_part(layout, dim), multiple);
}

size_t outermost_part(const Layout& layout, int dim) {
  auto found = std::find_if(layout.parts.begin(), layout.parts.end(),
                            [&](const Part& part) { return part.dim == dim && part.modulo == 0; });
  HONE_CHECK(found != layout.parts.end(), "layout '{}' has no dimension d{}", text_of(layout), dim);
  return static_cast<size_t>(found - layout.parts.begin());
}

}  // namespace hone::layout
