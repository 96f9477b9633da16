// Draft: a kernel in the making. Statements over axes whose operands are still values of the program and whose sizes are
// still those of one call.
#pragma once

#include <set>

#include "partition/cluster.h"

namespace hone::fuse {

struct Read {
  ir::ValueId value = 0;
  bool inside = false;  // computed by another step, at the same point; else read from memory at `index`
  std::vector<ir::Index> index;
  ir::Border border;
};

struct Step {
  ir::ValueId result = 0;
  ir::DType type{};
  bool point = false;  // has a value at every point of rows and columns; else one per row
  std::vector<ir::Index>
      prologue;         // an operand of a contraction, computed before its products: where it lies; else empty
  bool turned = false;  // the tile of this prologue has the columns outermost
  ir::Combine combine = ir::Combine::None;
  std::vector<Read> reads;  // `@k` and `$k` of the body
  ir::Scalar body;
  std::vector<Read> after;  // `@k+1` of finish
  ir::Scalar finish;        // null: none
};

struct Store {
  ir::ValueId from = 0;  // result of a step
  ir::ValueId to = 0;    // the value whose memory it goes to
  std::vector<ir::Index> at;
};

// The parts of partition::Attention that a kernel is written from; ops are named by their results.
struct DraftedAttention {
  ir::ValueId scores = 0, logits = 0, weighted = 0;
  bool guarded = false;           // shares that are NaN count as 0
  size_t query_side = 0;          // which read of the scores is of queries
  std::set<ir::ValueId> factors;  // queries or keys times one number
  std::string query, key, element;
  ir::Axis feature;
};

struct Draft {
  std::string name, label;
  partition::Cluster::Kind kind{};
  ir::OpKind anchor{};
  std::vector<ir::Axis> rows, cols;
  std::vector<Step> steps;  // operands before users
  std::vector<Store> stores;
  std::optional<DraftedAttention> attention;  // without the steps of its softmax; prologues are scores and logits
};

// What building drafts needs to know of the program around, and what it finds out.
struct Scope {
  partition::Partition parts;
  std::set<ir::ValueId> materialised;    // results of views that readers need in memory
  std::set<ir::ValueId> learned;         // constants of one element that stay operands: see find_learned
  std::set<std::pair<int, int>> placed;  // (concat op, number of input) whose elements a cluster stores itself

  const partition::Flow& flow() const { return parts.flow; }
};

// The draft of a cluster. Views between it and memory are composed into accesses; axes are split where that rids an
// index of divisions; a view that still would leave one is materialised instead.
Draft draft_cluster(Scope& scope, const partition::Cluster& cluster);

// The draft of a copy that puts a view's result into memory.
Draft draft_view(Scope& scope, ir::ValueId result);

// The value that a copy of `value` reads, past all views.
ir::ValueId copied_from(const Scope& scope, ir::ValueId value);

// The draft of a copy that puts one input of a concatenation into its place.
Draft draft_piece(Scope& scope, int concat, const ir::View& view, const ir::ViewPiece& piece);

// Where an element of a value is kept: in its own memory if anything reads it there, and in that of the concatenations
// that read it, so that nobody has to copy it. Readers for which `inside` holds need neither.
struct Destination {
  ir::ValueId to = 0;
  partition::Coordinate at;
  std::optional<std::pair<int, int>> piece;  // the first concatenation passed, as in Scope::placed
};
std::vector<Destination> destinations(const Scope& scope, ir::ValueId value, const partition::Coordinate& at,
                                      const std::function<bool(int)>& inside = nullptr);

}  // namespace hone::fuse
