#include "eval/one_op.h"

namespace hone::eval {
namespace {

using ir::DType;
using ir::OpKind;
using Ints = std::vector<int64_t>;

TEST(Gather, CountsNegativeIndicesFromTheEnd) {
  Tensor data = floats({3, 2}, {1, 2, 3, 4, 5, 6});
  expect_values(run({OpKind::Gather, {data, integers({2}, {-1, 0})}, {{"axis", int64_t{0}}}}), {2, 2}, {5, 6, 1, 2});
  expect_values(run({OpKind::Gather, {data, integers({1, 2}, {1, -2})}, {{"axis", int64_t{-1}}}}), {3, 1, 2},
                {2, 1, 4, 3, 6, 5});
  expect_values(run({OpKind::Gather, {data, integers({}, {1})}}), {2}, {3, 4});
  expect_values(run({OpKind::Gather, {data, integers({0}, {})}}), {0, 2}, {});
  expect_values(run({OpKind::Gather, {floats({1, 2}, {7, 8}), integers({2}, {0, -1})}}), {2, 2}, {7, 8, 7, 8});
  EXPECT_NE(refusal_of({OpKind::Gather, {data, floats({1}, {0})}}).find("f32"), std::string::npos);
}

TEST(Gather, Elements) {
  Tensor data = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  expect_values(run({OpKind::GatherElements, {data, integers({2, 2}, {0, -1, 2, 1})}, {{"axis", int64_t{1}}}}), {2, 2},
                {1, 3, 6, 5});
  expect_values(run({OpKind::GatherElements, {data, integers({1, 3}, {1, 0, 1})}}), {1, 3}, {4, 2, 6});
}

TEST(Pad, AllModes) {
  Tensor x = floats({1, 3}, {1, 2, 3});
  auto pad = [&](const char* mode, Ints pads) {
    return run({OpKind::Pad, {x}, {{"mode", std::string(mode)}, {"pads", pads}, {"value", 7.0}}});
  };
  expect_values(pad("constant", {1, -1, 0, 2}), {2, 4}, {7, 7, 7, 7, 2, 3, 7, 7});
  expect_values(pad("reflect", {0, 2, 0, 2}), {1, 7}, {3, 2, 1, 2, 3, 2, 1});
  expect_values(pad("edge", {0, 2, 0, 1}), {1, 6}, {1, 1, 1, 2, 3, 3});
  expect_values(pad("wrap", {0, 4, 0, 2}), {1, 9}, {3, 1, 2, 3, 1, 2, 3, 1, 2});
}

TEST(Pad, OfNothingIsAllValue) {
  OneOp op{OpKind::Pad, {floats({0}, {})}, {{"pads", Ints{1, 1}}, {"value", 2.0}}};
  expect_values(run(op), {2}, {2, 2});
}

TEST(Made, RangeAndFill) {
  Attributes whole = {{"start", int64_t{5}}, {"delta", int64_t{-2}}, {"dtype", std::string("i64")}};
  expect_values(run({OpKind::Range, {}, whole, Ints{3}}), {3}, {5, 3, 1});
  Attributes real = {{"start", 0.5}, {"delta", 0.25}, {"dtype", std::string("f32")}};
  expect_values(run({OpKind::Range, {}, real, Ints{3}}), {3}, {0.5, 0.75, 1});
  expect_values(run({OpKind::Fill, {}, {{"value", int64_t{3}}, {"dtype", std::string("i32")}}, Ints{2, 1}}), {2, 1},
                {3, 3});
  expect_values(run({OpKind::Fill, {}, {{"value", 1.5}, {"dtype", std::string("f16")}}, Ints{}}), {}, {1.5});
}

struct ResizeCase {
  const char *mode, *coordinate, *nearest;
  int64_t up, down;
  std::vector<double> expected;
};

TEST(Resize, KnownValues) {
  const ResizeCase cases[] = {
      {"nearest", "asymmetric", "floor", 2, 1, {1, 1, 2, 2, 3, 3, 4, 4}},
      {"nearest", "asymmetric", "floor", 3, 2, {1, 1, 2, 3, 3, 4}},
      {"nearest", "asymmetric", "ceil", 2, 1, {1, 2, 2, 3, 3, 4, 4, 4}},
      {"nearest", "asymmetric", "round_prefer_ceil", 2, 1, {1, 2, 2, 3, 3, 4, 4, 4}},
      {"nearest", "half_pixel", "floor", 2, 1, {1, 1, 1, 2, 2, 3, 3, 4}},
      {"nearest", "half_pixel", "ceil", 1, 2, {2, 4}},
      {"nearest", "half_pixel", "round_prefer_floor", 3, 2, {1, 1, 2, 3, 3, 4}},
      {"nearest", "half_pixel", "round_prefer_ceil", 3, 2, {1, 2, 2, 3, 4, 4}},
      {"nearest", "align_corners", "floor", 2, 1, {1, 1, 1, 2, 2, 3, 3, 4}},
      {"linear", "asymmetric", "floor", 3, 2, {1, 5.0 / 3, 7.0 / 3, 3, 11.0 / 3, 4}},
      {"linear", "half_pixel", "floor", 2, 1, {1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4}},
      {"linear", "pytorch_half_pixel", "floor", 1, 2, {1.5, 3.5}},
      {"linear", "align_corners", "floor", 3, 2, {1, 1.6, 2.2, 2.8, 3.4, 4}},
  };
  for (const ResizeCase& c : cases) {
    Attributes attributes = {{"mode", std::string(c.mode)},
                             {"coordinate", std::string(c.coordinate)},
                             {"nearest", std::string(c.nearest)},
                             {"numerators", Ints{1, c.up}},
                             {"denominators", Ints{1, c.down}}};
    Tensor y = run({OpKind::Resize, {floats({1, 4}, {1, 2, 3, 4})}, attributes});
    expect_values(y, {1, static_cast<int64_t>(c.expected.size())}, c.expected, 1e-6);
  }
}

TEST(Resize, LinearInTwoDimensions) {
  Attributes attributes = {{"mode", std::string("linear")},
                           {"coordinate", std::string("asymmetric")},
                           {"numerators", Ints{2, 2}},
                           {"denominators", Ints{1, 1}}};
  expect_values(run({OpKind::Resize, {floats({1, 2}, {0, 4})}, attributes}), {2, 4}, {0, 2, 4, 4, 0, 2, 4, 4});
}

TEST(Gather, TuplesOfIndices) {
  Tensor data = floats({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  expect_values(run({OpKind::GatherND, {data, integers({2, 2}, {0, 1, -1, 0})}}), {2, 2}, {2, 3, 4, 5});
  expect_values(run({OpKind::GatherND, {data, integers({2, 1}, {1, 0})}, {{"batch_dims", int64_t{1}}}}), {2, 2},
                {2, 3, 4, 5});
  expect_values(run({OpKind::GatherND, {data, integers({1, 3}, {1, -1, 0})}}), {1}, {6});
  expect_values(run({OpKind::GatherND, {data, integers({0, 2}, {})}}), {0, 2}, {});
  EXPECT_EQ(refusal_of({OpKind::GatherND, {data, integers({1, 3}, {0, 0, 0})}, {{"batch_dims", int64_t{1}}}}),
            "gather_nd node 'it': its indices [1, 3] name 3 dimensions of [2, 2, 2] behind 1 of the batch");
}

TEST(Gather, PointsOutsideAreZero) {
  Tensor image = floats({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  Tensor rows = integers({1, 4}, {0, 1, -1, 2}), columns = integers({1, 4}, {1, 0, 0, 1});
  expect_values(run({OpKind::GatherPoints, {image, rows, columns}}), {1, 2, 4}, {2, 3, 0, 0, 6, 7, 0, 0});
}

TEST(Resize, SizesOfTheResultAndRounding) {
  Attributes by_size = {{"mode", std::string("linear")}, {"numerators", Ints{0}}, {"denominators", Ints{0}}};
  expect_values(run({OpKind::Resize, {floats({4}, {1, 2, 3, 4})}, by_size, Ints{2}}), {2}, {1.5, 3.5});
  Attributes rounded = {{"numerators", Ints{2}}, {"denominators", Ints{3}}, {"rounded", int64_t{1}}};
  expect_values(run({OpKind::Resize, {floats({4}, {1, 2, 3, 4})}, rounded}), {3}, {1, 3, 4});
  // 2.4 points: the last of them would be the last pixel.
  Attributes corners = {{"mode", std::string("linear")},
                        {"coordinate", std::string("align_corners")},
                        {"numerators", Ints{3}},
                        {"denominators", Ints{5}}};
  expect_values(run({OpKind::Resize, {floats({4}, {1, 2, 3, 4})}, corners}), {2}, {1, 1 + 3 / 1.4}, 1e-6);
  Attributes symmetric = corners;
  symmetric["coordinate"] = std::string("half_pixel_symmetric");
  expect_values(run({OpKind::Resize, {floats({4}, {1, 2, 3, 4})}, symmetric}), {2}, {5.0 / 3, 10.0 / 3}, 1e-6);
}

}  // namespace
}  // namespace hone::eval
