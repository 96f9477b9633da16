#include "measure/limit_kernels.h"

namespace hone::measure {
namespace {

// A multiply-add takes four cycles and two start in one: eight registers are enough, twelve leave room.
constexpr int kRegisters = 12;
alignas(64) const float kHalf = 0.5f, kOne = 1.0f;

#define HONE_VECTOR_CLOBBERS                                                                                          \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm14", "xmm15", \
      "cc", "memory"

// Each register converges to 2 under x = x * 0.5 + 1, so that no value is special.
#define HONE_FMA_LOOP(registers)                                                \
  asm volatile("vbroadcastss %[half], %%" registers                             \
               "14\n\t"                                                         \
               "vbroadcastss %[one], %%" registers                              \
               "15\n\t"                                                         \
               ".irp r,0,1,2,3,4,5,6,7,8,9,10,11\n\t"                           \
               "vbroadcastss %[one], %%" registers                              \
               "\\r\n\t"                                                        \
               ".endr\n\t"                                                      \
               "1:\n\t"                                                         \
               ".irp r,0,1,2,3,4,5,6,7,8,9,10,11\n\t"                           \
               "vfmadd213ps %%" registers "15, %%" registers "14, %%" registers \
               "\\r\n\t"                                                        \
               ".endr\n\t"                                                      \
               "dec %[turns]\n\t"                                               \
               "jnz 1b\n\t"                                                     \
               "vzeroupper\n\t"                                                 \
               : [turns] "+r"(turns)                                            \
               : [half] "m"(kHalf), [one] "m"(kOne)                             \
               : HONE_VECTOR_CLOBBERS)

// Without fused instructions: half of the registers multiply, half add.
void multiply_and_add(int64_t turns) {
  asm volatile(
      "movss %[one], %%xmm15\n\t"
      "shufps $0, %%xmm15, %%xmm15\n\t"
      ".irp r,0,1,2,3,4,5,6,7,8,9,10,11\n\t"
      "movaps %%xmm15, %%xmm\\r\n\t"
      ".endr\n\t"
      "1:\n\t"
      ".irp r,0,1,2,3,4,5\n\t"
      "mulps %%xmm15, %%xmm\\r\n\t"
      ".endr\n\t"
      ".irp r,6,7,8,9,10,11\n\t"
      "addps %%xmm15, %%xmm\\r\n\t"
      ".endr\n\t"
      "dec %[turns]\n\t"
      "jnz 1b\n\t"
      : [turns] "+r"(turns)
      : [one] "m"(kOne)
      : HONE_VECTOR_CLOBBERS);
}

// Offsets that make up a block, by the width of a vector.
#define HONE_OFFSETS_16 "0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240"
#define HONE_OFFSETS_32 "0,32,64,96,128,160,192,224"
#define HONE_OFFSETS_64 "0,64,128,192"

#define HONE_READ_LOOP(move, register0, offsets, leave)           \
  asm volatile(                                                   \
      "1:\n\t"                                                    \
      ".irp o," offsets "\n\t" move " \\o(%[data]), %%" register0 \
      "\n\t"                                                      \
      ".endr\n\t"                                                 \
      "add %[block], %[data]\n\t"                                 \
      "cmp %[end], %[data]\n\t"                                   \
      "jne 1b\n\t" leave                                          \
      : [data] "+r"(data)                                         \
      : [end] "r"(data + bytes), [block] "i"(kBlockBytes)         \
      : HONE_VECTOR_CLOBBERS)

#define HONE_COPY_LOOP(move, register0, offsets, leave)                                       \
  asm volatile(                                                                               \
      "1:\n\t"                                                                                \
      ".irp o," offsets "\n\t" move " \\o(%[from]), %%" register0 "\n\t" move " %%" register0 \
      ", \\o(%[to])\n\t"                                                                      \
      ".endr\n\t"                                                                             \
      "add %[block], %[from]\n\t"                                                             \
      "add %[block], %[to]\n\t"                                                               \
      "cmp %[end], %[from]\n\t"                                                               \
      "jne 1b\n\t" leave                                                                      \
      : [from] "+r"(from), [to] "+r"(to)                                                      \
      : [end] "r"(from + bytes), [block] "i"(kBlockBytes)                                     \
      : HONE_VECTOR_CLOBBERS)

}  // namespace

double run_multiply_adds(target::Isa isa, int64_t turns) {
  auto vectors = static_cast<double>(turns * kRegisters);
  switch (isa) {
    case target::Isa::X86_64:
      multiply_and_add(turns);
      return vectors * 4;
    case target::Isa::Avx2:
      HONE_FMA_LOOP("ymm");
      return vectors * 8 * 2;
    case target::Isa::Avx512:
      HONE_FMA_LOOP("zmm");
      return vectors * 16 * 2;
  }
  return 0;
}

void run_reads(target::Isa isa, const std::byte* data, size_t bytes) {
  switch (isa) {
    case target::Isa::X86_64:
      HONE_READ_LOOP("movups", "xmm0", HONE_OFFSETS_16, "");
      return;
    case target::Isa::Avx2:
      HONE_READ_LOOP("vmovups", "ymm0", HONE_OFFSETS_32, "vzeroupper\n\t");
      return;
    case target::Isa::Avx512:
      HONE_READ_LOOP("vmovups", "zmm0", HONE_OFFSETS_64, "vzeroupper\n\t");
      return;
  }
}

void run_copies(target::Isa isa, const std::byte* from, std::byte* to, size_t bytes) {
  switch (isa) {
    case target::Isa::X86_64:
      HONE_COPY_LOOP("movups", "xmm0", HONE_OFFSETS_16, "");
      return;
    case target::Isa::Avx2:
      HONE_COPY_LOOP("vmovups", "ymm0", HONE_OFFSETS_32, "vzeroupper\n\t");
      return;
    case target::Isa::Avx512:
      HONE_COPY_LOOP("vmovups", "zmm0", HONE_OFFSETS_64, "vzeroupper\n\t");
      return;
  }
}

}  // namespace hone::measure
