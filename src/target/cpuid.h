// What the processor says of itself, and what the operating system supports of it.
#pragma once

#include <cstdint>
#include <string>

#include "target/target.h"

namespace hone::target {

std::string processor_name();
// The highest instruction set whose instructions exist and whose registers the operating system saves.
Isa supported_isa();
// Zen 4 has AVX-512 but units of 256 bits, which take a vector of 512 in two turns.
bool takes_512_bits_in_two_turns();
// Zen 5 fetches ahead behind plain loads of vectors, and behind runs of a few lines that is in vain.
bool fetches_behind_short_runs();
// Bytes of the data (or unified) cache of a level, 0 if unknown.
int64_t cache_bytes(int level);

}  // namespace hone::target
