#include "target/cpuid.h"

#include <cpuid.h>
#include <unistd.h>

#include <cstring>

namespace hone::target {

namespace {

struct Registers {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// All zero if the processor has no such leaf.
Registers cpuid(uint32_t leaf, uint32_t subleaf = 0) {
  Registers r;
  if (__get_cpuid_max(leaf & 0x80000000u, nullptr) < leaf) return r;
  __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
  return r;
}

bool has(uint32_t flags, uint32_t wanted) {
  return (flags & wanted) == wanted;
}

constexpr uint32_t bit(int position) {
  return 1u << position;
}

// XCR0: which register files the operating system saves. Readable only where OSXSAVE is set.
uint64_t saved_registers() {
  if (!has(cpuid(1).ecx, bit(27))) return 0;
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

bool has_avx2() {
  constexpr uint32_t fma = bit(12), movbe = bit(22), avx = bit(28), f16c = bit(29);
  constexpr uint32_t bmi1 = bit(3), avx2 = bit(5), bmi2 = bit(8);
  constexpr uint32_t lzcnt = bit(5);
  constexpr uint64_t vector_state = 0x6;  // SSE and AVX
  return has(cpuid(1).ecx, fma | movbe | avx | f16c) && has(cpuid(7).ebx, bmi1 | avx2 | bmi2) &&
         has(cpuid(0x80000001u).ecx, lzcnt) && (saved_registers() & vector_state) == vector_state;
}

bool has_avx512() {
  constexpr uint32_t f = bit(16), dq = bit(17), cd = bit(28), bw = bit(30), vl = bit(31);
  constexpr uint64_t vector_state = 0xe6;  // SSE, AVX, masks, upper halves, upper registers
  return has_avx2() && has(cpuid(7).ebx, f | dq | cd | bw | vl) && (saved_registers() & vector_state) == vector_state;
}

// Deterministic cache parameters: Intel's leaf 4 and AMD's 0x8000001D share their form.
int64_t cache_in_leaf(uint32_t leaf, int level) {
  for (uint32_t subleaf = 0; subleaf < 16; ++subleaf) {
    Registers r = cpuid(leaf, subleaf);
    uint32_t kind = r.eax & 31;
    if (kind == 0) break;
    bool holds_data = kind == 1 || kind == 3;
    if (!holds_data || static_cast<int>(r.eax >> 5 & 7) != level) continue;
    int64_t ways = (r.ebx >> 22) + 1, partitions = (r.ebx >> 12 & 1023) + 1, line = (r.ebx & 4095) + 1;
    return ways * partitions * line * (int64_t{r.ecx} + 1);
  }
  return 0;
}

bool made_by_amd() {
  Registers r = cpuid(0);
  return r.ebx == signature_AMD_ebx && r.ecx == signature_AMD_ecx && r.edx == signature_AMD_edx;
}

uint32_t family() {
  const uint32_t eax = cpuid(1).eax;
  const uint32_t base = eax >> 8 & 15, extended = eax >> 20 & 255;
  return base + extended;
}

}  // namespace

std::string processor_name() {
  char text[49] = {};
  for (uint32_t part = 0; part < 3; ++part) {
    Registers r = cpuid(0x80000002u + part);
    std::memcpy(text + 16 * part, &r, sizeof(r));
  }
  std::string name = text;
  name.erase(0, name.find_first_not_of(' '));
  name.erase(name.find_last_not_of(' ') + 1);
  return name.empty() ? "unnamed x86-64" : name;
}

Isa supported_isa() {
  return has_avx512() ? Isa::Avx512 : has_avx2() ? Isa::Avx2 : Isa::X86_64;
}

bool takes_512_bits_in_two_turns() {
  constexpr uint32_t kZen3AndZen4 = 0x19;
  return made_by_amd() && family() == kZen3AndZen4 && has_avx512();
}

bool fetches_behind_short_runs() {
  constexpr uint32_t kZen5 = 0x1a;
  return made_by_amd() && family() == kZen5;
}

int64_t cache_bytes(int level) {
  if (int64_t told = cache_in_leaf(made_by_amd() ? 0x8000001Du : 4u, level)) return told;
  int name = level == 1 ? _SC_LEVEL1_DCACHE_SIZE : level == 2 ? _SC_LEVEL2_CACHE_SIZE : _SC_LEVEL3_CACHE_SIZE;
  long known = sysconf(name);
  return known > 0 ? known : 0;
}

}  // namespace hone::target
