#include "cost/group/templates.h"

#include "cost/group/register_tiles.h"
#include "cost/group/window_tiles.h"
#include "cost/streams.h"

namespace hone::cost {
namespace {

bool along_parallel(const Space& space, const VectorChoice& vector) {
  return vector.lanes > 1 && is_parallel(space.group, vector.axis);
}

const char* const kNotParallel = "its vectors do not lie along a parallel axis";

std::string refusal_of_window(const Space& space, const VectorChoice& vector) {
  if (!along_parallel(space, vector)) return kNotParallel;
  if (space.group.over.empty()) return "nothing is reduced";
  return sharing_window(space, vector) ? ""
                                       : "no operand slides with a few taps of known number past points of its own";
}

std::string fill_window(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  return tile_window(space, vector, *sharing_window(space, vector), plan);
}

std::string refusal_of_outer_product(const Space& space, const VectorChoice& vector) {
  if (!along_parallel(space, vector)) return kNotParallel;
  if (space.group.over.empty()) return "nothing is reduced";
  return is_contraction(space.group) || space.group.inner.size() == 1 ? "" : "several statements share the reduction";
}

// Counting the steps takes three of some twenty instructions. A core hides them while it has all its slots, and does not when a
// second thread shares them (a sixth of a convolution). Contractions over the tiles of a loop are short and find their operands
// in the nearest cache: there it always shows.
constexpr int kUnrolledSteps = 2, kUnrolledStepsInPasses = 4;

bool is_in_passes(const Space& space) {
  auto any = [&](const std::vector<ir::GroupAxis>& axes) {
    return std::any_of(axes.begin(), axes.end(),
                       [&](const ir::GroupAxis& axis) { return Space::has_passes(space.kernel.body, axis.axis); });
  };
  return any(space.group.parallel) || any(space.group.over);
}

bool reads_memory_once(const Space& space, const VectorChoice& vector) {
  const auto& accesses = space.group.inner[0].accesses;
  return !is_contraction(space.group) && !has_broadcast(space, vector.axis) &&
         std::any_of(accesses.begin(), accesses.end(), [&](const ir::Access& access) {
           return access.operand < static_cast<int>(space.kernel.buffers.size());
         });
}

// Each element of what is summed up across rows is read once: the longer the run of a row, the sooner it comes. Rows of a pass are
// fetched ahead side by side, and all of them evenly if a tile takes a little of each.
void lengthen_runs(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  for (const ir::GroupAxis& axis : space.group.parallel)
    if (axis.axis == vector.axis) {
      const int64_t vectors = (space.points(axis) + vector.lanes - 1) / vector.lanes;
      const int64_t most =
          is_in_passes(space) ? kChains : vectors_of_a_strip(space.kernel, space.use, space.target, axis.axis);
      plan.tile[vector.axis] = std::min(vectors, most);
    }
}

std::string fill_outer_product(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  tile_contraction(space, vector, plan);
  if (reads_memory_once(space, vector)) lengthen_runs(space, vector, plan);
  if (is_in_passes(space))
    plan.unroll = kUnrolledStepsInPasses;
  else if (has_broadcast(space, vector.axis))
    plan.unroll = kUnrolledSteps;
  return vector.axis;
}

std::string refusal_of_turned_squares(const Space& space, const VectorChoice& vector) {
  if (!along_parallel(space, vector)) return kNotParallel;
  if (!space.group.over.empty()) return "it reduces";
  return vector.across.empty() ? "no operand lies along another axis that is long enough for a square" : "";
}

// Rows of the output so far apart, or a multiple of it, fill few sets of the nearest cache: a quarter of a way.
bool writes_crowded_rows(const Space& space, const std::string& across) {
  for (const ir::Stmt& stmt : space.group.inner) {
    const int place = stmt.at.empty() ? -1 : space.kernel.place_of(stmt.result);
    if (place < 0 || place >= static_cast<int>(space.kernel.buffers.size())) continue;
    const ir::Buffer& buffer = space.kernel.buffers[static_cast<size_t>(place)];
    const int64_t row = step_of(space.use, buffer, stmt.at, across).value_or(0);
    if (collide(4 * row * static_cast<int64_t>(ir::size_of(buffer.dtype)))) return true;
  }
  return false;
}

// Lines of the cache are read whole, and one behind the other: runs of reads, unlike those of writes, are fetched ahead. Where lines of
// the rows that are written crowd each other out, they are written one behind the other instead.
std::string fill_turned_squares(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  const std::string& innermost = writes_crowded_rows(space, vector.across) ? vector.axis : vector.across;
  std::erase(plan.order, innermost);
  plan.order.push_back(innermost);
  plan.tile[vector.axis] = 1;
  constexpr int64_t kLineBits = 512;
  plan.tile[vector.across] = std::max(int64_t{1}, kLineBits / space.target.vector_bits) * vector.lanes;
  return vector.axis;
}

// The axis that lies along memory where the vector axis does not, else none.
std::string turned_axis(const Space& space, const VectorChoice& vector) {
  for (const ir::Stmt& stmt : space.group.inner)
    for (const ir::Access& access : stmt.accesses) {
      if (space.stride(access, vector.axis) != Stride::Strided) continue;
      for (const ir::GroupAxis& axis : space.group.parallel)
        if (space.stride(access, axis.axis) == Stride::Contiguous) return axis.axis;
    }
  return "";
}

std::string refusal_of_turned_lines(const Space& space, const VectorChoice& vector) {
  if (!along_parallel(space, vector)) return kNotParallel;
  if (!space.group.over.empty()) return "it reduces";
  return turned_axis(space, vector).empty() ? "no operand lies along another axis" : "";
}

// Every line that was fetched for one point is used up by the next few.
std::string fill_turned_lines(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  const std::string along = turned_axis(space, vector);
  std::erase(plan.order, along);
  plan.order.push_back(along);
  plan.tile[vector.axis] = 1;
  plan.tile[along] = 4;
  return vector.axis;
}

bool has_costly_math(const ir::Scalar& scalar) {
  if (scalar->kind == ir::ScalarNode::Kind::Operation && takes_many_cycles(scalar->op)) return true;
  return std::any_of(scalar->args.begin(), scalar->args.end(), has_costly_math);
}

std::string refusal_of_points(const Space& space, const VectorChoice& vector) {
  return along_parallel(space, vector) ? "" : kNotParallel;
}

// The parallel axis that a loop takes a few points of at a time, and how many of them run beside each other.
std::optional<std::pair<std::string, int64_t>> few_rows(const Space& space, const VectorChoice& vector) {
  for (const ir::GroupAxis& axis : space.group.parallel) {
    if (axis.axis == vector.axis || axis.range) continue;
    if (auto step = Space::loop_step(space.kernel.body, axis.axis); step > 1)
      return std::pair{axis.axis, std::min(*step, kChains)};
  }
  return std::nullopt;
}

// The operand that the group reads from memory, if what it writes goes there too.
const ir::Access* read_from_memory(const Space& space) {
  const ir::Access* found = nullptr;
  for (const ir::Stmt& stmt : space.group.inner) {
    const int place = stmt.at.empty() ? -1 : space.kernel.place_of(stmt.result);
    if (place >= static_cast<int>(space.kernel.buffers.size()) ||
        (place >= 0 && !leaves_caches(space.kernel.buffers[static_cast<size_t>(place)], space.use, space.target)))
      return nullptr;
    for (const ir::Access& access : stmt.accesses)
      if (access.operand < static_cast<int>(space.kernel.buffers.size()) &&
          leaves_caches(space.kernel.buffers[static_cast<size_t>(access.operand)], space.use, space.target))
        found = &access;
  }
  return found;
}

// Outputs that are stored past the caches may be written in any order of lines; what is read is fetched ahead only along its own.
void order_by_reads(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  const ir::Access* access = space.group.over.empty() ? read_from_memory(space) : nullptr;
  if (!access) return;
  const ir::Buffer& buffer = space.kernel.buffers[static_cast<size_t>(access->operand)];
  auto step = [&](const std::string& axis) {
    return axis == vector.axis ? 0 : step_of(space.use, buffer, access->index, axis).value_or(0);
  };
  std::stable_sort(plan.order.begin(), plan.order.end(),
                   [&](const std::string& a, const std::string& b) { return step(a) > step(b); });
}

std::string fill_points(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  auto costs = [](const ir::Stmt& stmt) { return has_costly_math(stmt.body); };
  bool costly = std::any_of(space.group.inner.begin(), space.group.inner.end(), costs) ||
                std::any_of(space.group.outer.begin(), space.group.outer.end(), costs);
  plan.tile[vector.axis] = costly ? 1 : 2;
  order_by_reads(space, vector, plan);
  if (auto rows = few_rows(space, vector)) plan.tile[rows->first] = rows->second, plan.tile[vector.axis] = 1;
  // Two chains of a costly function run beside each other.
  if (costly && !space.group.over.empty()) plan.unroll = 2;
  return vector.axis;
}

std::string refusal_of_dot_products(const Space& space, const VectorChoice& vector) {
  if (vector.lanes == 1) return "there are no vectors";
  if (is_parallel(space.group, vector.axis)) return "its vectors do not lie along the reduction";
  return is_contraction(space.group) ? "" : "it is no sum of products";
}

// Accumulators for a few points of the parallel axes give independent chains.
std::string fill_dot_products(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  const int64_t budget = space.target.vector_registers >= 32 ? 4 : 3;
  std::vector<std::pair<int64_t, std::string>> axes;
  for (const ir::GroupAxis& axis : space.group.parallel) axes.push_back({space.points(axis), axis.axis});
  std::sort(axes.rbegin(), axes.rend());
  for (size_t k = 0; k < axes.size() && k < 2; ++k)
    if (axes[k].first > 1) plan.tile[axes[k].second] = std::min<int64_t>(axes[k].first, k == 0 ? 4 : budget);
  return vector.axis;
}

std::string refusal_of_row(const Space& space, const VectorChoice& vector) {
  if (vector.lanes == 1) return "there are no vectors";
  return is_parallel(space.group, vector.axis) ? "its vectors do not lie along the reduction" : "";
}

// The buffer whose rows are long, lie beyond the nearest cache, and begin anywhere in a line: half of their vectors would take two.
std::string unaligned_rows(const Space& space, const VectorChoice& vector) {
  constexpr int64_t kLongRow = 16;  // vectors; what stands in front and behind takes as long as some of them
  if (extent_of(space.kernel, space.use, vector.axis) < kLongRow * vector.lanes) return "";
  for (const ir::Access& access : space.group.inner[0].accesses) {
    if (access.operand >= static_cast<int>(space.kernel.buffers.size())) continue;
    const ir::Buffer& buffer = space.kernel.buffers[static_cast<size_t>(access.operand)];
    const bool near = bytes_of(buffer, space.use) <= space.target.l1_bytes;
    if (near || space.stride(access, vector.axis) != Stride::Contiguous) continue;
    for (const ir::GroupAxis& axis : space.group.parallel)
      if (auto step = step_of(space.use, buffer, access.index, axis.axis); step && *step % vector.lanes != 0)
        return buffer.name;
  }
  return "";
}

// Chains that run beside each other: of several rows, else of one.
std::string fill_row(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan) {
  plan.tile[vector.axis] = kChains;
  if (auto rows = few_rows(space, vector)) {
    plan.tile[rows->first] = rows->second;
    plan.tile[vector.axis] = kChains / rows->second;
  } else {
    plan.align = unaligned_rows(space, vector);
  }
  return vector.axis;
}

std::string refuses_nothing(const Space&, const VectorChoice&) {
  return "";
}

std::string fill_one_by_one(const Space&, const VectorChoice& vector, ir::GroupPlan&) {
  return vector.axis;
}

}  // namespace

int64_t vectors_of_a_strip(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                           const std::string& axis) {
  return is_certain(kernel, use, axis) ? target.vector_registers * 3 / 4 : target.vector_registers / 2;
}

bool has_broadcast(const Space& space, const std::string& axis) {
  for (const ir::Stmt& stmt : space.group.inner)
    for (const ir::Access& access : stmt.accesses)
      if (space.stride(access, axis) == Stride::Invariant) return true;
  return false;
}

const std::vector<Template>& templates() {
  static const std::vector<Template> list = {
      {"window", refusal_of_window, fill_window},
      {"outer product", refusal_of_outer_product, fill_outer_product},
      {"turned squares", refusal_of_turned_squares, fill_turned_squares},
      {"turned lines", refusal_of_turned_lines, fill_turned_lines},
      {"points", refusal_of_points, fill_points},
      {"dot products", refusal_of_dot_products, fill_dot_products},
      {"row", refusal_of_row, fill_row},
      {"one by one", refuses_nothing, fill_one_by_one},
  };
  return list;
}

bool lays_out_taps(const Space& space, const ir::GroupPlan& plan) {
  const VectorChoice vector{plan.vector_axis, plan.lanes, ""};
  return plan.unroll > 1 && (refusal_of_window(space, vector).empty() || !has_broadcast(space, plan.vector_axis));
}

const Template& fitting_template(const Space& space, const VectorChoice& vector) {
  return *std::find_if(templates().begin(), templates().end(),
                       [&](const Template& one) { return one.refusal(space, vector).empty(); });
}

}  // namespace hone::cost
