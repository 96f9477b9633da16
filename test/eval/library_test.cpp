// Operators that library functions compute, against plain loops and by known values.
#include <algorithm>
#include <limits>
#include <numeric>

#include "eval/one_op.h"

namespace hone::eval {
namespace {

using ir::DType;
using ir::OpKind;
using Ints = std::vector<int64_t>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

OneOp top_k(Tensor x, int64_t axis, int64_t k, int64_t largest) {
  Ints shape = x.shape;
  shape[static_cast<size_t>(axis)] = k;
  return {OpKind::TopK, {std::move(x)}, {{"axis", axis}, {"largest", largest}}, shape, {}, 2};
}

std::string failure_of(const OneOp& op) {
  auto results = evaluate(program_of(op), given_inputs(op));
  return results.ok() ? "" : results.problem().message;
}

TEST(TopK, EveryTypeAndAxisAgainstSorting) {
  const DType types[] = {DType::F32, DType::F64, DType::F16, DType::BF16, DType::I8,  DType::I16,
                         DType::I32, DType::I64, DType::U8,  DType::U16,  DType::U32, DType::U64};
  for (DType type : types)
    for (int64_t axis : {0, 1, 2})
      for (int64_t largest : {0, 1}) {
        Tensor x = some_integers({3, 5, 7}, 0, 9, type);
        const int64_t size = x.shape[static_cast<size_t>(axis)], k = size - 2;
        auto results = run_all(top_k(x, axis, k, largest));
        int64_t inner = 1;
        for (size_t d = static_cast<size_t>(axis) + 1; d < 3; ++d) inner *= x.shape[d];
        for (int64_t row = 0; row < 3 * 5 * 7 / size; ++row) {
          int64_t from = row / inner * size * inner + row % inner, to = row / inner * k * inner + row % inner;
          Ints order(static_cast<size_t>(size));
          std::iota(order.begin(), order.end(), 0);
          std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
            double p = element(x, from + a * inner), q = element(x, from + b * inner);
            return largest ? p > q : p < q;
          });
          for (int64_t i = 0; i < k; ++i) {
            int64_t chosen = order[static_cast<size_t>(i)];
            ASSERT_EQ(element(results[1], to + i * inner), static_cast<double>(chosen)) << ir::name_of(type);
            ASSERT_EQ(element(results[0], to + i * inner), element(x, from + chosen * inner));
          }
        }
      }
}

TEST(TopK, OrdersNanAboveAllNumbersAndEqualOnesByPlace) {
  Tensor x = floats({5}, {2, kNan, -1, 2, kNan});
  auto largest = run_all(top_k(x, 0, 4, 1)), smallest = run_all(top_k(x, 0, 4, 0));
  expect_values(largest[0], {4}, {kNan, kNan, 2, 2});
  expect_values(largest[1], {4}, {1, 4, 0, 3});
  expect_values(smallest[0], {4}, {-1, 2, 2, kNan});
  expect_values(smallest[1], {4}, {2, 0, 3, 1});
}

TEST(TopK, OfNothing) {
  expect_values(run_all(top_k(floats({2, 0}, {}), 1, 0, 1))[0], {2, 0}, {});
  expect_values(run_all(top_k(floats({0, 3}, {}), 1, 2, 1))[1], {0, 2}, {});
  EXPECT_EQ(refusal_of(top_k(floats({3}, {1, 2, 3}), 0, 4, 1)), "top_k node 'it': takes 4 of 3 elements");
}

OneOp scatter(Tensor data, Tensor indices, Tensor updates, const char* reduction, int64_t axis = 0) {
  return {OpKind::ScatterElements,
          {std::move(data), std::move(indices), std::move(updates)},
          {{"axis", axis}, {"reduction", std::string(reduction)}}};
}

TEST(ScatterElements, KnownValuesOfEveryReduction) {
  Tensor data = floats({4}, {1, 2, 3, 4}), at = integers({3}, {1, -1, 1}), updates = floats({3}, {5, 2, -6});
  expect_values(run(scatter(data, at, updates, "none")), {4}, {1, -6, 3, 2});
  expect_values(run(scatter(data, at, updates, "add")), {4}, {1, 1, 3, 6});
  expect_values(run(scatter(data, at, updates, "mul")), {4}, {1, -60, 3, 8});
  expect_values(run(scatter(data, at, updates, "max")), {4}, {1, 5, 3, 4});
  expect_values(run(scatter(data, at, updates, "min")), {4}, {1, -6, 3, 2});
  Tensor nan = floats({3}, {kNan, 1, 2});
  expect_values(run(scatter(data, at, nan, "max")), {4}, {1, kNan, 3, 4});
}

TEST(ScatterElements, AlongAnyAxisOfAnyType) {
  for (DType type : {DType::F64, DType::F16, DType::BF16, DType::I8, DType::U16, DType::I64})
    for (int64_t axis : {0, 1, 2})
      for (DType index : {DType::I32, DType::I64}) {
        Tensor data = some_integers({3, 4, 5}, 0, 9, type), updates = some_integers({2, 3, 4}, 0, 9, type, 2);
        const int64_t size = data.shape[static_cast<size_t>(axis)];
        Tensor at = some_integers({2, 3, 4}, -size, size - 1, index, 3);
        std::vector<double> want = values_of(data);
        for (int64_t i = 0; i < 24; ++i) {
          int64_t point[] = {i / 12, i / 4 % 3, i % 4}, place = static_cast<int64_t>(element(at, i));
          point[axis] = place < 0 ? place + size : place;
          want[static_cast<size_t>((point[0] * 4 + point[1]) * 5 + point[2])] += element(updates, i);
        }
        expect_values(run(scatter(data, at, updates, "add", axis)), data.shape, want);
      }
}

TEST(ScatterElements, IntegersWrapAndBoolsAreLogic) {
  Tensor bytes = filled(DType::U8, {1}, {200}), at = integers({1}, {0});
  expect_values(run(scatter(bytes, at, filled(DType::U8, {1}, {100}), "add")), {1}, {44});
  Tensor truth = filled(DType::Bool, {1}, {1});
  expect_values(run(scatter(truth, at, truth, "add")), {1}, {1});
  expect_values(run(scatter(truth, at, filled(DType::Bool, {1}, {0}), "mul")), {1}, {0});
}

TEST(ScatterElements, SaysWhichIndexIsOutside) {
  Tensor data = floats({2}, {1, 2}), one = floats({1}, {7});
  EXPECT_EQ(failure_of(scatter(data, integers({1}, {2}), one, "none")),
            "scatter_elements node 'it': index 2 is outside a dimension of 2");
  EXPECT_EQ(failure_of(scatter(data, integers({1}, {-3}), one, "none")),
            "scatter_elements node 'it': index -3 is outside a dimension of 2");
  Tensor square = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(failure_of(scatter(square, integers({1, 3}, {0, 0, 0}), floats({1, 3}, {1, 2, 3}), "none")),
            "scatter_elements node 'it': indices of size 3 reach past a dimension of 2");
  EXPECT_EQ(refusal_of(scatter(data, integers({1}, {0}), one, "mean")),
            "scatter_elements node 'it': unknown reduction 'mean'");
}

OneOp scatter_nd(Tensor data, Tensor indices, Tensor updates, const char* reduction) {
  return {OpKind::ScatterND,
          {std::move(data), std::move(indices), std::move(updates)},
          {{"reduction", std::string(reduction)}}};
}

TEST(ScatterND, BlocksAndElements) {
  Tensor data = floats({3, 2}, {1, 2, 3, 4, 5, 6});
  expect_values(run(scatter_nd(data, integers({2, 1}, {2, 0}), floats({2, 2}, {7, 8, 9, 10}), "none")), {3, 2},
                {9, 10, 3, 4, 7, 8});
  expect_values(run(scatter_nd(data, integers({1, 2, 2}, {-1, 1, 2, 1}), floats({1, 2}, {10, 20}), "add")), {3, 2},
                {1, 2, 3, 4, 5, 36});
  expect_values(run(scatter_nd(data, integers({1, 0}, {}), floats({1, 3, 2}, {1, 1, 1, 1, 1, 1}), "max")), {3, 2},
                {1, 2, 3, 4, 5, 6});
  expect_values(run(scatter_nd(data, integers({0, 2}, {}), floats({0}, {}), "none")), {3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(failure_of(scatter_nd(data, integers({1, 2}, {0, 2}), floats({1}, {0}), "none")),
            "scatter_nd node 'it': index 2 is outside a dimension of 2");
}

TEST(Det, KnownValues) {
  expect_values(run({OpKind::Det, {floats({2, 2, 2}, {1, 2, 3, 4, 0, 1, 1, 0})}}), {2}, {-2, -1}, 1e-6);
  expect_values(run({OpKind::Det, {floats({3, 3}, {2, 0, 1, 1, 3, 2, 1, 1, 1})}}), {}, {0}, 1e-6);
  expect_values(run({OpKind::Det, {floats({1, 1}, {-3})}}), {}, {-3});
  expect_values(run({OpKind::Det, {floats({2, 0, 0}, {})}}), {2}, {1, 1});
  EXPECT_EQ(refusal_of({OpKind::Det, {floats({2, 1}, {1, 2})}}),
            "det node 'it': the sides of its matrices differ: 2 and 1");
}

TEST(RoiAlign, KnownValues) {
  Tensor image = floats({1, 1, 3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  auto align = [&](std::vector<double> box, const char* mode, int64_t half_pixel) {
    Attributes attributes = {{"mode", std::string(mode)}, {"sampling_ratio", int64_t{1}}, {"half_pixel", half_pixel}};
    return run({OpKind::RoiAlign, {image, floats({1, 4}, box), integers({1}, {0})}, attributes});
  };
  expect_values(align({0, 0, 2, 2}, "avg", 0), {1, 1, 1, 1}, {4});
  expect_values(align({0.5, 0.5, 2.5, 2.5}, "avg", 1), {1, 1, 1, 1}, {4});
  expect_values(align({0, 1, 1, 2}, "max", 0), {1, 1, 1, 1}, {1.75});
  expect_values(align({90, 90, 92, 92}, "avg", 0), {1, 1, 1, 1}, {0});
  OneOp wrong{OpKind::RoiAlign, {image, floats({1, 4}, {0, 0, 1, 1}), integers({1}, {1})}};
  EXPECT_EQ(failure_of(wrong), "roi_align node 'it': index 1 is outside a dimension of 1");
}

TEST(Library, OtherDomainsSayThatTheyCannot) {
  OneOp op = top_k(floats({2}, {1, 2}), 0, 1, 1);
  auto exact = evaluate_as<ExactInteger>(program_of(op), given_inputs(op));
  ASSERT_FALSE(exact.ok());
  EXPECT_EQ(exact.problem().message,
            "top_k node 'it': library function 'top_k' is not evaluated in the exact integer domain");
}

}  // namespace
}  // namespace hone::eval
