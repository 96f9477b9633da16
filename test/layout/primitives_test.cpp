// The laws that layout/primitives.h states, on random layouts and shapes.
#include "layout/primitives.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <set>

#include "base/rng.h"

namespace hone::layout {
namespace {

using Dims = std::vector<int64_t>;

constexpr int64_t kFactors[] = {2, 3, 4, 8};

std::vector<size_t> random_order(Rng& rng, size_t parts) {
  std::vector<size_t> order(parts);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t k = parts; k > 1; --k)
    std::swap(order[k - 1], order[static_cast<size_t>(rng.below(static_cast<int64_t>(k)))]);
  return order;
}

// A walk of primitives from row-major order.
Layout random_layout(Rng& rng, int rank) {
  Layout layout = row_major(rank);
  for (int64_t steps = rng.below(6); steps > 0; --steps) {
    const auto part = static_cast<size_t>(rng.below(static_cast<int64_t>(layout.parts.size())));
    const int64_t factor = kFactors[rng.below(4)];
    switch (rng.below(4)) {
      case 0:
        if (can_split(layout, part, factor)) layout = split(layout, part, factor);
        break;
      case 1:
        if (can_fuse(layout, part)) layout = fuse(layout, part);
        break;
      case 2:
        layout = reorder(layout, random_order(rng, layout.parts.size()));
        break;
      default:
        layout = pad(layout, static_cast<int>(rng.below(rank)), factor);
    }
  }
  return layout;
}

Dims random_shape(Rng& rng, int rank) {
  constexpr int64_t kExtents[] = {0, 1, 2, 3, 5, 8, 13, 17};
  Dims shape;
  for (int d = 0; d < rank; ++d) shape.push_back(kExtents[rng.below(8)]);
  return shape;
}

// No two elements share a place, and none lies outside.
void expect_bijection(const Layout& layout, const Dims& shape) {
  const int64_t volume = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
  std::set<int64_t> taken;
  for (int64_t n = 0; n < volume; ++n) {
    Dims point(shape.size());
    int64_t rest = n;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d]) point[d] = rest % shape[d];
    const int64_t offset = offset_of(layout, shape, point);
    ASSERT_TRUE(offset >= 0 && offset < element_count(layout, shape)) << offset;
    ASSERT_TRUE(taken.insert(offset).second) << "two elements at " << offset;
  }
}

void for_random_layouts(const std::function<void(Rng&, const Layout&, int rank)>& check) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Rng rng(seed);
    const int rank = static_cast<int>(rng.between(1, 4));
    const Layout layout = random_layout(rng, rank);
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, text_of(layout)));
    check(rng, layout, rank);
  }
}

TEST(Primitives, EveryWalkEndsInALayout) {
  for_random_layouts([](Rng& rng, const Layout& layout, int rank) {
    ASSERT_TRUE(validate(layout, rank).ok()) << validate(layout, rank).problem().message;
    EXPECT_EQ(parse_layout(text_of(layout)).value(), layout);
    expect_bijection(layout, random_shape(rng, rank));
  });
}

TEST(Primitives, FuseUndoesSplit) {
  for_random_layouts([](Rng&, const Layout& layout, int) {
    for (size_t part = 0; part < layout.parts.size(); ++part)
      for (int64_t factor : kFactors)
        if (can_split(layout, part, factor)) {
          ASSERT_TRUE(can_fuse(split(layout, part, factor), part));
          EXPECT_EQ(fuse(split(layout, part, factor), part), layout);
        }
  });
}

TEST(Primitives, SplitUndoesFuse) {
  for_random_layouts([](Rng&, const Layout& layout, int) {
    for (size_t part = 0; part < layout.parts.size(); ++part)
      if (can_fuse(layout, part)) {
        EXPECT_EQ(split(fuse(layout, part), part, layout.parts[part + 1].modulo), layout);
      }
  });
}

TEST(Primitives, TwoSplitsInEitherOrder) {
  for_random_layouts([](Rng&, const Layout& layout, int) {
    for (size_t part = 0; part < layout.parts.size(); ++part)
      for (int64_t f : kFactors)
        for (int64_t g : kFactors)
          if (can_split(layout, part, f * g)) {
            EXPECT_EQ(split(split(layout, part, f), part, g), split(split(layout, part, f * g), part + 1, f));
          }
  });
}

TEST(Primitives, AnOrderAndItsInverse) {
  for_random_layouts([](Rng& rng, const Layout& layout, int) {
    const std::vector<size_t> order = random_order(rng, layout.parts.size());
    std::vector<size_t> inverse(order.size());
    for (size_t k = 0; k < order.size(); ++k) inverse[order[k]] = k;
    EXPECT_EQ(reorder(reorder(layout, order), inverse), layout);
  });
}

TEST(Primitives, PaddingMovesNothingAndRoundsUp) {
  const Layout padded = pad(row_major(2), 1, 8);
  EXPECT_EQ(text_of(padded), "d0 d1/8 d1%8");
  EXPECT_EQ(element_count(padded, {3, 13}), 3 * 16);
  for (int64_t column = 0; column < 13; ++column) EXPECT_EQ(offset_of(padded, {3, 13}, {2, column}), 32 + column);
}

TEST(Primitives, WhatIsNoStepIsToldApart) {
  EXPECT_FALSE(can_split(row_major(1), 0, 1));
  EXPECT_FALSE(can_split(row_major(1), 1, 4));
  const Layout blocks = split(row_major(2), 1, 6);
  EXPECT_TRUE(can_split(blocks, 2, 3));
  EXPECT_FALSE(can_split(blocks, 2, 4));                  // 6 points are no blocks of 4
  EXPECT_FALSE(can_split(blocks, 2, 6));                  // one block is no split
  EXPECT_FALSE(can_fuse(blocks, 0));                      // of two dimensions
  EXPECT_FALSE(can_fuse(reorder(blocks, {0, 2, 1}), 1));  // points of a block before the blocks
}

}  // namespace
}  // namespace hone::layout
