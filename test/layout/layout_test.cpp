#include "layout/layout.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <set>

#include "base/rng.h"

namespace hone::layout {
namespace {

using Dims = std::vector<int64_t>;

int64_t volume(const Dims& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// All indices of a shape, in row-major order.
std::vector<Dims> points_of(const Dims& shape) {
  std::vector<Dims> points;
  for (int64_t n = 0; n < volume(shape); ++n) {
    Dims point(shape.size());
    int64_t rest = n;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d]) point[d] = rest % shape[d];
    points.push_back(point);
  }
  return points;
}

Layout random_layout(Rng& rng, int rank) {
  std::vector<int> order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<size_t>(rng.below(static_cast<int64_t>(i)))]);
  Layout layout = permuted(order);
  for (int64_t k = rng.below(3); k > 0 && rank > 0; --k)
    layout = blocked(layout, static_cast<int>(rng.below(rank)), rng.between(1, 9));
  for (size_t i = layout.parts.size(); i > 1; --i)
    if (rng.chance(0.3))
      std::swap(layout.parts[i - 1], layout.parts[static_cast<size_t>(rng.below(static_cast<int64_t>(i)))]);
  return layout;
}

Dims random_shape(Rng& rng, int rank) {
  constexpr int64_t kExtents[] = {0, 1, 2, 3, 5, 7, 8, 13, 16, 37};
  Dims shape;
  for (int d = 0; d < rank; ++d) shape.push_back(kExtents[rng.below(10)]);
  return shape;
}

// pack agrees with offset_of at every point, padding holds zero, and no two elements share a place.
template <typename Element>
void check_laws(const Layout& layout, const Dims& shape) {
  std::vector<Element> from(static_cast<size_t>(volume(shape)));
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<Element>(i % 250 + 1);
  std::vector<Element> to(static_cast<size_t>(element_count(layout, shape)), Element{77});
  pack(layout, shape, sizeof(Element), from.data(), to.data());
  std::set<int64_t> taken;
  size_t n = 0;
  for (const Dims& point : points_of(shape)) {
    int64_t offset = offset_of(layout, shape, point);
    ASSERT_GE(offset, 0);
    ASSERT_LT(offset, element_count(layout, shape));
    ASSERT_TRUE(taken.insert(offset).second) << "two elements at " << offset;
    ASSERT_EQ(to[static_cast<size_t>(offset)], from[n++]);
  }
  for (size_t i = 0; i < to.size(); ++i)
    ASSERT_TRUE(taken.count(static_cast<int64_t>(i)) || to[i] == Element{0}) << "padding at " << i;
}

TEST(Layout, LawsHoldForRandomLayoutsAndShapes) {
  for (uint64_t seed = 0; seed < 600; ++seed) {
    Rng rng(seed);
    int rank = static_cast<int>(rng.below(5));
    Layout layout = random_layout(rng, rank);
    Dims shape = random_shape(rng, rank);
    SCOPED_TRACE(fmt::format("seed {}: {} of [{}]", seed, text_of(layout), fmt::join(shape, ", ")));
    ASSERT_TRUE(validate(layout, rank).ok()) << validate(layout, rank).problem().message;
    switch (seed % 4) {
      case 0:
        check_laws<float>(layout, shape);
        break;
      case 1:
        check_laws<uint8_t>(layout, shape);
        break;
      case 2:
        check_laws<uint16_t>(layout, shape);
        break;
      case 3:
        check_laws<double>(layout, shape);
        break;
    }
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Layout, LongRunsAreCutWithoutLoss) {
  check_laws<float>(permuted({1, 0}), {101, 97});
  check_laws<float>(blocked(row_major(2), 1, 16), {131, 50});
  check_laws<float>(blocked(permuted({1, 0}), 0, 67), {200, 3});
  check_laws<float>(blocked(permuted({2, 3, 1, 0}), 0, 16), {37, 41, 3, 3});
}

TEST(Layout, TextRoundTrips) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    Layout layout = random_layout(rng, static_cast<int>(rng.below(5)));
    Result<Layout> again = parse_layout(text_of(layout));
    ASSERT_TRUE(again.ok()) << again.problem().message;
    EXPECT_EQ(*again, layout);
  }
}

TEST(Layout, TextOfBlockings) {
  EXPECT_EQ(text_of(row_major(3)), "d0 d1 d2");
  EXPECT_EQ(text_of(permuted({1, 0})), "d1 d0");
  EXPECT_EQ(text_of(blocked(permuted({1, 0}), 1, 16)), "d1/16 d0 d1%16");
  EXPECT_EQ(text_of(blocked(blocked(row_major(1), 0, 16), 0, 4)), "d0/64 d0%16 d0/16%4");
  EXPECT_EQ(text_of(blocked(row_major(2), 0, 1)), "d0 d1");
  EXPECT_EQ(text_of(row_major(0)), "scalar");
}

TEST(Layout, SizesCountPadding) {
  Layout panels = blocked(permuted({1, 0}), 1, 16);
  EXPECT_EQ(part_sizes(panels, {10, 17}), (Dims{2, 10, 16}));
  EXPECT_EQ(element_count(panels, {10, 17}), 320);
  EXPECT_EQ(element_count(panels, {10, 0}), 0);
  EXPECT_EQ(element_count(row_major(0), {}), 1);
  EXPECT_EQ(offset_of(panels, {10, 17}, {3, 16}), 16 * 10 + 3 * 16);
  EXPECT_EQ(block_of(panels, 1), 16);
  EXPECT_EQ(block_of(blocked(panels, 1, 2), 1), 32);
  EXPECT_EQ(block_of(panels, 0), 1);
}

TEST(Layout, ScalarIsCopied) {
  float from = 3, to = 0;
  pack(row_major(0), {}, sizeof(float), &from, &to);
  EXPECT_EQ(to, 3.0f);
}

void expect_problem(const std::string& text, int rank, const std::string& part_of_message) {
  Result<Layout> layout = parse_layout(text);
  Status status = layout.ok() ? validate(*layout, rank) : Status(layout.problem());
  ASSERT_FALSE(status.ok()) << text;
  EXPECT_NE(status.problem().message.find(part_of_message), std::string::npos) << status.problem().message;
}

TEST(Layout, ProblemsSayWhatIsWrong) {
  expect_problem("d0", 2, "does not place dimension d1");
  expect_problem("d0 d2", 2, "names d2, but the tensor has 2");
  expect_problem("d0 d0", 1, "d0");
  expect_problem("d0/16 d0%8", 1, "divisor 8 is expected, found 16");
  expect_problem("d0/16", 1, "divisor 1 is expected, found 16");
  expect_problem("d0%4", 1, "without a remainder");
  expect_problem("e0", 1, "column 1: found 'e', expected a part");
  expect_problem("d0 d1/", 2, "column 7: found the end, expected a divisor");
  expect_problem("d0/1", 1, "a divisor lies between 2");
  expect_problem("d0d1", 2, "column 3: found 'd', expected a blank");
  expect_problem("", 0, "found the end");
  expect_problem("d99999999999999999999", 1, "lies between 0 and 63");
}

}  // namespace
}  // namespace hone::layout
