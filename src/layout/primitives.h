// Steps from one layout to another, of which every layout is made and among which a tuner can search:
//
//   split    one part becomes two: over blocks, and over the points of a block        d1        → d1/16 d1%16
//   fuse     undoes a split: two parts that follow each other become one              d1/16 d1%16 → d1
//   reorder  the parts stand in another order                                         d0 d1     → d1 d0
//   pad      a split that moves nothing: the extent counts up to a multiple           d1        → d1/16 d1%16
//
// fuse(split(l, p, f), p) = l. reorder by an order and by its inverse is nothing. Splitting by f and then the outer part by g is
// splitting by f·g and then the inner part by f. Each keeps a layout a bijection plus padding (test/layout/primitives_test.cpp).
// Two steps that others count among these are none here: overlapping tiles hold elements twice, so they are a Program, and
// one tensor inside another is an access with an offset of the kernel that writes it.
#pragma once

#include "layout/layout.h"

namespace hone::layout {

// The part must be without remainder, or its remainder a multiple of the factor, which is 2 or larger.
bool can_split(const Layout& layout, size_t part, int64_t factor);
Layout split(Layout layout, size_t part, int64_t factor);

// This part and the next are of one dimension, and the next runs over the blocks of this one.
bool can_fuse(const Layout& layout, size_t part);
Layout fuse(Layout layout, size_t part);

// order[k] is the number of the part that will stand k-th; each stands once.
Layout reorder(const Layout& layout, const std::vector<size_t>& order);

// The extent of the dimension counts up to a multiple of what it counted up to before.
Layout pad(const Layout& layout, int dim, int64_t multiple);

// Which part of the dimension is the outermost.
size_t outermost_part(const Layout& layout, int dim);

}  // namespace hone::layout
