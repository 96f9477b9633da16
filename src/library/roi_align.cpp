#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "library/element.h"
#include "library/functions_internal.h"

namespace hone::library {
namespace {

struct Setting {
  int64_t images, channels, height, width, boxes, out_height, out_width, samples;
  bool maximum, half_pixel;
  double scale;
};

// A sample point between four pixels: where they stand in the plane, and their weights.
struct Corners {
  int64_t at[4] = {};
  double weight[4] = {};
};

struct Side {
  int64_t low, high;
  double above;  // how far the point is from low to high
};

Side side_of(double at, int64_t size) {
  at = std::max(at, 0.0);
  int64_t low = static_cast<int64_t>(at);
  if (low >= size - 1) return {size - 1, size - 1, 0};
  return {low, low + 1, at - static_cast<double>(low)};
}

// Nothing of a point that lies more than a pixel outside.
Corners corners_of(double y, double x, const Setting& s) {
  if (!(y >= -1 && y <= static_cast<double>(s.height) && x >= -1 && x <= static_cast<double>(s.width))) return {};
  Side v = side_of(y, s.height), h = side_of(x, s.width);
  return {{v.low * s.width + h.low, v.low * s.width + h.high, v.high * s.width + h.low, v.high * s.width + h.high},
          {(1 - v.above) * (1 - h.above), (1 - v.above) * h.above, v.above * (1 - h.above), v.above * h.above}};
}

struct Bins {
  double begin, size;  // of the box along one side, and of one of its bins
  int64_t samples;     // in a bin
  double point(int64_t bin, int64_t sample) const {
    return begin + static_cast<double>(bin) * size +
           (static_cast<double>(sample) + 0.5) * size / static_cast<double>(samples);
  }
};

Result<Bins> bins_of(double from, double to, int64_t bins, int64_t pixels, const Setting& s) {
  double offset = s.half_pixel ? 0.5 : 0.0, begin = from * s.scale - offset, length = (to - from) * s.scale;
  if (!s.half_pixel) length = std::max(length, 1.0);
  double size = length / static_cast<double>(bins);
  // Points beyond the image count nothing, so a box of this size is a mistake rather than work to be done.
  double limit = 1024.0 * static_cast<double>(pixels + 1);
  if (!std::isfinite(begin) || !(size < limit)) return error("a box reaches from {} to {}", from, to);
  int64_t samples = s.samples > 0 ? s.samples : std::max<int64_t>(0, static_cast<int64_t>(std::ceil(size)));
  return Bins{begin, size, samples};
}

template <typename T>
double value_of_bin(const T* plane, const Bins& rows, const Bins& columns, int64_t row, int64_t column,
                    const Setting& s) {
  double sum = 0, largest = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < rows.samples; ++i)
    for (int64_t j = 0; j < columns.samples; ++j) {
      Corners corners = corners_of(rows.point(row, i), columns.point(column, j), s);
      for (size_t k = 0; k < 4; ++k) {
        double part = corners.weight[k] * static_cast<double>(static_cast<Computed<T>>(plane[corners.at[k]]));
        sum += part;
        largest = std::max(largest, part);
      }
    }
  int64_t count = rows.samples * columns.samples;
  if (s.maximum) return count > 0 ? largest : 0;
  return sum / static_cast<double>(std::max<int64_t>(count, 1));
}

template <typename T>
Status align_boxes(const T* x, const T* boxes, const int64_t* images, T* result, const Setting& s) {
  for (int64_t b = 0; b < s.boxes; ++b) {
    HONE_TRY(int64_t image, checked_index(images[b], s.images));
    auto edge = [&](int64_t k) { return static_cast<double>(static_cast<Computed<T>>(boxes[4 * b + k])); };
    HONE_TRY(Bins columns, bins_of(edge(0), edge(2), s.out_width, s.width, s));
    HONE_TRY(Bins rows, bins_of(edge(1), edge(3), s.out_height, s.height, s));
    for (int64_t c = 0; c < s.channels; ++c) {
      const T* plane = x + (image * s.channels + c) * s.height * s.width;
      for (int64_t i = 0; i < s.out_height; ++i)
        for (int64_t j = 0; j < s.out_width; ++j)
          *result++ = static_cast<T>(static_cast<Computed<T>>(value_of_bin(plane, rows, columns, i, j, s)));
    }
  }
  return Done{};
}

}  // namespace

Status roi_align(Buffers buffers, Integers integers) {
  HONE_PASS(check_call("roi_align", buffers, 4, integers, 12));
  const Setting s{integers[1],
                  integers[2],
                  integers[3],
                  integers[4],
                  integers[5],
                  integers[6],
                  integers[7],
                  integers[8],
                  integers[9] != 0,
                  integers[10] != 0,
                  std::bit_cast<double>(integers[11])};
  if (s.boxes > 0 && s.channels > 0 && s.height * s.width == 0) return error("its images have no pixels");
  return with_real(integers[0], [&](auto zero) -> Status {
    using T = decltype(zero);
    return align_boxes(static_cast<const T*>(buffers[0]), static_cast<const T*>(buffers[1]),
                       static_cast<const int64_t*>(buffers[2]), static_cast<T*>(buffers[3]), s);
  });
}

}  // namespace hone::library
