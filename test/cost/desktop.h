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

}  // namespace hone::cost
