#include <algorithm>
#include <limits>
#include <vector>

#include "library/functions_internal.h"

namespace hone::library {
namespace {

struct Box {
  float top, left, bottom, right;
  float area() const { return (bottom - top) * (right - left); }
};

// Corners may come in any order; or the centre with width and height.
Box box_at(const float* at, bool centre) {
  if (centre) return {at[1] - at[3] / 2, at[0] - at[2] / 2, at[1] + at[3] / 2, at[0] + at[2] / 2};
  return {std::min(at[0], at[2]), std::min(at[1], at[3]), std::max(at[0], at[2]), std::max(at[1], at[3])};
}

bool overlap(const Box& a, const Box& b, float threshold) {
  float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  if (height <= 0 || width <= 0) return false;
  float both = height * width, either = a.area() + b.area() - both;
  return either > 0 && both / either > threshold;
}

struct Limits {
  int64_t boxes;  // kept of a class
  float overlap, score;
  bool scored;  // whether a score is asked for at all
};

// The boxes kept of one class, best first.
std::vector<int64_t> kept(const std::vector<Box>& boxes, const float* scores, const Limits& limits) {
  std::vector<int64_t> order;
  for (size_t k = 0; k < boxes.size(); ++k)
    if (!limits.scored || scores[k] > limits.score) order.push_back(static_cast<int64_t>(k));
  // A NaN is worse than every number.
  auto score = [&](int64_t k) { return scores[k] == scores[k] ? scores[k] : -std::numeric_limits<float>::infinity(); };
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return score(a) > score(b); });
  std::vector<int64_t> chosen;
  for (int64_t k : order) {
    if (static_cast<int64_t>(chosen.size()) >= limits.boxes) break;
    const Box& box = boxes[static_cast<size_t>(k)];
    auto covers = [&](int64_t other) { return overlap(box, boxes[static_cast<size_t>(other)], limits.overlap); };
    if (std::none_of(chosen.begin(), chosen.end(), covers)) chosen.push_back(k);
  }
  return chosen;
}

}  // namespace

Status non_max_suppression(Buffers buffers, Integers integers) {
  HONE_PASS(check_call("non_max_suppression", buffers, 7, integers, 6));
  const int64_t batches = integers[0], classes = integers[1], spatial = integers[2], most = integers[3];
  const bool centre = integers[4] != 0, scored = integers[5] != 0;
  const auto *boxes = static_cast<const float*>(buffers[0]), *scores = static_cast<const float*>(buffers[1]);
  Limits limits{*static_cast<const int64_t*>(buffers[2]), *static_cast<const float*>(buffers[3]),
                *static_cast<const float*>(buffers[4]), scored};
  auto* selected = static_cast<int64_t*>(buffers[5]);
  int64_t count = 0;
  for (int64_t b = 0; b < batches; ++b) {
    std::vector<Box> of_image;
    for (int64_t k = 0; k < spatial; ++k) of_image.push_back(box_at(boxes + (b * spatial + k) * 4, centre));
    for (int64_t c = 0; c < classes; ++c)
      for (int64_t k : kept(of_image, scores + (b * classes + c) * spatial, limits)) {
        if (count == most) return error("more boxes than the {} that there is room for", most);
        std::copy_n(std::initializer_list<int64_t>{b, c, k}.begin(), 3, selected + 3 * count++);
      }
  }
  std::fill_n(selected + 3 * count, 3 * (most - count), 0);
  *static_cast<int64_t*>(buffers[6]) = count;
  return Done{};
}

}  // namespace hone::library
