#pragma once

#include "import/node_internal.h"

namespace hone::import {

// Until opset 6 nodes train unless they say that they do not.
Status expect_test_mode(Node& node);

}  // namespace hone::import
