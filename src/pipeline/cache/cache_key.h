// What a compiled model depends on, as one name.
#pragma once

#include "ir/program/program.h"
#include "pipeline/compile.h"

namespace hone::pipeline {

// Of the program with the content of its constants, the instruction set and the machine's caches, and this very build of
// the compiler. Node names count too: profiles show them.
std::string cache_key(const ir::Program& program, const target::Target& target);

}  // namespace hone::pipeline
