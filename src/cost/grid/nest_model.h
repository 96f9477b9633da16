// What the cost model expects of one way to cut a contraction into tasks, register tiles and loops.
#pragma once

#include <cmath>

#include "cost/grid/nest.h"
#include "cost/grid/traffic.h"
#include "cost/stride.h"

namespace hone::cost {

// Everything about the kernel that no cut changes.
class NestModel {
 public:
  NestModel(const ir::Kernel& kernel, size_t main, const Use& use, const target::Target& target,
            const ir::GroupPlan& plan);

  // From here on, with the register tile of this plan, which is otherwise that of the constructor.
  void hold(const ir::GroupPlan& plan);

  int64_t extent(const std::string& axis) const;
  int64_t grain(const std::string& axis) const { return grain_of(plan_, axis); }
  bool is_vector(const std::string& axis) const { return axis == plan_.vector_axis; }
  bool certain(const std::string& axis) const { return is_certain(kernel_, use_, axis); }
  bool is_parallel(const std::string& axis) const { return cost::is_parallel(*main_, axis); }

  std::vector<size_t> numbers_of(const std::vector<std::string>& axes) const;

  // Of the slowest core, part by part; the parallel axes run in that order, given by their numbers. Nothing if computing alone takes
  // `below` cycles or more. Not const: what it works on is kept for the next cut.
  std::optional<Considered> cycles(const std::vector<GridAxis>& grid, const std::vector<size_t>& parallel_order,
                                   double below = INFINITY);

 private:
  struct ParallelAxis {
    size_t number;
    int64_t grain;
    bool vector;
  };
  struct OtherGroup {
    std::vector<size_t> axes;
    double statements;
  };

  void find_touched();
  double points_of(const std::vector<size_t>& axes) const;
  double enter(size_t axis, int64_t step);
  double register_tiles() const;
  double others() const;

  const ir::Kernel& kernel_;
  const Use& use_;
  const target::Target& target_;
  ir::GroupPlan plan_;
  const ir::Group* main_ = nullptr;
  std::vector<ParallelAxis> parallel_;  // of the main group
  std::vector<size_t> over_;            // as the plan orders them
  size_t innermost_ = 0;
  std::vector<OtherGroup> others_;
  std::vector<Touched> touched_;
  std::vector<int64_t> extents_;  // by axis; 1 where an axis is merged away
  std::vector<int64_t> grains_;   // by axis
  int reductions_ = 0;
  target::Figures figures_;  // for the vectors of the plan
  double pass_ = INFINITY;   // bytes of weights that are there at once, if the reduction can be taken in passes
  // Of the cut at hand: its loops so far, and the points of every axis inside them.
  std::vector<NestLoop> loops_;
  std::vector<int64_t> spans_;
};

}  // namespace hone::cost
