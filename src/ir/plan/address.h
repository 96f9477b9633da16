// Where an element lies: the offset, counted in elements, of an index in a tensor of a shape under a layout.
#pragma once

#include "ir/index.h"
#include "layout/layout.h"

namespace hone::ir {

Index element_offset(const layout::Layout& layout, const Shape& shape, const std::vector<Index>& index);
Index element_count(const layout::Layout& layout, const Shape& shape);  // with padding

}  // namespace hone::ir
