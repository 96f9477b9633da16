// Stable 64-bit hashing (FNV-1a with a final mix): the same bytes give the same number on every machine and version, so
// it may be stored. Not for hostile keys.
#pragma once

#include <cstdint>
#include <string_view>

namespace hone {

inline uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

inline uint64_t hash_bytes(std::string_view bytes, uint64_t seed = 0xcbf29ce484222325ull) {
  uint64_t h = seed;
  for (unsigned char c : bytes) h = (h ^ c) * 0x100000001b3ull;
  return mix(h);
}

}  // namespace hone
