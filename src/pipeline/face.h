// What callers see of a model that is more than one executable: its name and its ports.
#pragma once

#include "ir/program/program.h"
#include "runtime/executable.h"

namespace hone::pipeline {

// Of the program's inputs and outputs; nothing binds their symbols, and there are no steps.
runtime::Executable face_of(const ir::Program& program);

}  // namespace hone::pipeline
