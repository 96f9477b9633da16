// A machine whose figures no test has to guess.
#pragma once

#include "target/target.h"

namespace hone::cost {

inline target::Target desktop() {
  target::Target target;
  target.isa = target::Isa::Avx2;
  target.vector_bits = 256;
  target.vector_registers = 16;
  target.l3_bytes = 32 << 20;
  target.cores = 2;
  return target;
}

// With vectors of 512 bits, which its units take in two turns.
inline target::Target wide_desktop() {
  target::Target target = desktop();
  target.isa = target::Isa::Avx512;
  target.vector_bits = 512;
  target.vector_registers = 32;
  target.figures.multiply_adds_per_cycle = 1;
  target.figures.loads_per_cycle = 1;
  return target;
}

}  // namespace hone::cost
