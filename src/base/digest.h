// 128-bit digests of large memory, at the speed of memory: the same bytes give the same digest on every machine. Against
// accidents, not against an adversary.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hone {

struct Digest {
  uint64_t high = 0, low = 0;
  auto operator<=>(const Digest&) const = default;
};

// Continues from `before`, so that pieces can be digested one after the other; where they are cut matters.
Digest digest_of(std::span<const std::byte> bytes, const Digest& before = {});
Digest digest_of(std::string_view text, const Digest& before = {});

std::string text_of(const Digest& digest);  // 32 hexadecimal digits

}  // namespace hone
