#include "cost/reasons.h"

#include <fmt/format.h>

namespace hone::cost {

std::string text_of(const Reasons& reasons, const std::string& kernel_name) {
  std::string text = fmt::format("why {}\n", kernel_name);
  for (size_t g = 0; g < reasons.templates.size(); ++g)
    text += fmt::format("  group {}: {}\n", g, reasons.templates[g]);
  const std::vector<Considered>& considered = reasons.considered;
  if (considered.empty())
    text += "  no contraction along a parallel axis: tiles and tasks follow rules, nothing was compared\n";
  for (size_t k = 0; k < considered.size(); ++k) {
    const Considered& one = considered[k];
    text += fmt::format(
        "  {}  {:.3g} kcycles = products {:.3g} + other work {:.3g} + L2 {:.3g} + L3 {:.3g} + memory {:.3g}, "
        "{:.0f} task{}: {}\n",
        k == 0 ? "chosen " : "against", one.total / 1e3, one.products / 1e3, one.others / 1e3, one.l2 / 1e3,
        one.l3 / 1e3, one.memory / 1e3, one.tasks, one.tasks == 1 ? "" : "s", one.choice);
  }
  text +=
      fmt::format("  expected {:.3g} kcycles, with loads and stores across vectors, if caches hold what came before\n",
                  reasons.cycles / 1e3);
  for (const LayoutInstead& layout : reasons.layouts)
    text += fmt::format("  {} is {}; {} the kernel would take {:.3g} kcycles\n", layout.buffer,
                        layout.channels_last ? "channels-last" : "row-major",
                        layout.channels_last ? "row-major" : "channels-last", layout.cycles / 1e3);
  return text;
}

}  // namespace hone::cost
