// Seal: the last bytes of an artefact, a digest of every byte before it. Whatever happens to the file afterwards, a bit
// that flips or an end that is lost, the seal no longer fits. Against accidents: who can write a file can seal it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"

namespace hone::runtime {

using Seal = std::array<std::byte, 24>;

Seal seal_of(std::span<const std::byte> content);

// Appends the seal to a file that is otherwise finished.
Status seal_file(const std::string& path);

// Whether a file ends in the seal of what stands before it.
bool is_sealed(std::span<const std::byte> file);

}  // namespace hone::runtime
