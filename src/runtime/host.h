// Whether this machine can run an Executable.
#pragma once

#include "runtime/executable.h"

namespace hone::runtime {

// An error if its code needs an instruction set that the host has not got.
Status check_host(const Executable& executable);

}  // namespace hone::runtime
