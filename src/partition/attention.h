// Attention: a contraction, element-wise ops on its result, their softmax over one axis, and a contraction of that with values.
// Found by what the ops mean, so it does not matter how they are spelled or through which views they pass their results.
#pragma once

#include <set>

#include "partition/axes.h"

namespace hone::partition {

struct Attention {
  int scores = 0, weighted = 0;     // the ops of the first and the last contraction
  ir::ValueId logits = 0;           // what the softmax is taken of
  std::set<int> softmax;            // the ops that it is made of
  bool guarded = false;             // shares that are NaN count as 0
  int query_side = 0;               // which access of `scores` reads queries; the other reads keys
  std::set<int> factors;            // ops that multiply queries or keys by one number before `scores`
  std::string query, key, element;  // axes: of scores and results; summed by `weighted`; of the values and results
  ir::Axis feature;                 // summed by `scores`; neither a row nor a column of the cluster
};

struct AttentionMatch {
  Attention attention;
  NamedAxes axes;                                           // of `weighted`; batches may be split
  std::map<int, std::map<std::string, ir::Index>> members;  // as in Cluster
  std::map<ir::ValueId, Coordinate> values;
};

// The attention whose last contraction is `weighted`, if it is one that one kernel computes well: of f32, with enough
// queries to fill vectors, and with no value on the way that anything else reads. Meanings are given per op.
std::optional<AttentionMatch> match_attention(const Flow& flow, const std::vector<ir::Indexed>& meanings, int weighted);

}  // namespace hone::partition
