#include "fuse/sizes.h"

#include <algorithm>
#include <set>

#include "fuse/rewrite.h"
#include "partition/coordinate.h"

namespace hone::fuse {
namespace {

using ir::Index;

constexpr int64_t kLargestPinnedWindow = 11;

// coefficient * axis; no axis: the constant part.
struct Part {
  std::string axis;
  Index coefficient;
};

// The parts of an affine index by rising coefficient, the constant last. Nothing if it is not affine.
std::optional<std::vector<Part>> parts_of(const Index& index) {
  std::vector<Part> parts;
  Index rest = index;
  if (index.uses_read() || !partition::is_affine(index)) return std::nullopt;
  for (const std::string& axis : index.axes()) {
    auto linear = rest.linear_in(axis);
    if (!linear || !linear->first.axes().empty()) return std::nullopt;
    parts.push_back({axis, linear->first});
    rest = linear->second;
  }
  parts.push_back({"", rest});
  return parts;
}

class Abstraction {
 public:
  explicit Abstraction(ir::Kernel& kernel) : kernel_(kernel) {}

  std::map<std::string, Index> run() {
    find_windows();
    for (const ir::Axis& axis : kernel_.axes) {
      concrete_[axis.name] = axis.extent;
      abstract_[axis.name] = pinned(axis) ? axis.extent : symbol("D_" + axis.name, axis.extent);
    }
    name_dimensions();
    rewrite_indices(kernel_, [this](const Index& index, const Spot& spot) { return abstracted(index, spot); });
    for (ir::Axis& axis : kernel_.axes) axis.extent = abstract_.at(axis.name);
    for (size_t b = 0; b < kernel_.buffers.size(); ++b) kernel_.buffers[b].shape = shapes_[b];
    keep_model_symbols();
    return std::move(sizes_);
  }

 private:
  Index symbol(const std::string& name, const Index& value) {
    sizes_[name] = value;
    return Index::symbol(name);
  }

  // Reduced axes that slide along an axis of the result, within one index.
  void find_windows() {
    for (const ir::Group* group : ir::groups_of(kernel_))
      for (const ir::Stmt& statement : group->inner)
        for (const ir::Access& access : statement.accesses)
          for (const Index& index : access.index)
            for (const ir::GroupAxis& over : group->over)
              if (index.uses_axis(over.axis) && uses_any(index, group->parallel)) windows_.insert(over.axis);
  }

  static bool uses_any(const Index& index, const std::vector<ir::GroupAxis>& axes) {
    return std::any_of(axes.begin(), axes.end(), [&](const ir::GroupAxis& axis) { return index.uses_axis(axis.axis); });
  }

  bool pinned(const ir::Axis& axis) const {
    auto extent = axis.extent.constant();
    return extent && windows_.count(axis.name) && *extent <= kLargestPinnedWindow;
  }

  void name_dimensions() {
    std::vector<std::vector<std::vector<Index>>> seen(kernel_.buffers.size());  // buffer, dimension → indices met
    for (size_t b = 0; b < seen.size(); ++b) seen[b].resize(kernel_.buffers[b].shape.size());
    rewrite_indices(kernel_, [&](const Index& index, const Spot& spot) {
      if (spot.place >= 0 && spot.place < static_cast<int>(seen.size()))
        seen[static_cast<size_t>(spot.place)][static_cast<size_t>(spot.dimension)].push_back(index);
      return index;
    });
    for (size_t b = 0; b < seen.size(); ++b) {
      shapes_.emplace_back();
      for (size_t d = 0; d < seen[b].size(); ++d) shapes_[b].push_back(dimension(b, d, seen[b][d]));
    }
  }

  Index dimension(size_t buffer, size_t number, const std::vector<Index>& indices) {
    const Index& size = kernel_.buffers[buffer].shape[number];
    if (size.is(1)) return size;
    for (const Index& index : indices)
      if (auto product = run_through(index, size)) return *product;
    return symbol(fmt::format("D_{}_{}", kernel_.buffers[buffer].name, number), size);
  }

  // The product of the axes that count through all of `size` in this index.
  std::optional<Index> run_through(const Index& index, const Index& size) const {
    auto parts = parts_of(index);
    if (!parts || !parts->back().coefficient.is(0)) return std::nullopt;
    auto strides = radix(*parts);
    Index whole = 1, named = 1;
    for (const Part& part : *parts) {
      if (part.axis.empty()) continue;
      if (!strides.count(part.axis)) return std::nullopt;
      whole = whole * concrete_.at(part.axis);
      named = named * abstract_.at(part.axis);
    }
    return whole == size ? std::optional(named) : std::nullopt;
  }

  // Axes whose coefficient is the product of the extents of axes before them, like the digits of a number.
  std::map<std::string, Index> radix(const std::vector<Part>& parts) const {
    std::map<std::string, Index> strides;
    Index expected = 1, named = 1;
    for (bool found = true; found;) {
      found = false;
      for (const Part& part : parts) {
        if (part.axis.empty() || strides.count(part.axis) || !(part.coefficient == expected)) continue;
        strides[part.axis] = named;
        expected = expected * concrete_.at(part.axis);
        named = named * abstract_.at(part.axis);
        found = true;
        break;
      }
    }
    return strides;
  }

  Index abstracted(const Index& index, const Spot& spot) {
    if (spot.kind == Spot::Kind::Value) return abstracted_count(index);
    auto parts = parts_of(index);
    if (!parts) return index;
    auto strides = radix(*parts);
    Index result = 0;
    bool window = false;
    for (const Part& part : *parts) {
      if (part.axis.empty()) continue;
      window |= windows_.count(part.axis) > 0;
      auto stride = strides.find(part.axis);
      result = result + Index::axis(part.axis) * (stride == strides.end() ? part.coefficient : stride->second);
    }
    return result + offset(parts->back().coefficient, spot, window || spot.bordered);
  }

  Index offset(const Index& value, const Spot& spot, bool literal) {
    bool buffer = spot.place >= 0 && spot.place < static_cast<int>(kernel_.buffers.size());
    if (literal || !buffer || value.constant().value_or(1) <= 0) return value;
    std::string stem = fmt::format("F_{}_{}", kernel_.buffers[static_cast<size_t>(spot.place)].name, spot.dimension);
    // One buffer may be met at several offsets.
    std::string name = stem;
    for (int n = 2; sizes_.count(name) && !(sizes_.at(name) == value); ++n) name = fmt::format("{}_{}", stem, n);
    return symbol(name, value);
  }

  // How many elements the columns of a reduction have.
  Index abstracted_count(const Index& index) const {
    for (const ir::Group* group : ir::groups_of(kernel_)) {
      Index count = 1, named = 1;
      for (const ir::GroupAxis& axis : group->over) {
        count = count * concrete_.at(axis.axis);
        named = named * abstract_.at(axis.axis);
      }
      if (!group->over.empty() && count == index) return named;
    }
    return index;
  }

  // What is left of the model's own symbols is passed on under its name.
  void keep_model_symbols() {
    for (const std::string& name : kernel_.symbols({}))
      if (!sizes_.count(name) && !name.starts_with("T_")) sizes_[name] = Index::symbol(name);
    std::vector<std::string> used = kernel_.symbols({});
    std::erase_if(sizes_,
                  [&](const auto& entry) { return std::find(used.begin(), used.end(), entry.first) == used.end(); });
  }

  ir::Kernel& kernel_;
  std::set<std::string> windows_;
  std::map<std::string, Index> concrete_, abstract_;  // extents by axis
  std::vector<ir::Shape> shapes_;
  std::map<std::string, Index> sizes_;
};

}  // namespace

std::map<std::string, Index> abstract_sizes(ir::Kernel& kernel) {
  return Abstraction(kernel).run();
}

}  // namespace hone::fuse
