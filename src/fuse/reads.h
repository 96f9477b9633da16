// Reads through views: where an element that a step reads really lies.
#pragma once

#include "fuse/draft.h"

namespace hone::fuse {

enum class Through { AnyView, AffineViews };  // AffineViews: stop before a division appears

// Follows views that no cluster has absorbed back to a value in memory. The read returned may still be of a view: then
// that view has to be materialised.
Read resolved(const Scope& scope, Read read, const ir::Ranges& ranges, Through through);

// The way from a value back through views that leaves every index affine, for readers that need the whole value.
struct Route {
  ir::ValueId root = 0;
  std::vector<int> views;  // from the value on
};
Route affine_route(const Scope& scope, ir::ValueId value);
// Where the route's root holds what the value has at `at`.
partition::Coordinate along(const Scope& scope, const Route& route, partition::Coordinate at, const ir::Ranges& ranges);

// The view whose result must be in memory for this read, if any (concatenations are there anyway).
std::optional<ir::ValueId> unmaterialised_view(const Scope& scope, const Read& read);

// Constants of one element are written into bodies, since many are what an operator is made of. A model with many that
// are met once and are no round numbers has learned them: those stay operands, lest every layer have its own kernel.
void find_learned(Scope& scope);

// What the read yields, if that is known without memory: a constant or size of one element, or the result of an op
// without operands (fill, range) at the index. Null if it is not.
ir::Scalar literal(const Scope& scope, const Read& read);

// Puts literals into the body and drops their reads. The reads are `@first`, `@first + 1`, …
void inline_literals(const Scope& scope, std::vector<Read>& reads, ir::Scalar& body, int first);

}  // namespace hone::fuse
