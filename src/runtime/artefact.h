// Artefact: a model compiled ahead of time, as a shared library. It exports
//
//   hone_executable        the serialised Executable
//   hone_executable_size   its bytes, as uint64_t
//   hone_weights           the weights segment, page-aligned; absent if the model has none
//   one function per name in Executable::functions
//
// and ends in a seal over all of its bytes (seal.h).
#pragma once

#include <memory>
#include <string>

#include "runtime/session.h"

namespace hone::runtime {

// Reads the description from the file; no code of the library runs.
Result<Executable> read_artefact(const std::string& path);

// Checks the seal, format, version and instruction set, and only then loads the library.
Result<std::shared_ptr<Session>> load_artefact(const std::string& path, int threads = 0);

}  // namespace hone::runtime
