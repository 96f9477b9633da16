// Where an element lies: the offset, counted in elements, of an index in a tensor of a shape under a layout.
#pragma once

#include "ir/index.h"
#include "layout/layout.h"

namespace hone::ir {

Index element_offset(const layout::Layout& layout, const Shape& shape, const std::vector<Index>& index);
// Elements between neighbours along a dimension that the layout does not cut.
Index element_stride(const layout::Layout& layout, const Shape& shape, size_t dimension);
Index element_count(const layout::Layout& layout, const Shape& shape);  // with padding

}  // namespace hone::ir
