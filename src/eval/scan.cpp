#include "eval/scan.h"

namespace hone::eval {
namespace {

// Elements before the axis, along it and after it.
struct Split {
  int64_t outer = 1, length = 1, inner = 1;
};

Split split_at(const std::vector<int64_t>& shape, size_t axis) {
  Split split;
  for (size_t i = 0; i < shape.size(); ++i)
    (i < axis ? split.outer : i == axis ? split.length : split.inner) *= shape[i];
  return split;
}

template <typename D>
Array<D> slice_of(const Array<D>& array, size_t axis, int64_t number) {
  Split split = split_at(array.shape, axis);
  std::vector<int64_t> shape = array.shape;
  shape.erase(shape.begin() + static_cast<long>(axis));
  Array<D> slice = empty_array<D>(array.dtype, shape);
  for (int64_t i = 0; i < split.outer; ++i)
    for (int64_t j = 0; j < split.inner; ++j)
      slice.data[static_cast<size_t>(i * split.inner + j)] =
          array.data[static_cast<size_t>((i * split.length + number) * split.inner + j)];
  return slice;
}

template <typename D>
void put_slice(Array<D>& array, size_t axis, int64_t number, const Array<D>& slice) {
  Split split = split_at(array.shape, axis);
  for (int64_t i = 0; i < split.outer; ++i)
    for (int64_t j = 0; j < split.inner; ++j)
      array.data[static_cast<size_t>((i * split.length + number) * split.inner + j)] =
          slice.data[static_cast<size_t>(i * split.inner + j)];
}

template <typename D>
Array<D> zero_array(D& domain, const ir::TensorType& type, const Sizes& sizes) {
  Array<D> array = empty_array<D>(type.dtype, shape_of(type.shape, sizes));
  for (auto& number : array.data) number = number_of(domain, type.dtype, 0);
  return array;
}

template <typename D>
class Scan {
 public:
  Scan(D& domain, const ir::Program& program, const ir::Op& op, const Operands<D>& operands, const Sizes& sizes)
      : domain_(domain), op_(op), meaning_(ir::scan_meaning(program, op)), operands_(operands), sizes_(sizes) {
    for (size_t s = 0; s < meaning_.state_types.size(); ++s) states_.push_back(initial(s));
  }

  Result<std::vector<Array<D>>> run() {
    const auto& first = meaning_.scanned[0];
    length_ = operands_[static_cast<size_t>(first.number)]->shape[static_cast<size_t>(first.axis)];
    for (const auto& one : meaning_.scanned)
      if (operands_[static_cast<size_t>(one.number)]->shape[static_cast<size_t>(one.axis)] != length_)
        return error("{} '{}': its scanned inputs differ in length", ir::name_of(op_.kind), op_.name);
    std::vector<Array<D>> results(meaning_.outputs.size());
    for (size_t k = 0; k < results.size(); ++k)
      if (!meaning_.outputs[k].is_state) results[k] = stack(meaning_.outputs[k]);
    for (int64_t i = 0; i < length_; ++i) HONE_PASS(step(i, results));
    for (size_t k = 0; k < results.size(); ++k)
      if (meaning_.outputs[k].is_state) results[k] = states_[static_cast<size_t>(meaning_.outputs[k].number)];
    return results;
  }

 private:
  Array<D> initial(size_t s) const {
    ir::ValueId init = meaning_.states_init[s];
    if (init == ir::kAbsent) return zero_array(domain_, meaning_.state_types[s], sizes_);
    for (size_t k = 0; k < op_.inputs.size(); ++k)
      if (op_.inputs[k] == init) return *operands_[k];
    HONE_CHECK(false, "the initial state is no operand of {}", op_.name);
  }

  Array<D> stack(const ir::ScanMeaning::Output& output) const {
    size_t number = states_.size() + static_cast<size_t>(output.number);
    const ir::TensorType& type = meaning_.step.type(meaning_.step.outputs[number]);
    std::vector<int64_t> shape = shape_of(type.shape, sizes_);
    shape.insert(shape.begin() + output.axis, length_);
    return empty_array<D>(type.dtype, shape);
  }

  Status step(int64_t number, std::vector<Array<D>>& stacks) {
    auto place = [&](bool reverse) { return reverse ? length_ - 1 - number : number; };
    std::vector<Array<D>> inputs = states_;
    for (const auto& one : meaning_.scanned)
      inputs.push_back(
          slice_of(*operands_[static_cast<size_t>(one.number)], static_cast<size_t>(one.axis), place(one.reverse)));
    for (int k : meaning_.invariants) inputs.push_back(*operands_[static_cast<size_t>(k)]);
    HONE_TRY(std::vector<Array<D>> results, evaluate_within(domain_, meaning_.step, std::move(inputs), sizes_));
    for (size_t k = 0; k < stacks.size(); ++k)
      if (const auto& output = meaning_.outputs[k]; !output.is_state)
        put_slice(stacks[k], static_cast<size_t>(output.axis), place(output.reverse),
                  results[states_.size() + static_cast<size_t>(output.number)]);
    for (size_t s = 0; s < states_.size(); ++s) states_[s] = std::move(results[s]);
    return Done{};
  }

  D& domain_;
  const ir::Op& op_;
  ir::ScanMeaning meaning_;
  const Operands<D>& operands_;
  const Sizes& sizes_;
  std::vector<Array<D>> states_;
  int64_t length_ = 0;
};

}  // namespace

template <typename D>
Result<std::vector<Array<D>>> evaluate_scan(D& domain, const ir::Program& program, const ir::Op& op,
                                            const Operands<D>& operands, const Sizes& sizes) {
  return Scan<D>(domain, program, op, operands, sizes).run();
}

#define HONE_DOMAIN(D)                                                                                            \
  template Result<std::vector<Array<D>>> evaluate_scan(D&, const ir::Program&, const ir::Op&, const Operands<D>&, \
                                                       const Sizes&);
HONE_DOMAIN(Declared)
HONE_DOMAIN(Double)
HONE_DOMAIN(ExactInteger)
HONE_DOMAIN(Residue)
HONE_DOMAIN(Bounded)
#undef HONE_DOMAIN

}  // namespace hone::eval
