// Figures: the speeds of a machine that the cost model weighs against each other, in cycles of one core, so that they hold at
// any clock rate. Measured by `hone doctor --calibrate`; those of figures.def otherwise.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hone::target {

struct Figures {
#define FIGURE(name, otherwise, least, most, meaning) double name = otherwise;
#include "target/figures.def"
#undef FIGURE

  bool operator==(const Figures&) const = default;
};

struct FigureInfo {
  const char* name;
  double Figures::* value;
  double least, most;
  const char* meaning;
};

std::span<const FigureInfo> all_figures();  // in the order of figures.def

// Each figure within its bounds and of two digits: measurements that differ by noise alone then mostly give equal figures, and
// equal figures give equal plans.
Figures sane(Figures figures);

// "name = value" lines, one per figure; parse_figures reads them back and refuses what is not a number or missing.
std::string text_of(const Figures& figures);
Result<Figures> parse_figures(std::string_view text);

}  // namespace hone::target
