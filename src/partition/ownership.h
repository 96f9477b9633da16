// Which cluster each op belongs to, and whether a join would make clusters wait for each other.
#pragma once

#include "partition/flow.h"

namespace hone::partition {

class Ownership {
 public:
  explicit Ownership(const Flow& flow);

  int owner(int op) const { return owners_[static_cast<size_t>(op)]; }  // -1: none
  int add_cluster();
  void join(int cluster, int op);
  void leave(int op);

  // True if some path leaves the cluster (with the op joined to it) and comes back: no order of launches would exist.
  bool closes_cycle(int cluster, int op) const;

  // Clusters and ownerless ops in an order of launches: those with the smallest op numbers first. An ownerless op is
  // given as -1 - op.
  std::vector<int> order() const;

 private:
  const Flow& flow_;
  std::vector<int> owners_;
  std::vector<std::vector<int>> members_;     // per cluster, ascending
  std::vector<std::vector<int>> successors_;  // per op: ops that read its results
};

}  // namespace hone::partition
