// Reads through views: where an element that a step reads really lies.
#pragma once

#include "fuse/draft.h"

namespace hone::fuse {

enum class Through { AnyView, AffineViews };  // AffineViews: stop before a division appears

// Follows views that no cluster has absorbed back to a value in memory. The read returned may still be of a view: then
// that view has to be materialised.
Read resolved(const Scope& scope, Read read, const ir::Ranges& ranges, Through through);

// The view whose result must be in memory for this read, if any (concatenations are there anyway).
std::optional<ir::ValueId> unmaterialised_view(const Scope& scope, const Read& read);

// What the read yields, if that is known without memory: a constant or size of one element, or the result of an op
// without operands (fill, range) at the index. Null if it is not.
ir::Scalar literal(const Scope& scope, const Read& read);

// Puts literals into the body and drops their reads. The reads are `@first`, `@first + 1`, …
void inline_literals(const Scope& scope, std::vector<Read>& reads, ir::Scalar& body, int first);

}  // namespace hone::fuse
