#pragma once

namespace hone::tools {

const char* version();  // "0.1.0"

}  // namespace hone::tools
