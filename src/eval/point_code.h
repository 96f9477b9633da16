// The accesses and the body of a statement, made ready to run at many points.
#pragma once

#include "eval/scalar_code.h"

namespace hone::eval {

// Says which elements of an operand hold a value now.
class Liveness {
 public:
  virtual ~Liveness() = default;
  virtual bool alive(int64_t offset) const = 0;
};

// What an access may read: elements laid out row-major.
template <typename D>
struct Operand {
  ir::DType dtype = ir::DType::F32;
  std::vector<int64_t> shape;
  const typename D::Number* data = nullptr;
  const Liveness* liveness = nullptr;  // null: all of them
};

template <typename D>
Operand<D> operand_of(const Array<D>& array) {
  return {array.dtype, array.shape, array.data.data(), nullptr};
}

template <typename D>
class PointCode {
 public:
  using Number = typename D::Number;

  // operands[k] is what access k reads. values[0 … first) are given by the caller; accesses follow them.
  PointCode(D& domain, const std::vector<ir::Access>& accesses, const std::vector<Operand<D>>& operands,
            const ir::Scalar& body, const AxisSlots& axes, const Sizes& sizes, const std::vector<int64_t>& extents,
            size_t first = 0)
      : domain_(domain),
        first_(first),
        operands_(operands),
        values_(first + accesses.size()),
        reads_(first + accesses.size()),
        body_(domain, body, axes, sizes) {
    for (size_t k = 0; k < accesses.size(); ++k) {
      codes_.emplace_back(accesses[k], operands[k].shape, axes, sizes, extents);
      const ir::Border& border = accesses[k].border;
      whole_.push_back(ir::is_integer(operands[k].dtype));
      bool fills = border.rule == ir::Border::Rule::Fill;
      fills_.push_back(fills ? number_of(domain, operands[k].dtype, border.fill) : Number{});
    }
  }

  void give(size_t number, Number value) { values_[number] = value; }

  Number run(const int64_t* axes) {
    for (size_t k = 0; k < codes_.size(); ++k) {
      int64_t offset = codes_[k].offset(axes, reads_.data());
      Number& value = values_[first_ + k];
      if (offset >= 0)
        value = operands_[k].data[offset];
      else if (offset == AccessCode::kFill)
        value = fills_[k];
      else
        fail(k, "outside");
      if (offset >= 0 && operands_[k].liveness && !operands_[k].liveness->alive(offset))
        fail(k, "what is not there in");
      if (whole_[k]) reads_[first_ + k] = domain_.whole_of(value);
    }
    return body_.run(axes, values_.data(), reads_.data());
  }

 private:
  void fail(size_t access, const char* where) {
    if (!domain_.problem)
      domain_.problem =
          fmt::format("access {} reads {} an operand of shape {}", access, where, text_of(operands_[access].shape));
  }

  D& domain_;
  size_t first_;
  std::vector<Operand<D>> operands_;
  std::vector<AccessCode> codes_;
  std::vector<Number> fills_;
  std::vector<char> whole_;  // of an integer type: may be read as an index
  std::vector<Number> values_;
  std::vector<int64_t> reads_;
  ScalarCode<D> body_;
};

// Calls visit() at every point of [0, extents) of axes[from …]; the axes' values stand in `axes`.
template <typename Visit>
void for_each_point(std::vector<int64_t>& axes, size_t from, const std::vector<int64_t>& extents, size_t until,
                    const Visit& visit) {
  for (size_t k = from; k < until; ++k) {
    if (extents[k] <= 0) return;
    axes[k] = 0;
  }
  for (;;) {
    visit();
    size_t k = until;
    while (k > from && ++axes[k - 1] == extents[k - 1]) axes[--k] = 0;
    if (k == from) return;
  }
}

}  // namespace hone::eval
