#include "eval/library_op.h"

#include "library/element.h"
#include "library/library.h"

namespace hone::eval {

static_assert(static_cast<int64_t>(ir::DType::F32) == static_cast<int64_t>(library::Element::F32));
static_assert(static_cast<int64_t>(ir::DType::BF16) == static_cast<int64_t>(library::Element::BF16));
static_assert(static_cast<int64_t>(ir::DType::I64) == static_cast<int64_t>(library::Element::I64));
static_assert(static_cast<int64_t>(ir::DType::U8) == static_cast<int64_t>(library::Element::U8));
static_assert(static_cast<int64_t>(ir::DType::Bool) == static_cast<int64_t>(library::Element::Bool));

template <typename D>
Status run_library(D& domain, const std::string& function, const std::vector<int64_t>& integers,
                   const std::vector<const Array<D>*>& inputs, const std::vector<Array<D>*>& results) {
  if constexpr (std::is_same_v<D, Declared> || std::is_same_v<D, Double>) {
    library::Function run = library::function_named(function);
    if (!run) return error("there is no library function '{}'", function);
    std::vector<Tensor> tensors;
    for (const Array<D>* input : inputs) tensors.push_back(to_tensor(domain, *input));
    for (const Array<D>* result : results) tensors.push_back(zeros(result->dtype, result->shape));
    std::vector<void*> buffers;
    for (Tensor& tensor : tensors) buffers.push_back(tensor.bytes.data());
    HONE_PASS(run(buffers, integers));
    for (size_t k = 0; k < results.size(); ++k) *results[k] = to_array(domain, tensors[inputs.size() + k]);
    return Done{};
  } else {
    return error("library function '{}' is not evaluated in the {} domain", function, D::kName);
  }
}

#define HONE_DOMAIN(D)                                                             \
  template Status run_library(D&, const std::string&, const std::vector<int64_t>&, \
                              const std::vector<const Array<D>*>&, const std::vector<Array<D>*>&);
HONE_DOMAIN(Declared)
HONE_DOMAIN(Double)
HONE_DOMAIN(ExactInteger)
HONE_DOMAIN(Residue)
HONE_DOMAIN(Bounded)
#undef HONE_DOMAIN

}  // namespace hone::eval
