// Growth of one cluster: from an anchor to everything that can be computed at the same points.
#pragma once

#include "partition/cluster.h"

namespace hone::partition {

class Grower {
 public:
  Grower(const Flow& flow, Ownership& ownership, const std::vector<ir::Indexed>& meanings)
      : flow_(flow), ownership_(ownership), meanings_(meanings) {}

  Cluster grow(Cluster::Kind kind, int anchor);
  Cluster grow(const AttentionMatch& attention);

 private:
  using Place = std::map<std::string, ir::Index>;

  void start(Cluster::Kind kind, int anchor, const NamedAxes& named);
  void join_siblings();
  Cluster grown();
  bool step();  // one round over the neighbours; true if something joined
  bool try_consumer(int op);
  bool try_producer(ir::ValueId value);
  bool try_view(int op);
  void shed_views();
  bool worth_keeping(int view) const;

  std::optional<Place> place_of_consumer(int op) const;
  bool place_from_operands(int op, Place& place) const;
  bool place_from_domain(int op, Place& place) const;
  bool placed_reduction(int op, const Place& place) const;
  bool place_reduction_source(int op, Place& place) const;
  std::optional<Coordinate> read_at(ir::ValueId value) const;  // the one place where members read it
  Coordinate substituted(const std::vector<ir::Index>& index, const Place& place) const;
  bool covers(const Coordinate& at, bool rows, bool cols) const;
  bool uses_cols(const Coordinate& at) const;
  bool may_be_prologue(const Coordinate& at) const;
  bool needed_at_points(ir::ValueId value) const;
  bool only_feeds_reductions(int op) const;
  bool needed_outside(ir::ValueId value, int except) const;
  void join(int op, Place place, Coordinate at);
  bool joinable(int op) const;

  const Flow& flow_;
  Ownership& ownership_;
  const std::vector<ir::Indexed>& meanings_;  // per op; empty for those that are not indexed
  Cluster cluster_;
  int number_ = 0;
  ir::Ranges ranges_;
  ir::Shape domain_shape_;  // of the rows and columns together; empty coordinate: none
  Coordinate domain_;
};

}  // namespace hone::partition
