// Tensors that depend on sizes and settings alone: window functions and the mel filter bank.
#include <cmath>
#include <numbers>

#include "import/map/calculator_internal.h"

namespace hone::import {

namespace {

constexpr int kOnnxFloat = 1;

// a0 - a1 cos(2πn/N) + a2 cos(4πn/N)
struct Cosines {
  double a0, a1, a2;
};

Cosines cosines_of(const std::string& op_type) {
  if (op_type == "HannWindow") return {0.5, 0.5, 0};
  if (op_type == "HammingWindow") return {25.0 / 46, 21.0 / 46, 0};
  return {0.42, 0.5, 0.08};
}

}  // namespace

Result<Values> map_window_function(Node& node) {
  HONE_TRY(std::vector<Index> given, node.sizes(0, "size"));
  if (given.size() != 1) return error("its size must be one number");
  if (given[0].constant().value_or(0) < 0) return error("its size is {}", given[0].text());
  HONE_TRY(DType type, dtype_of(static_cast<int>(node.attributes().integer("output_datatype", kOnnxFloat))));
  bool periodic = node.attributes().integer("periodic", 1) != 0;
  const Cosines cosines = cosines_of(node.op_type());
  Calculator c(node, type == DType::F64 ? DType::F64 : DType::F32);
  ValueId turn = c.div(c.number(2 * std::numbers::pi), c.size(periodic ? given[0] : given[0] - 1));
  ValueId angle = c.mul(c.range(given[0]), turn);
  ValueId value = c.sub(c.number(cosines.a0), c.mul(c.op(OpKind::Cos, {angle}), cosines.a1));
  if (cosines.a2 != 0) value = c.add(value, c.mul(c.op(OpKind::Cos, {c.mul(angle, 2.0)}), cosines.a2));
  return Node::single(c.result(c.cast(value, type)));
}

namespace {

struct Filters {
  int64_t count, points, rate;
  double low, high;
};

Result<Filters> filters_of(Node& node) {
  std::vector<double> given;
  for (size_t k = 0; k < 5; ++k) {
    auto number = node.numbers(k);
    if (!number || number->size() != 1) return error("its operands depend on data; constants would work");
    given.push_back((*number)[0]);
  }
  for (size_t k = 0; k < 3; ++k)
    if (given[k] < 1 || given[k] > 1e6) return error("input number {} is {}, out of bounds", k, given[k]);
  if (!(given[3] >= 0 && given[3] <= given[4] && given[4] < 1e9))
    return error("its edges of {} and {} hertz are no range", given[3], given[4]);
  return Filters{static_cast<int64_t>(given[0]), static_cast<int64_t>(given[1]), static_cast<int64_t>(given[2]),
                 given[3], given[4]};
}

// The bins of the spectrum at which filters begin, peak and end, evenly spaced in mel.
std::vector<int64_t> edges_of(const Filters& f) {
  auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  double low = mel(f.low), step = (mel(f.high) - low) / static_cast<double>(f.count + 2);
  std::vector<int64_t> edges;
  for (int64_t i = 0; i < f.count + 2; ++i) {
    double hertz = 700 * (std::pow(10, (static_cast<double>(i) * step + low) / 2595) - 1);
    edges.push_back(
        static_cast<int64_t>(std::floor(static_cast<double>(f.points + 1) * hertz / static_cast<double>(f.rate))));
  }
  return edges;
}

}  // namespace

Result<Values> map_mel_weight_matrix(Node& node) {
  HONE_TRY(Filters f, filters_of(node));
  HONE_TRY(DType type, dtype_of(static_cast<int>(node.attributes().integer("output_datatype", kOnnxFloat))));
  std::vector<int64_t> edges = edges_of(f);
  int64_t bins = f.points / 2 + 1;
  if (bins * f.count > int64_t{1} << 26) return error("its matrix of {} by {} is too large", bins, f.count);
  if (edges.back() > bins) return error("its upper edge of {} hertz lies beyond the spectrum", f.high);
  std::vector<double> table(static_cast<size_t>(bins * f.count), 0);
  for (int64_t i = 0; i < f.count; ++i) {
    auto at = [&](int64_t bin) -> double& { return table[static_cast<size_t>(bin * f.count + i)]; };
    int64_t begin = edges[static_cast<size_t>(i)], peak = edges[static_cast<size_t>(i) + 1],
            end = edges[static_cast<size_t>(i) + 2];
    if (peak >= bins) return error("its upper edge of {} hertz lies beyond the spectrum", f.high);
    for (int64_t j = begin; j < peak; ++j) at(j) = static_cast<double>(j - begin) / static_cast<double>(peak - begin);
    at(peak) = 1;
    for (int64_t j = peak; j < end; ++j) at(j) = static_cast<double>(end - j) / static_cast<double>(end - peak);
  }
  DType wide = type == DType::F64 ? DType::F64 : DType::F32;
  Calculator c(node, wide);
  ValueId matrix = node.constant({wide, {bins, f.count}}, constant_of(wide, table));
  return Node::single(c.result(c.cast(matrix, type)));
}

}  // namespace hone::import
