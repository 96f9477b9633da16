#include "hone/compare.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hone::tools {
namespace {

eval::Tensor floats(std::vector<double> values) {
  auto count = static_cast<int64_t>(values.size());
  return eval::filled(ir::DType::F32, {count}, values);
}

Difference difference(const eval::Tensor& got, const eval::Tensor& wanted, Tolerance tolerance = {1e-4, 1e-3}) {
  return compare(got, wanted, tolerance).value();
}

TEST(Compare, FindsTheLargestErrorsAndTheirPlaces) {
  Difference d = difference(floats({1, 100.5, 0.011}), floats({1, 100, 0.01}));
  EXPECT_NEAR(d.absolute, 0.5, 1e-6);
  EXPECT_EQ(d.absolute_at, 1);
  EXPECT_NEAR(d.relative, 0.1, 1e-5);
  EXPECT_EQ(d.relative_at, 2);
  EXPECT_EQ(d.outside, 2);
  EXPECT_EQ(d.elements, 3);
}

TEST(Compare, NotANumberAndInfinityEqualThemselvesOnly) {
  EXPECT_EQ(difference(floats({NAN, INFINITY}), floats({NAN, INFINITY})).outside, 0);
  EXPECT_EQ(difference(floats({NAN, 1, -INFINITY}), floats({1, NAN, INFINITY})).outside, 3);
}

TEST(Compare, IntegersMustBeEqual) {
  auto a = eval::filled(ir::DType::I64, {1}, {100000}), b = eval::filled(ir::DType::I64, {1}, {100001});
  EXPECT_EQ(difference(a, b).outside, 1);
  EXPECT_EQ(difference(a, a).outside, 0);
}

TEST(Compare, RefusesOtherShapesAndTypes) {
  EXPECT_FALSE(compare(floats({1}), floats({1, 2}), {}).ok());
  EXPECT_FALSE(compare(floats({1}), eval::filled(ir::DType::F64, {1}, {1}), {}).ok());
  EXPECT_EQ(difference(floats({}), floats({})).outside, 0);
}

TEST(Compare, PlacesAreCoordinates) {
  EXPECT_EQ(place_text({2, 3, 4}, 23), "[1, 2, 3]");
  EXPECT_EQ(place_text({}, 0), "[]");
}

}  // namespace
}  // namespace hone::tools
