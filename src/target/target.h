// Target: what of a machine the compiler's decisions depend on. Two equal Targets give equal code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "target/figures.h"

namespace hone::target {

// Each includes the ones before it. Avx2 stands for x86-64-v3 (AVX2, FMA, F16C, BMI2), Avx512 for x86-64-v4 (F, BW, CD,
// DQ, VL): processors come with the whole group.
enum class Isa { X86_64, Avx2, Avx512 };

const char* name_of(Isa isa);  // "x86-64", "avx2", "avx512"
Result<Isa> isa_named(std::string_view name);

struct Target {
  std::string name;  // the processor's own name
  Isa isa = Isa::X86_64;
  int vector_bits = 128;
  int vector_registers = 16;
  int64_t l1_bytes = 32 << 10;  // data cache, of one core
  int64_t l2_bytes = 512 << 10;
  int64_t l3_bytes = 8 << 20;  // shared by the cores; 0 where there is none
  int cores = 1;               // that this process may use
  Figures figures;

  bool operator==(const Target&) const = default;
};

// The machine this runs on. Counts only what the operating system lets the process use: vector registers that it
// saves, cores of the affinity mask, the quota of the control group.
Target host_target();
// The same machine without the instruction sets above `isa`, with the built-in figures of that one.
Target capped(Target target, Isa isa);
// host_target() capped by HONE_ISA; an error if that names no instruction set, or one above the host's.
Result<Target> default_target();

// "name = …" lines, one per field; parse_target reads them back.
std::string text_of(const Target& target);
Result<Target> parse_target(std::string_view text);

}  // namespace hone::target
