#include "eval/tile_life.h"

#include <algorithm>

namespace hone::eval {
namespace {

using Path = std::vector<const ir::Nest*>;

struct Use {
  Path path;
  const ir::Group* group;
  bool writes;
};

// All uses of each tile, with the loops around them.
class UseCollector {
 public:
  explicit UseCollector(const ir::Kernel& kernel)
      : kernel_(kernel), uses(kernel.tiles.size()), states(kernel.tiles.size(), false) {
    visit(kernel.body);
  }

 private:
  void visit(const std::vector<ir::Node>& nodes) {
    for (const ir::Node& node : nodes) {
      if (const ir::Group* group = std::get_if<ir::Group>(&node)) {
        add(*group);
        continue;
      }
      const ir::Nest& nest = *std::get<std::shared_ptr<const ir::Nest>>(node);
      for (const ir::State& state : nest.states) states[tile_number(kernel_.place_of(state.tile))] = true;
      path_.push_back(&nest);
      visit(nest.body);
      path_.pop_back();
    }
  }

  void add(const ir::Group& group) {
    for (const auto* statements : {&group.inner, &group.outer})
      for (const ir::Stmt& statement : *statements) {
        note(kernel_.place_of(statement.result), group, true);
        for (const ir::Access& access : statement.accesses) note(access.operand, group, false);
      }
  }

  size_t tile_number(int place) const { return static_cast<size_t>(place) - kernel_.buffers.size(); }

  void note(int place, const ir::Group& group, bool writes) {
    size_t number = tile_number(place);
    bool is_tile = static_cast<size_t>(place) >= kernel_.buffers.size() && number < kernel_.tiles.size();
    if (is_tile) uses[number].push_back({path_, &group, writes});
  }

  const ir::Kernel& kernel_;
  Path path_;

 public:
  std::vector<std::vector<Use>> uses;
  std::vector<bool> states;
};

size_t common_depth(const std::vector<Use>& uses) {
  size_t depth = uses.empty() ? 0 : uses[0].path.size();
  for (const Use& use : uses) {
    size_t same = 0;
    while (same < depth && same < use.path.size() && use.path[same] == uses[0].path[same]) ++same;
    depth = same;
  }
  return depth;
}

// The loop over which a group that writes the tile carries what it wrote.
const ir::Nest* carried_over(const Use& use) {
  for (const ir::GroupAxis& axis : use.group->parallel)
    if (axis.carry)
      for (size_t i = use.path.size(); i-- > 0;)
        if (use.path[i]->axis == *axis.carry) return use.path[i];
  return nullptr;
}

}  // namespace

std::vector<Lifetime> lifetimes_of(const ir::Kernel& kernel) {
  UseCollector collected(kernel);
  std::vector<Lifetime> lifetimes;
  for (size_t t = 0; t < kernel.tiles.size(); ++t) {
    const std::vector<Use>& uses = collected.uses[t];
    Lifetime life;
    life.state = collected.states[t];
    size_t depth = common_depth(uses);
    for (const Use& use : uses)
      if (use.writes && !life.entered) life.entered = carried_over(use);
    if (!life.entered && depth > 0) life.iterated = uses[0].path[depth - 1];
    for (const std::string& axis : kernel.tiles[t].axes) {
      bool is_cut = false;
      for (const Use& use : uses)
        for (size_t i = depth; use.writes && i < use.path.size(); ++i) is_cut |= use.path[i]->axis == axis;
      life.cut.push_back(is_cut);
    }
    lifetimes.push_back(life);
  }
  return lifetimes;
}

TileLife::TileLife(const Lifetime& lifetime, std::vector<int64_t> shape, std::optional<std::pair<size_t, int64_t>> ring)
    : lifetime_(lifetime), written_(static_cast<size_t>(count_of(shape)), 0) {
  if (!ring) return;
  ring_dimension_ = ring->first;
  ring_rows_ = ring->second;
  ring_size_ = shape[ring->first];
  for (size_t i = ring->first + 1; i < shape.size(); ++i) ring_stride_ *= shape[i];
}

bool TileLife::alive(int64_t offset) const {
  if (written_[static_cast<size_t>(offset)] != epoch_) return false;
  return !ring_dimension_ || ring_index(offset) > ring_top_ - ring_rows_;
}

void TileLife::write(int64_t offset) {
  written_[static_cast<size_t>(offset)] = epoch_;
  if (ring_dimension_) ring_top_ = std::max(ring_top_, ring_index(offset));
}

void TileLife::begin_write(const std::vector<std::pair<int64_t, int64_t>>& ranges) {
  if (lifetime_.state) return;
  bool moved = false;
  for (size_t i = 0; i < window_.size(); ++i)
    moved |= lifetime_.cut[i] && i != ring_dimension_ && window_[i] != ranges[i];
  if (moved) ++epoch_;
  window_ = ranges;
}

}  // namespace hone::eval
