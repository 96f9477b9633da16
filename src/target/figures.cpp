#include "target/figures.h"

#include <algorithm>
#include <cmath>

namespace hone::target {
namespace {

constexpr FigureInfo table[] = {
#define FIGURE(name, otherwise, least, most, meaning) {#name, &Figures::name, least, most, meaning},
#include "target/figures.def"
#undef FIGURE
};

double of_two_digits(double value) {
  double scale = std::pow(10.0, 1 - std::floor(std::log10(value)));
  return std::round(value * scale) / scale;
}

}  // namespace

std::span<const FigureInfo> all_figures() {
  return table;
}

Figures sane(Figures figures) {
  for (const FigureInfo& figure : table) {
    double& value = figures.*figure.value;
    value = of_two_digits(std::clamp(value, figure.least, figure.most));
  }
  return figures;
}

}  // namespace hone::target
