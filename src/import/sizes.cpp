#include "import/sizes_internal.h"

#include <algorithm>
#include <cmath>

namespace hone::import {
namespace {

using ir::Index;
using ir::IndexTerm;

// Graded lexicographic order of monomials: it agrees with multiplication, which division relies on.
bool monomial_less(const IndexTerm& a, const IndexTerm& b) {
  if (a.factors.size() != b.factors.size()) return a.factors.size() < b.factors.size();
  for (size_t i = 0; i < a.factors.size(); ++i)
    if (int order = a.factors[i]->key.compare(b.factors[i]->key); order != 0) return order > 0;
  return false;
}

const IndexTerm& leading(const Index& index) {
  return *std::max_element(index.terms().begin(), index.terms().end(), monomial_less);
}

std::optional<IndexTerm> divide_term(const IndexTerm& term, const IndexTerm& by) {
  if (term.coefficient % by.coefficient != 0) return std::nullopt;
  IndexTerm rest{term.factors, term.coefficient / by.coefficient};
  for (const ir::AtomPtr& atom : by.factors) {
    auto same = [&](const ir::AtomPtr& a) { return a->key == atom->key; };
    auto found = std::find_if(rest.factors.begin(), rest.factors.end(), same);
    if (found == rest.factors.end()) return std::nullopt;
    rest.factors.erase(found);
  }
  return rest;
}

// A dimension that is a number: ONNX's own clamping rules.
SliceRange slice_number(int64_t dim, int64_t start, int64_t end, int64_t step) {
  if (start < 0) start += dim;
  if (end < 0) end = end < -dim ? -1 : end + dim;
  if (step > 0) {
    start = std::clamp<int64_t>(start, 0, dim);
    end = std::clamp<int64_t>(end, 0, dim);
  } else {
    start = std::clamp<int64_t>(start, 0, std::max<int64_t>(dim - 1, 0));
    end = std::clamp<int64_t>(end, -1, dim - 1);
  }
  int64_t span = step > 0 ? end - start : start - end;
  int64_t stride = step > 0 ? step : -step;
  int64_t length = span <= 0 || dim == 0 ? 0 : (span - 1) / stride + 1;
  return {length == 0 ? 0 : start, step, length, std::nullopt, std::nullopt, std::nullopt};
}

// A number so far away that it means the end or the beginning of every dimension counts as the nearest such one, which
// arithmetic bears.
Index within_reach(const Index& bound) {
  auto number = bound.constant();
  return number ? Index(std::clamp(*number, -kLargeNumber, kLargeNumber)) : bound;
}

// A bound of a slice with a positive step, brought into the dimension; one below 0 counts from the end.
Index clamp_bound(const Index& dim, const Index& bound) {
  auto number = bound.constant();
  if (number && *number >= kLargeNumber) return dim;
  if (number && *number <= -kLargeNumber) return 0;
  if (number.value_or(0) < 0) return max(Index(0), dim + bound);
  if (number || provably_at_most(0, bound)) return min(bound, dim);
  if (bound == dim - 1) return max(Index(0), bound);
  Index is_negative = min(max(Index(0), -bound), 1);
  return max(Index(0), min(bound + dim * is_negative, dim));
}

// From `start` to `last`, which lies inside the dimension.
SliceRange slice_forwards(const Index& dim, const Index& start, const Index& last) {
  Index first = clamp_bound(dim, start);
  SliceRange range;
  auto number = start.constant();
  bool from_front = number.value_or(-1) >= 0 && *number < kLargeNumber;
  bool from_end = number.value_or(0) < 0 && provably_at_most(-*number, dim);
  if (from_front || from_end)
    range.start = *number;
  else if (!first.is(0))
    range.rest = number.value_or(0) < 0 ? min(-start, dim) : dim - first;
  if (range.rest && (last == dim || range.rest->is(0)))
    range.length = *range.rest;
  else
    range.length = max(Index(0), last - (from_front ? start : first));
  return range;
}

// The elements that a slice with step -1 takes, as they lie in the dimension.
SliceRange slice_backwards(const Index& dim, const Index& start, const Index& end) {
  auto from = start.constant(), to = end.constant();
  Index last = min(start + 1, dim);
  if (from == -1 || from.value_or(0) >= kLargeNumber)
    last = dim;
  else if (from.value_or(0) < 0)  // a start before the dimension is its first element
    last = max(min(dim, 1), *from <= -kLargeNumber ? Index(0) : dim + start + 1);
  Index first = end + 1;
  if (to == -1)
    first = kLargeNumber;
  else if (to.value_or(0) <= -kLargeNumber)
    first = 0;
  return slice_forwards(dim, first, last);
}

// A position that counts from the end where it is negative, and from the front.
Index from_the_front(const Index& dim, const Index& position) {
  auto number = position.constant();
  if (number && *number >= kLargeNumber) return dim;
  if (number && *number <= -kLargeNumber) return -1;
  if (provably_at_most(0, position)) return position;
  if (provably_at_most(position, -1)) return position + dim;
  return position + dim * min(max(-position, 0), 1);
}

// Backwards, from and to places of which only the sizes tell whether they count from the end.
SliceRange slice_anywhere(const Index& dim, const Index& start, const Index& end, int64_t stride) {
  Index first = min(max(from_the_front(dim, start), 0), dim - 1);
  Index last = min(max(from_the_front(dim, end), -1), dim - 1);
  SliceRange range;
  range.first = first;
  range.step = stride >= kLargeNumber ? 1 : -stride;
  range.length = max(first - last, 0);
  range.length = stride >= kLargeNumber ? min(range.length, 1) : ceil_div(range.length, stride);
  return range;
}

}  // namespace

std::optional<Index> exact_quotient(const Index& a, const Index& b) {
  if (b.terms().empty()) return std::nullopt;
  Index rest = a, quotient = 0;
  for (int steps = 0; !rest.is(0); ++steps) {
    auto term = steps < 64 ? divide_term(leading(rest), leading(b)) : std::nullopt;
    if (!term) return std::nullopt;
    Index part = Index::from_terms({*term});
    quotient = quotient + part;
    rest = rest - part * b;
  }
  return quotient;
}

bool provably_different(const Index& a, const Index& b) {
  return provably_at_most(a + 1, b) || provably_at_most(b + 1, a);
}

bool is_reasonable(const Index& index) {
  if (index.text().size() > kLongestSize) return false;
  return std::all_of(index.terms().begin(), index.terms().end(), [](const IndexTerm& term) {
    return term.coefficient > -kLargeNumber && term.coefficient < kLargeNumber && term.factors.size() <= 16;
  });
}

Result<Index> element_count(const ir::Shape& shape) {
  if (shape.size() > kMostDimensions)
    return error("has {} dimensions; at most {} would work", shape.size(), kMostDimensions);
  double bound = 1;
  Index count = 1;
  for (const Index& dim : shape) {
    double largest = 0;
    for (const IndexTerm& term : dim.terms()) largest += std::abs(static_cast<double>(term.coefficient));
    bound *= std::max(largest, 1.0);
    if (bound > static_cast<double>(kMostElements) || !is_reasonable(dim) || count.text().size() > kLongestSize)
      return error("has more elements than memory can hold");
    count = count * dim;
  }
  return count;
}

Result<int> normal_axis(int64_t axis, size_t rank) {
  int64_t count = static_cast<int64_t>(rank);
  if (axis < -count || axis >= count) return error("axis {} is outside a tensor of rank {}", axis, rank);
  return static_cast<int>(axis < 0 ? axis + count : axis);
}

Result<ir::Shape> reshape_target(const ir::Shape& from, const std::vector<Index>& wanted, bool allow_zero) {
  ir::Shape target = wanted;
  std::optional<size_t> open;
  for (size_t i = 0; i < target.size(); ++i) {
    if (target[i].is(-1)) {
      if (open) return error("the target shape has more than one -1");
      open = i;
      continue;
    }
    if (target[i].is(0) && !allow_zero) {
      if (i >= from.size()) return error("the target shape copies dimension {} of a tensor of rank {}", i, from.size());
      target[i] = from[i];
    }
    if (target[i].constant().value_or(0) < 0)
      return error("the target shape has the negative size {}", target[i].text());
  }
  if (!open) return target;
  ir::Shape others = target;
  others[*open] = 1;
  HONE_TRY(Index fixed, element_count(others));
  HONE_TRY(Index count, element_count(from));
  if (auto quotient = exact_quotient(count, fixed))
    target[*open] = *quotient;
  else if (fixed.is(0))
    return error("a target shape with a size of 0 cannot have -1 too");
  else if (count.constant() && fixed.constant())
    return error("{} elements do not divide into parts of {}", count.text(), fixed.text());
  else
    target[*open] = floor_div(count, fixed);
  return target;
}

Result<SliceRange> slice_range(const Index& dim, const Index& start, const Index& end, int64_t step) {
  if (step == 0) return error("a slice with step 0");
  step = std::clamp(step, -kLargeNumber, kLargeNumber);
  Index begin = start == dim - 1 ? Index(-1) : within_reach(start), stop = within_reach(end);
  auto size = dim.constant(), from = begin.constant(), to = stop.constant();
  if (size && from && to) return slice_number(*size, *from, *to, step);
  int64_t stride = step > 0 ? step : -step;
  auto has_a_sign = [](const Index& bound) { return bound.constant() || provably_at_most(0, bound); };
  if (step < 0 && (!has_a_sign(begin) || !has_a_sign(stop))) return slice_anywhere(dim, begin, stop, stride);
  SliceRange range = step > 0 ? slice_forwards(dim, begin, clamp_bound(dim, stop)) : slice_backwards(dim, begin, stop);
  if (step < 0) range.turned = range.length;
  range.step = step;
  range.length = stride >= kLargeNumber ? min(range.length, 1) : ceil_div(range.length, stride);
  return range;
}

}  // namespace hone::import
