// Library functions on the arrays of a domain.
#pragma once

#include "eval/array.h"
#include "eval/sizes.h"

namespace hone::eval {

// Runs the function on elements of the declared types, which `declared` and `double` round to; the other domains say
// that they cannot. The results have their types and shapes already.
template <typename D>
Status run_library(D& domain, const std::string& function, const std::vector<int64_t>& integers,
                   const std::vector<const Array<D>*>& inputs, const std::vector<Array<D>*>& results);

}  // namespace hone::eval
