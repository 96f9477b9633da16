#pragma once

#include "import/node_internal.h"

namespace hone::import {

// If gives terms rather than values: what its taken body knows of its results stays known. An error without a text says
// that the reasons were told already.
Result<std::vector<Term>> map_if(Node& node);

}  // namespace hone::import
