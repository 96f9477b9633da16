#include "ir/plan/address.h"

namespace hone::ir {
namespace {

Index part_size(const layout::Part& part, const Shape& shape) {
  return part.modulo != 0 ? Index(part.modulo) : ceil_div(shape[static_cast<size_t>(part.dim)], part.divide);
}

}  // namespace

Index element_offset(const layout::Layout& layout, const Shape& shape, const std::vector<Index>& index) {
  Index offset = 0, stride = 1;
  for (size_t k = layout.parts.size(); k-- > 0;) {
    const layout::Part& part = layout.parts[k];
    Index position = floor_div(index[static_cast<size_t>(part.dim)], part.divide);
    if (part.modulo != 0) position = mod(position, part.modulo);
    offset = offset + position * stride;
    stride = stride * part_size(part, shape);
  }
  return offset;
}

Index element_stride(const layout::Layout& layout, const Shape& shape, size_t dimension) {
  Index stride = 1;
  for (size_t k = layout.parts.size(); k-- > 0;) {
    if (layout.parts[k].dim == static_cast<int>(dimension)) break;
    stride = stride * part_size(layout.parts[k], shape);
  }
  return stride;
}

Index element_count(const layout::Layout& layout, const Shape& shape) {
  Index count = 1;
  for (const layout::Part& part : layout.parts) count = count * part_size(part, shape);
  return count;
}

}  // namespace hone::ir
