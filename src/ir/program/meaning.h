// The one definition of what an operator means. From it follow shape inference, evaluation in any number domain, the
// µGraph statements that fuse builds, FLOP counts and halos.
#pragma once

#include "ir/program/program.h"
#include "ir/scalar.h"

namespace hone::ir {

// What an access yields when its index falls outside the operand.
struct Border {
  enum class Rule { None, Fill, Clamp, Reflect, Wrap };
  Rule rule = Rule::None;  // None: the index is always inside
  double fill = 0;
  bool operator==(const Border&) const = default;
};

struct Access {
  int operand = 0;           // Program: number of the op's input. µGraph: number of the kernel's buffer.
  std::vector<Index> index;  // one per dimension of the operand; over axes, symbols and reads ($k: an earlier access)
  Border border;
};

struct Axis {
  std::string name;
  Index extent;
};

// The monoids of a reduction. Each has an identity in every type.
// MaxNumber passes over NaN, where Max is NaN if anything is.
enum class Combine { None, Sum, Prod, Max, Min, MaxNumber };
const char* name_of(Combine combine);
double identity_of(Combine combine);  // as a double: 0, 1, -inf, +inf

// result[axes] = finish( combine over reduce of body(accesses) ), where finish sees the combined value as `@0`, the value
// of after[k] as `@k+1`, and the axes of the result. Reduction over an empty range gives the identity. A fill or identity
// that the type cannot hold saturates (-inf is the least integer). Reduce axes of constant extent 1 are left out; with no
// reduce axis left, combine is None and finish is null, having been folded into the body.
struct Indexed {
  std::vector<Axis> axes;    // those of the result, in order
  std::vector<Axis> reduce;  // empty if combine is None
  std::vector<Access> accesses;
  Combine combine = Combine::None;
  Scalar body;
  Scalar finish;              // null: the combined value itself
  std::vector<Access> after;  // read by finish, once per point of the result (biases); free of reduce axes and reads
  DType type{};               // of the result; body and combination have it too, but for sums of halves: those are f32
};

// result[index] = operand[map]: one piece per operand of a concatenation, else just one. A piece holds for the result's
// indices from `begin` (inclusive) on along `axis` until the next piece's begin. Axes of the map are named d0, d1, …
struct ViewPiece {
  int operand = 0;
  std::vector<Index> map;
  Index begin;
};
struct View {
  int axis = 0;
  std::vector<ViewPiece> pieces;
};

// The type of each result; checks the operands' types and attributes, and says what is wrong with which node.
Result<std::vector<TensorType>> infer_types(const Program& program, const Op& op);

Indexed indexed_meaning(const Program& program, const Op& op);  // MeaningKind::Indexed
View view_meaning(const Program& program, const Op& op);        // MeaningKind::View
// MeaningKind::Composite: a Program of simpler ops with the same inputs (those that are given, in order) and outputs.
Program composite_body(const Program& program, const Op& op);

// MeaningKind::Scan: a state tuple carried over one axis.
struct ScanMeaning {
  Program step;                      // (states…, slices…, invariants…) -> (states…, slices…)
  std::vector<ValueId> states_init;  // op inputs or kAbsent (zero)
  std::vector<TensorType> state_types;
  // An input of the op, by its number, of which each step takes one slice.
  struct Scanned {
    int number;
    int axis;
    bool reverse;
  };
  std::vector<Scanned> scanned;  // at least one; all of the same length
  std::vector<int> invariants;   // numbers of the op's inputs passed whole
  // For each output of the op: state s (its last value) or slice output k, stacked along an axis.
  struct Output {
    bool is_state;
    int number;
    int axis = 0;
    bool reverse = false;
  };
  std::vector<Output> outputs;
};
ScanMeaning scan_meaning(const Program& program, const Op& op);

// MeaningKind::Library: a function of library/library.h, called with the op's inputs, then its outputs, all dense and
// row-major. Real numbers among the integers stand as the bits of a double.
struct LibraryMeaning {
  std::string function;
  std::vector<Index> integers;
};
LibraryMeaning library_meaning(const Program& program, const Op& op);

}  // namespace hone::ir
