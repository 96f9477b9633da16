#include <algorithm>
#include <set>

#include "ir/plan/plan.h"

namespace hone::ir {
namespace {

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class PlanValidator {
 public:
  PlanValidator(const KernelPlan& plan, const Kernel& kernel) : plan_(plan), kernel_(kernel) {}

  Status run() {
    HONE_PASS(check_parameters());
    HONE_PASS(check_pins());
    HONE_PASS(check_layouts());
    HONE_PASS(check_streams());
    HONE_PASS(check_alone());
    HONE_PASS(check_merges());
    std::vector<const Group*> groups = groups_of(kernel_);
    if (plan_.groups.size() != groups.size())
      return problem("it plans {} groups, the kernel has {}", plan_.groups.size(), groups.size());
    for (size_t i = 0; i < groups.size(); ++i) HONE_PASS(check_group(i, plan_.groups[i], *groups[i]));
    return Done{};
  }

 private:
  template <typename... Args>
  Error problem(fmt::format_string<Args...> format, Args&&... args) const {
    return error("plan of kernel '{}': {}", kernel_.name, fmt::format(format, std::forward<Args>(args)...));
  }

  Status check_parameters() const {
    std::vector<std::string> symbols = kernel_.symbols({});
    for (const std::string& name : parameters_of(kernel_))
      if (!plan_.parameters.count(name) && !plan_.pins.count(name))
        return problem("parameter {} is not set; add: set {} = …", name, name);
    for (const auto& [name, value] : plan_.parameters) {
      if (!contains(symbols, name))
        return problem("it sets {}, but the kernel's symbols are {}", name, listed(symbols));
      if (value < 1) return problem("it sets {} = {}; a parameter is 1 or more", name, value);
    }
    return Done{};
  }

  Status check_pins() const {
    std::vector<std::string> symbols = kernel_.symbols({});
    for (const auto& [name, value] : plan_.pins) {
      if (!contains(symbols, name))
        return problem("it pins {}, but the kernel's symbols are {}", name, listed(symbols));
      if (value < 0) return problem("it pins {} = {}; a size is 0 or more", name, value);
      if (plan_.parameters.count(name)) return problem("{} is both set and pinned", name);
    }
    return Done{};
  }

  // Null where the name is that of a tile, a register or nothing.
  const Buffer* buffer_named(const std::string& name) const {
    const int place = kernel_.place_of(name);
    const bool found = place >= 0 && place < static_cast<int>(kernel_.buffers.size());
    return found ? &kernel_.buffers[static_cast<size_t>(place)] : nullptr;
  }

  Status check_streams() const {
    for (const std::string& name : plan_.streams)
      if (const Buffer* buffer = buffer_named(name); !buffer || !buffer->output)
        return problem("it streams {}, which is no output", name);
    return Done{};
  }

  Status check_alone() const {
    for (const std::string& name : plan_.alone)
      if (!buffer_named(name)) return problem("it reaches for {} alone, which is no buffer", name);
    return Done{};
  }

  Status check_layouts() const {
    for (const auto& [name, layout] : plan_.layouts) {
      int place = kernel_.place_of(name);
      if (place < 0 || place >= static_cast<int>(kernel_.buffers.size()))
        return problem("it gives '{}' a layout, but that is no buffer of the kernel", name);
      int rank = static_cast<int>(kernel_.buffers[static_cast<size_t>(place)].shape.size());
      if (Status fits = layout::validate(layout, rank); !fits.ok())
        return problem("buffer {}: {}", name, fits.problem().message);
    }
    return Done{};
  }

  Status check_merges() const {
    std::vector<std::string> axes;
    for (const Axis& axis : kernel_.axes) axes.push_back(axis.name);
    std::set<std::string> gone;
    for (const Merge& merge : plan_.merges) {
      for (const std::string& name : {merge.outer, merge.inner}) {
        if (!contains(axes, name)) return problem("it merges {}, but the kernel's axes are {}", name, listed(axes));
        if (gone.count(name)) return problem("it merges {} after that axis became part of another", name);
      }
      if (merge.outer == merge.inner) return problem("it merges {} with itself", merge.outer);
      gone.insert(merge.outer);
    }
    for (const Tile& tile : kernel_.tiles) HONE_PASS(check_merges(tile));
    return Done{};
  }

  // In a tile the merged axes follow each other, and its points along both are those of a group.
  Status check_merges(const Tile& tile) const {
    std::vector<std::string> axes = tile.axes;
    for (const Merge& merge : plan_.merges) {
      auto outer = std::find(axes.begin(), axes.end(), merge.outer);
      if (outer == axes.end() && !contains(axes, merge.inner)) continue;
      const bool follow = outer != axes.end() && outer + 1 != axes.end() && *(outer + 1) == merge.inner;
      if (!follow || (tile.ring && (tile.ring->axis == merge.outer || tile.ring->axis == merge.inner)))
        return problem("it merges {} and {}, which do not follow each other in tile {}[{}]", merge.outer, merge.inner,
                       tile.name, listed(tile.axes));
      axes.erase(outer);
    }
    return Done{};
  }

  // The axes of a group as the plan sees them: of two merged ones only the inner is left.
  Result<std::vector<std::string>> planned_axes(size_t number, const std::vector<GroupAxis>& axes) const {
    std::vector<std::string> names;
    for (const GroupAxis& axis : axes) names.push_back(axis.axis);
    for (const Merge& merge : plan_.merges) {
      if (contains(names, merge.outer) != contains(names, merge.inner))
        return problem("it merges {} and {}, but group {} has only one of them", merge.outer, merge.inner, number);
      std::erase(names, merge.outer);
    }
    return names;
  }

  Status check_group(size_t number, const GroupPlan& plan, const Group& group) const {
    HONE_TRY(std::vector<std::string> parallel, planned_axes(number, group.parallel));
    HONE_TRY(std::vector<std::string> over, planned_axes(number, group.over));
    std::vector<std::string> axes = parallel;
    axes.insert(axes.end(), over.begin(), over.end());
    if (plan.lanes < 1) return problem("group {} has no number of lanes; add: vector … by 8, or scalar", number);
    if (plan.lanes > 64 || (plan.lanes & (plan.lanes - 1)) != 0)
      return problem("group {} has {} lanes; they are a power of two up to 64", number, plan.lanes);
    if (plan.lanes > 1 && plan.vector_axis.empty())
      return problem("group {} has {} lanes but no vector axis", number, plan.lanes);
    if (plan.lanes == 1 && !plan.vector_axis.empty())
      return problem("group {} has vectors of one lane along {}; that is: scalar", number, plan.vector_axis);
    if (!plan.vector_axis.empty() && !contains(axes, plan.vector_axis))
      return problem("group {} is to be vectorised along {}, its axes are {}", number, plan.vector_axis, listed(axes));
    if (plan.unroll < 1) return problem("group {} is unrolled {} times; 1 or more is possible", number, plan.unroll);
    for (const auto& [axis, points] : plan.tile) {
      if (!contains(axes, axis))
        return problem("group {} holds a tile along {}, its axes are {}", number, axis, listed(axes));
      if (points < 1) return problem("group {} holds {} points of {}; 1 or more are possible", number, points, axis);
    }
    for (const auto& [buffer, elements] : plan.ahead) HONE_PASS(check_fetched(number, "ahead", buffer, elements));
    for (const auto& [buffer, elements] : plan.next) HONE_PASS(check_fetched(number, "next", buffer, elements));
    if (!plan.next.empty() && (plan.lanes == 1 || over.empty() || !contains(parallel, plan.vector_axis)))
      return problem("group {} fetches what its next vectors need, but it has none along a parallel axis of sums",
                     number);
    if (!plan.align.empty()) HONE_PASS(check_aligned(number, plan, over));
    return check_order(number, plan, parallel, over);
  }

  Status check_aligned(size_t number, const GroupPlan& plan, const std::vector<std::string>& over) const {
    if (!buffer_named(plan.align))
      return problem("group {} aligns {}, but that is no buffer of the kernel", number, plan.align);
    if (plan.lanes == 1 || !contains(over, plan.vector_axis))
      return problem("group {} aligns vectors of {}, but it has none along an axis that it reduces", number,
                     plan.align);
    return Done{};
  }

  Status check_fetched(size_t number, const char* when, const std::string& buffer, int64_t elements) const {
    const int place = kernel_.place_of(buffer);
    if (place < 0 || place >= static_cast<int>(kernel_.buffers.size()))
      return problem("group {} fetches {} {}, but that is no buffer of the kernel", number, buffer, when);
    if (elements < 1)
      return problem("group {} fetches {} {} by {} elements; 1 or more are possible", number, buffer, when, elements);
    return Done{};
  }

  Status check_order(size_t number, const GroupPlan& plan, std::vector<std::string> parallel,
                     std::vector<std::string> over) const {
    std::vector<std::string> wanted = parallel;
    wanted.insert(wanted.end(), over.begin(), over.end());
    size_t split = std::min(parallel.size(), plan.order.size());
    std::vector<std::string> first(plan.order.begin(), plan.order.begin() + static_cast<std::ptrdiff_t>(split));
    std::vector<std::string> rest(plan.order.begin() + static_cast<std::ptrdiff_t>(split), plan.order.end());
    for (auto* names : {&first, &rest, &parallel, &over}) std::sort(names->begin(), names->end());
    if (first != parallel || rest != over)
      return problem("group {} has order ({}); it names each axis once, parallel ones before over ones, as in ({})",
                     number, listed(plan.order), listed(wanted));
    if (contains(over, plan.vector_axis) && plan.order.back() != plan.vector_axis)
      return problem("group {} has vectors along {}, which it reduces, but {} is its innermost loop; put {} last",
                     number, plan.vector_axis, plan.order.back(), plan.vector_axis);
    return Done{};
  }

  const KernelPlan& plan_;
  const Kernel& kernel_;
};

}  // namespace

bool turns(const GroupPlan& plan, const Group& group, const std::string& axis) {
  auto held = plan.tile.find(axis);
  return group.over.empty() && plan.lanes > 1 && axis != plan.vector_axis && held != plan.tile.end() &&
         held->second % plan.lanes == 0;
}

bool turns(const GroupPlan& plan, const Group& group) {
  return std::any_of(plan.tile.begin(), plan.tile.end(),
                     [&](const auto& held) { return turns(plan, group, held.first); });
}

Status validate(const KernelPlan& plan, const Kernel& kernel) {
  return PlanValidator(plan, kernel).run();
}

}  // namespace hone::ir
