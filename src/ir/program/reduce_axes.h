// Which dimensions a reduction removes: its attribute axes, all of them where it is absent. Private to this folder.
#pragma once

#include "ir/program/program.h"

namespace hone::ir {

std::vector<bool> reduced_dimensions(const Op& op, size_t rank);

}  // namespace hone::ir
