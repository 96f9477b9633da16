// partition: which ops become one kernel. In: a Program in normal form. Out: clusters, each a set of ops whose values all
// live at the points of common axes, and an order in which clusters and the remaining ops can run. It sits before fuse,
// which turns a cluster into a kernel; the choice here never changes what is computed.
//
//   Contraction  a reduction over products or windows, then element-wise ops on its result; element-wise ops before a
//                product of matrices or a convolution of single pixels, on one of its operands; products of the same rows with other matrices; or all of
//                an attention (attention.h) and element-wise ops after
//   Rows         element-wise ops and reductions over the same columns of the same domain
//   Elementwise  ops without reduction
//
// An op joins a cluster only if every value of the cluster that it reads is read at the very point where it is computed,
// and if clusters still can run one after the other. Views that only rename points are absorbed on the way.
#pragma once

#include "partition/attention.h"
#include "partition/ownership.h"

namespace hone::partition {

struct Cluster {
  enum class Kind { Contraction, Rows, Elementwise };
  Kind kind{};
  int anchor = 0;                    // the op that it grew from
  std::vector<ir::Axis> rows, cols;  // parallel axes and axes of its reductions; none has extent 1
  // Members by number: where the axes of the op's meaning lie. Absorbed views have no axes.
  std::map<int, std::map<std::string, ir::Index>> members;
  std::map<ir::ValueId, Coordinate> values;  // computed in it → where, over its axes
  std::optional<Attention> attention;        // a contraction that takes the softmax before it and what that is taken of
};

struct Partition {
  Flow flow;
  std::vector<Cluster> clusters;
  std::vector<int> owners;  // per op: its cluster, or -1
  std::vector<int> order;   // clusters; an ownerless op is given as -1 - op

  int owner(int op) const { return owners[static_cast<size_t>(op)]; }
};

enum class Attentions { Whole, InParts };  // whether an attention may be one cluster
Partition partition(const ir::Program& program, Attentions attentions = Attentions::Whole);

// A reduction that reads one operand, each element once.
bool is_pure_reduction(const ir::Indexed& meaning);

}  // namespace hone::partition
