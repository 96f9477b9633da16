#include "cost/stride.h"

#include <algorithm>
#include <cstdlib>

#include "ir/plan/address.h"

namespace hone::cost {

using ir::Index;

static constexpr int64_t kWayBytes = 4096;

int64_t extent_of(const ir::Kernel& kernel, const Use& use, const std::string& axis) {
  return kernel.extent(axis).evaluate([&](const std::string& name) {
    auto found = use.sizes.find(name);
    HONE_CHECK(found != use.sizes.end(), "kernel {}: size {} is not given", kernel.name, name);
    return found->second;
  });
}

size_t axis_number(const ir::Kernel& kernel, const std::string& axis) {
  size_t number = 0;
  while (kernel.axes.at(number).name != axis) ++number;
  return number;
}

bool is_certain(const ir::Kernel& kernel, const Use& use, const std::string& axis) {
  const auto symbols = kernel.extent(axis).symbols();
  return std::all_of(symbols.begin(), symbols.end(),
                     [&](const std::string& symbol) { return use.certain.contains(symbol); });
}

bool collide(int64_t bytes_apart) {
  return bytes_apart != 0 && bytes_apart % kWayBytes == 0;
}

int64_t ways_of_nearest_cache(const target::Target& target) {
  return std::max<int64_t>(2, target.l1_bytes / kWayBytes);
}

int64_t grain_of(const ir::GroupPlan& plan, const std::string& axis) {
  auto found = plan.tile.find(axis);
  const int64_t tile = found == plan.tile.end() ? 1 : found->second;
  return axis == plan.vector_axis ? tile * plan.lanes : tile;
}

bool takes_many_cycles(ir::ScalarOp op) {
  using Op = ir::ScalarOp;
  static const std::set<Op> costly = {Op::Exp,  Op::Log,  Op::Tanh,  Op::Erf,   Op::NormalCdf, Op::Sigmoid,
                                      Op::Sin,  Op::Cos,  Op::Tan,   Op::Asin,  Op::Acos,      Op::Atan,
                                      Op::Sinh, Op::Cosh, Op::Asinh, Op::Acosh, Op::Atanh,     Op::Pow};
  return costly.contains(op);
}

int64_t elements_of(const ir::Buffer& buffer, const Use& use) {
  int64_t elements = 1;
  for (const ir::Index& size : buffer.shape)
    elements *= size.evaluate([&](const std::string& name) { return use.sizes.at(name); });
  return elements;
}

int64_t bytes_of(const ir::Buffer& buffer, const Use& use) {
  return elements_of(buffer, use) * static_cast<int64_t>(ir::size_of(buffer.dtype));
}

bool has_certain_size(const ir::Buffer& buffer, const Use& use) {
  for (const ir::Index& size : buffer.shape)
    for (const std::string& symbol : size.symbols())
      if (!use.certain.contains(symbol)) return false;
  return true;
}

bool comes_from_memory(const ir::Buffer& buffer, const Use& use, const target::Target& target) {
  return 2 * bytes_of(buffer, use) > target.l3_bytes;
}

int64_t tile_bytes_of_point(const ir::Kernel& kernel, const Use& use, const std::string& axis,
                            const std::map<std::string, int64_t>& steps) {
  int64_t bytes = 0;
  for (const ir::Tile& tile : kernel.tiles) {
    if (std::find(tile.axes.begin(), tile.axes.end(), axis) == tile.axes.end()) continue;
    int64_t held = static_cast<int64_t>(ir::size_of(tile.dtype));
    for (const std::string& other : tile.axes)
      if (other != axis)
        held *= steps.contains(other) ? steps.at(other) : std::max<int64_t>(1, extent_of(kernel, use, other));
    bytes += held;
  }
  return bytes;
}

bool is_parallel(const ir::Group& group, const std::string& axis) {
  return std::any_of(group.parallel.begin(), group.parallel.end(),
                     [&](const ir::GroupAxis& own) { return own.axis == axis; });
}

bool slides(const Index& index, const ir::Group& group) {
  bool taps = false, points = false;
  for (const std::string& axis : index.axes()) {
    const bool over =
        std::any_of(group.over.begin(), group.over.end(), [&](const ir::GroupAxis& own) { return own.axis == axis; });
    (over ? taps : points) = true;
  }
  return taps && points;
}

bool is_contraction(const ir::Group& group) {
  return !group.over.empty() && std::any_of(group.inner.begin(), group.inner.end(), [](const ir::Stmt& stmt) {
    return stmt.combine == ir::Combine::Sum && stmt.body->kind == ir::ScalarNode::Kind::Operation &&
           stmt.body->op == ir::ScalarOp::Mul && stmt.accesses.size() >= 2;
  });
}

namespace {

Stride stride_by(int64_t step) {
  if (step == 1) return Stride::Contiguous;
  return step == 2 ? Stride::Alternate : Stride::Strided;
}

// The one dimension that moves with the axis, if the layout does not cut it.
std::optional<size_t> only_dimension(const layout::Layout& layout, const std::vector<Index>& index,
                                     const std::string& axis) {
  std::optional<size_t> only;
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d].uses_read()) return std::nullopt;
    if (!index[d].uses_axis(axis)) continue;
    if (only) return std::nullopt;
    only = d;
  }
  const bool cut = std::any_of(layout.parts.begin(), layout.parts.end(), [&](const layout::Part& part) {
    return only == static_cast<size_t>(part.dim) && (part.divide != 1 || part.modulo != 0);
  });
  return cut ? std::nullopt : only;
}

}  // namespace

std::optional<Index> offset_factor(const Use& use, const ir::Buffer& buffer, const std::vector<Index>& index,
                                   const std::string& axis) {
  auto found = use.layouts.find(buffer.name);
  const layout::Layout layout =
      found != use.layouts.end() ? found->second : layout::row_major(static_cast<int>(buffer.shape.size()));
  auto factor = [&](const Index& sum) -> std::optional<Index> {
    auto linear = sum.linear_in(axis);
    return linear ? std::optional(std::move(linear->first)) : std::nullopt;
  };
  if (std::none_of(index.begin(), index.end(), [&](const Index& i) { return i.uses_axis(axis) || i.uses_read(); }))
    return Index(0);
  if (auto dimension = only_dimension(layout, index, axis))
    if (auto own = factor(index[*dimension])) return *own * ir::element_stride(layout, buffer.shape, *dimension);
  // Merged axes move with several dimensions, whose sum may be simpler than its parts.
  return factor(ir::element_offset(layout, buffer.shape, index));
}

std::optional<int64_t> step_of(const Use& use, const ir::Buffer& buffer, const std::vector<Index>& index,
                               const std::string& axis) {
  const std::optional<Index> factor = offset_factor(use, buffer, index, axis);
  if (!factor) return std::nullopt;
  if (auto step = factor->constant()) return step;
  std::map<std::string, Index> numbers, certain;
  for (const auto& [name, value] : use.sizes) {
    numbers.emplace(name, Index(value));
    if (use.certain.contains(name)) certain.emplace(name, Index(value));
  }
  if (auto step = factor->substitute(certain).constant()) return *step == 0 ? std::nullopt : step;
  // A size that is guessed to be 1 or nothing makes no neighbours of elements that lie apart at any other size.
  auto guess = factor->substitute(numbers).constant();
  return guess && std::abs(*guess) <= 2 ? std::nullopt : guess;
}

Stride stride_of(const ir::Kernel& kernel, const Use& use, int place, const std::vector<Index>& index,
                 const std::string& axis) {
  size_t buffers = kernel.buffers.size();
  bool uses =
      std::any_of(index.begin(), index.end(), [&](const Index& i) { return i.uses_axis(axis) || i.uses_read(); });
  if (!uses || place >= static_cast<int>(buffers + kernel.tiles.size())) return Stride::Invariant;
  if (place >= static_cast<int>(buffers)) {
    for (size_t d = 0; d + 1 < index.size(); ++d)
      if (index[d].uses_axis(axis)) return Stride::Strided;
    auto linear = index.back().linear_in(axis);
    auto step = linear ? linear->first.constant() : std::nullopt;
    return step ? stride_by(*step) : Stride::Strided;
  }
  const ir::Buffer& buffer = kernel.buffers[static_cast<size_t>(place)];
  if (use.weights.contains(buffer.name)) {
    int dims = 0;
    bool plain = true;
    for (const Index& i : index) {
      if (!i.uses_axis(axis)) continue;
      ++dims;
      auto linear = i.linear_in(axis);
      plain &= linear && linear->first.is(1);
    }
    if (dims == 1 && plain) return Stride::Packable;
  }
  auto step = step_of(use, buffer, index, axis);
  if (step == 0) return Stride::Invariant;
  return step ? stride_by(*step) : Stride::Strided;
}

}  // namespace hone::cost
