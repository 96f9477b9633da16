// An Indexed or View meaning over actual operands, ready to be evaluated at any point of its result.
#pragma once

#include "eval/point_code.h"

namespace hone::eval {

template <typename D>
using Operands = std::vector<const Array<D>*>;  // by the op's inputs; null where one is absent

template <typename D>
std::vector<Operand<D>> operands_of(const std::vector<ir::Access>& accesses, const Operands<D>& operands) {
  std::vector<Operand<D>> result;
  for (const ir::Access& access : accesses) {
    const Array<D>* array = operands[static_cast<size_t>(access.operand)];
    HONE_CHECK(array, "access to absent operand {}", access.operand);
    result.push_back(operand_of(*array));
  }
  return result;
}

template <typename D>
class IndexedCode {
 public:
  using Number = typename D::Number;

  IndexedCode(D& domain, const ir::Indexed& meaning, const Operands<D>& operands, const Sizes& sizes)
      : domain_(domain),
        type_(meaning.type),
        sum_type_(meaning.body->type),
        combine_(meaning.combine),
        rank_(meaning.axes.size()) {
    for (const ir::Axis& axis : meaning.axes) add_axis(axis, sizes);
    for (const ir::Axis& axis : meaning.reduce) add_axis(axis, sizes);
    axes_.resize(extents_.size());
    body_.emplace(domain, meaning.accesses, operands_of(meaning.accesses, operands), meaning.body, slots_, sizes,
                  extents_);
    if (meaning.finish)
      finish_.emplace(domain, meaning.after, operands_of(meaning.after, operands), meaning.finish, slots_, sizes,
                      extents_, 1);
  }

  std::vector<int64_t> shape() const { return {extents_.begin(), extents_.begin() + static_cast<long>(rank_)}; }

  Number at(const std::vector<int64_t>& point) {
    std::copy(point.begin(), point.end(), axes_.begin());
    return here();
  }

  Array<D> all() {
    Array<D> result = empty_array<D>(type_, shape());
    size_t next = 0;
    for_each_point(axes_, 0, extents_, rank_, [&] {
      if (!domain_.problem) result.data[next++] = here();
    });
    return result;
  }

 private:
  void add_axis(const ir::Axis& axis, const Sizes& sizes) {
    slots_[axis.name] = static_cast<int>(extents_.size());
    extents_.push_back(size_of(axis.extent, sizes));
  }

  Number here() {
    Number value;
    if (combine_ == ir::Combine::None) {
      value = body_->run(axes_.data());
    } else {
      value = identity(domain_, combine_, sum_type_);
      for_each_point(axes_, rank_, extents_, extents_.size(),
                     [&] { value = combine(domain_, combine_, sum_type_, value, body_->run(axes_.data())); });
    }
    if (!finish_) return value;
    finish_->give(0, value);
    return finish_->run(axes_.data());
  }

  D& domain_;
  ir::DType type_, sum_type_;
  ir::Combine combine_;
  size_t rank_;
  AxisSlots slots_;
  std::vector<int64_t> extents_, axes_;
  std::optional<PointCode<D>> body_, finish_;
};

template <typename D>
class ViewCode {
 public:
  using Number = typename D::Number;

  ViewCode(D& domain, const ir::View& view, const ir::TensorType& result, const Operands<D>& operands,
           const Sizes& sizes)
      : domain_(domain),
        type_(result.dtype),
        shape_(shape_of(result.shape, sizes)),
        axis_(static_cast<size_t>(view.axis)) {
    AxisSlots slots;
    for (size_t i = 0; i < shape_.size(); ++i) slots[fmt::format("d{}", i)] = static_cast<int>(i);
    for (const ir::ViewPiece& piece : view.pieces) {
      std::vector<ir::Access> access = {{piece.operand, piece.map, {}}};
      std::vector<Operand<D>> operand = operands_of(access, operands);
      // A piece holds on a part of the result only, so nothing is known about the extents.
      begins_.push_back(size_of(piece.begin, sizes));
      pieces_.emplace_back(domain, access, operand, ir::access_value(type_, 0), slots, sizes, std::vector<int64_t>{});
    }
  }

  std::vector<int64_t> shape() const { return shape_; }

  Number at(const std::vector<int64_t>& point) {
    size_t piece = pieces_.size() - 1;
    while (piece > 0 && point[axis_] < begins_[piece]) --piece;
    return pieces_[piece].run(point.data());
  }

  Array<D> all() {
    Array<D> result = empty_array<D>(type_, shape_);
    std::vector<int64_t> point(shape_.size());
    size_t next = 0;
    for_each_point(point, 0, shape_, shape_.size(), [&] {
      if (!domain_.problem) result.data[next++] = at(point);
    });
    return result;
  }

 private:
  D& domain_;
  ir::DType type_;
  std::vector<int64_t> shape_;
  size_t axis_;
  std::vector<int64_t> begins_;
  std::vector<PointCode<D>> pieces_;
};

}  // namespace hone::eval
