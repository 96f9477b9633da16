// Index expressions and accesses made ready to run at many points: symbols replaced by their values, axes by slots.
#pragma once

#include "eval/sizes.h"
#include "ir/program/meaning.h"

namespace hone::eval {

using AxisSlots = std::map<std::string, int>;  // axis → its place in the array of current values

class IndexCode {
 public:
  IndexCode(const ir::Index& index, const AxisSlots& axes, const Sizes& sizes);

  int64_t run(const int64_t* axes, const int64_t* reads) const {
    int64_t value = constant_;
    for (const Affine& term : affine_) value += term.coefficient * axes[term.slot];
    return products_.empty() ? value : value + run_products(axes, reads);
  }

  bool is_affine() const { return products_.empty(); }
  // Smallest and largest value where axis k takes 0 … extents[k] - 1; only of affine code.
  std::pair<int64_t, int64_t> range(const std::vector<int64_t>& extents) const;
  // Adds factor * (this affine code) to the one given.
  void add_to(IndexCode& sum, int64_t factor) const;

 private:
  struct Affine {
    int slot;
    int64_t coefficient;
  };
  struct Atom {
    ir::IndexAtom::Kind kind;
    int slot;
    std::vector<IndexCode> args;
    int64_t run(const int64_t* axes, const int64_t* reads) const;
  };
  struct Product {
    int64_t coefficient;
    std::vector<Atom> atoms;
  };

  int64_t run_products(const int64_t* axes, const int64_t* reads) const;

  int64_t constant_ = 0;
  std::vector<Affine> affine_;
  std::vector<Product> products_;
};

// Where an access reads. Offsets count elements of a row-major operand.
class AccessCode {
 public:
  static constexpr int64_t kFill = -1;     // the border yields its fill value
  static constexpr int64_t kOutside = -2;  // outside, although the access promised otherwise

  // extents[k]: how many values axis slot k takes, from 0 on; empty if that is not known.
  AccessCode(const ir::Access& access, const std::vector<int64_t>& shape, const AxisSlots& axes, const Sizes& sizes,
             const std::vector<int64_t>& extents);

  int64_t offset(const int64_t* axes, const int64_t* reads) const {
    return safe_ ? safe_->run(axes, nullptr) : checked_offset(axes, reads);
  }

 private:
  int64_t checked_offset(const int64_t* axes, const int64_t* reads) const;

  std::vector<IndexCode> index_;
  std::vector<int64_t> shape_;
  ir::Border::Rule rule_;
  std::optional<IndexCode> safe_;  // the offset itself, where every index is affine and shown to be inside
};

}  // namespace hone::eval
