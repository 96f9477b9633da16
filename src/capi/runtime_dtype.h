// Element types of hone.h by the names that the runtime uses.
#pragma once

#include <string_view>

#include "hone/hone.h"

namespace hone::capi {

const char* name_of(hone_dtype dtype);  // null if unknown
hone_dtype dtype_named(std::string_view name);

}  // namespace hone::capi
