#include "base/digest.h"

#include <fmt/format.h>

#include <cstring>

#include "base/hash.h"

namespace hone {
namespace {

// Odd constants without structure: digits of the square roots of 2, 3, 5 and 7.
constexpr uint64_t kKeys[] = {0x6a09e667f3bcc909ull, 0xbb67ae8584caa73bull, 0x3c6ef372fe94f82bull,
                              0xa54ff53a5f1d36f1ull};

uint64_t fold(uint64_t a, uint64_t b) {
  auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

void absorb(Digest& digest, uint64_t first, uint64_t second) {
  digest.high = fold(first ^ kKeys[0] ^ digest.high, second ^ kKeys[1]) + first;
  digest.low = fold(second ^ kKeys[2] ^ digest.low, first ^ kKeys[3]) + second;
}

}  // namespace

Digest digest_of(std::span<const std::byte> bytes, const Digest& before) {
  Digest digest = before;
  absorb(digest, bytes.size(), kKeys[0]);
  size_t at = 0;
  uint64_t words[2];
  for (; at + sizeof(words) <= bytes.size(); at += sizeof(words)) {
    std::memcpy(words, bytes.data() + at, sizeof(words));
    absorb(digest, words[0], words[1]);
  }
  if (at < bytes.size()) {
    words[0] = words[1] = 0;
    std::memcpy(words, bytes.data() + at, bytes.size() - at);
    absorb(digest, words[0], words[1]);
  }
  return {mix(digest.high ^ (digest.low << 1)), mix(digest.low ^ (digest.high >> 1))};
}

Digest digest_of(std::string_view text, const Digest& before) {
  return digest_of(std::as_bytes(std::span(text.data(), text.size())), before);
}

std::string text_of(const Digest& digest) {
  return fmt::format("{:016x}{:016x}", digest.high, digest.low);
}

}  // namespace hone
