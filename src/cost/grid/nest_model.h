// What the cost model expects of one way to cut a contraction into tasks, register tiles and loops.
#pragma once

#include "cost/grid/nest.h"
#include "cost/grid/traffic.h"
#include "cost/stride.h"

namespace hone::cost {

// Everything about the kernel and its register tile that no cut changes.
class NestModel {
 public:
  NestModel(const ir::Kernel& kernel, size_t main, const Use& use, const target::Target& target,
            const ir::GroupPlan& plan);

  int64_t extent(const std::string& axis) const;
  int64_t grain(const std::string& axis) const { return grain_of(plan_, axis); }
  bool is_vector(const std::string& axis) const { return axis == plan_.vector_axis; }
  bool certain(const std::string& axis) const { return is_certain(kernel_, use_, axis); }
  bool is_parallel(const std::string& axis) const { return cost::is_parallel(*main_, axis); }

  // Of the slowest core, part by part.
  Considered cycles(const std::vector<GridAxis>& grid, const std::vector<std::string>& parallel_order) const;

 private:
  void find_touched();
  double points_of(const std::vector<ir::GroupAxis>& axes, const std::vector<int64_t>& spans) const;
  double register_tiles(const std::vector<int64_t>& spans) const;
  double others(const std::vector<int64_t>& spans) const;

  const ir::Kernel& kernel_;
  const Use& use_;
  const target::Target& target_;
  const ir::GroupPlan plan_;
  const ir::Group* main_ = nullptr;
  std::vector<const ir::Group*> others_;
  std::vector<Touched> touched_;
  std::vector<int64_t> extents_;  // by axis; 1 where an axis is merged away
  int reductions_ = 0;
  target::Figures figures_;  // for the vectors of the plan
};

}  // namespace hone::cost
