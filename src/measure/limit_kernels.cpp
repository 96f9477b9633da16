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

// Offsets that make up a line and a block, by the width of a vector.
#define HONE_LINE_16 "0,16,32,48"
#define HONE_LINE_32 "0,32"
#define HONE_LINE_64 "0"
#define HONE_OFFSETS_16 "0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240"
#define HONE_OFFSETS_32 "0,32,64,96,128,160,192,224"
#define HONE_OFFSETS_64 "0,64,128,192"

// A line of each quarter in turn: memory delivers four streams sooner than one.
#define HONE_READ_LOOP(move, register0, offsets, leave)                                                             \
  asm volatile(                                                                                                     \
      "1:\n\t"                                                                                                      \
      ".irp o," offsets "\n\t" move " \\o(%[first]), %%" register0 "\n\t" move                                      \
      " \\o(%[first],%[quarter]), %%" register0 "\n\t" move " \\o(%[first],%[quarter],2), %%" register0 "\n\t" move \
      " \\o(%[last]), %%" register0                                                                                 \
      "\n\t"                                                                                                        \
      ".endr\n\t"                                                                                                   \
      "add %[line], %[first]\n\t"                                                                                   \
      "add %[line], %[last]\n\t"                                                                                    \
      "cmp %[end], %[last]\n\t"                                                                                     \
      "jne 1b\n\t" leave                                                                                            \
      : [first] "+r"(data), [last] "+r"(last)                                                                       \
      : [quarter] "r"(quarter), [end] "r"(last + quarter), [line] "i"(kBlockBytes / 4)                              \
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

// Twelve times the step in every turn, with 1 in registers 14 and 15.
#define HONE_CHAIN_LOOP(ones, step, leave) \
  asm volatile(ones                        \
               "1:\n\t"                    \
               ".rept 12\n\t" step         \
               ".endr\n\t"                 \
               "dec %[turns]\n\t"          \
               "jnz 1b\n\t" leave          \
               : [turns] "+r"(turns)       \
               : [one] "m"(kOne)           \
               : HONE_VECTOR_CLOBBERS)

#define HONE_LOAD_LOOP(move, register0, offsets, leave)            \
  asm volatile(                                                    \
      "1:\n\t"                                                     \
      ".irp o," offsets "\n\t" move " \\o(%[block]), %%" register0 \
      "\n\t"                                                       \
      ".endr\n\t"                                                  \
      "dec %[turns]\n\t"                                           \
      "jnz 1b\n\t" leave                                           \
      : [turns] "+r"(turns)                                        \
      : [block] "r"(block)                                         \
      : HONE_VECTOR_CLOBBERS)

#define HONE_STRIP_LOOP(register0)                                   \
  asm volatile(                                                      \
      "kxnorw %%k1, %%k1, %%k1\n\t"                                  \
      "1:\n\t"                                                       \
      ".irp o," HONE_OFFSETS_64 "\n\tvmovups \\o(%[at]), " register0 \
      "\n\t.endr\n\t"                                                \
      "add %[row], %[at]\n\t"                                        \
      "dec %[left]\n\t"                                              \
      "jnz 1b\n\tvzeroupper\n\t"                                     \
      : [at] "+r"(at), [left] "+r"(left)                             \
      : [row] "i"(kRowBytes)                                         \
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
  const size_t quarter = bytes / 4;
  const std::byte* last = data + 3 * quarter;
  switch (isa) {
    case target::Isa::X86_64:
      HONE_READ_LOOP("movups", "xmm0", HONE_LINE_16, "");
      return;
    case target::Isa::Avx2:
      HONE_READ_LOOP("vmovups", "ymm0", HONE_LINE_32, "vzeroupper\n\t");
      return;
    case target::Isa::Avx512:
      HONE_READ_LOOP("vmovups", "zmm0", HONE_LINE_64, "vzeroupper\n\t");
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

double run_additions(int64_t turns) {
  auto cycles = static_cast<double>(turns * 16);
  int64_t sum = 0, step = turns;
  asm volatile(
      "1:\n\t"
      ".rept 16\n\t"
      "add %[step], %[sum]\n\t"
      ".endr\n\t"
      "dec %[turns]\n\t"
      "jnz 1b\n\t"
      : [turns] "+r"(turns), [sum] "+r"(sum)
      : [step] "r"(step)
      : "cc");
  return cycles;
}

double run_multiply_add_chain(target::Isa isa, int64_t turns) {
  auto steps = static_cast<double>(turns * 12);
  switch (isa) {
    case target::Isa::X86_64:
      // Without fused instructions a product waits for its own multiplication and for the sum.
      HONE_CHAIN_LOOP("movss %[one], %%xmm14\n\tmovaps %%xmm14, %%xmm15\n\t",
                      "mulps %%xmm15, %%xmm14\n\taddps %%xmm15, %%xmm14\n\t", "");
      return steps;
    case target::Isa::Avx2:
      HONE_CHAIN_LOOP("vbroadcastss %[one], %%ymm14\n\tvbroadcastss %[one], %%ymm15\n\t",
                      "vfnmadd213ps %%ymm15, %%ymm15, %%ymm14\n\t", "vzeroupper\n\t");
      return steps;
    case target::Isa::Avx512:
      HONE_CHAIN_LOOP("vbroadcastss %[one], %%zmm14\n\tvbroadcastss %[one], %%zmm15\n\t",
                      "vfnmadd213ps %%zmm15, %%zmm15, %%zmm14\n\t", "vzeroupper\n\t");
      return steps;
  }
  return steps;
}

double run_loads(target::Isa isa, const std::byte* block, int64_t turns) {
  auto blocks = static_cast<double>(turns);
  switch (isa) {
    case target::Isa::X86_64:
      HONE_LOAD_LOOP("movups", "xmm0", HONE_OFFSETS_16, "");
      return blocks * 16;
    case target::Isa::Avx2:
      HONE_LOAD_LOOP("vmovups", "ymm0", HONE_OFFSETS_32, "vzeroupper\n\t");
      return blocks * 8;
    case target::Isa::Avx512:
      HONE_LOAD_LOOP("vmovups", "zmm0", HONE_OFFSETS_64, "vzeroupper\n\t");
      return blocks * 4;
  }
  return blocks;
}

void run_strips(const std::byte* data, int64_t rows, bool alone) {
  for (size_t strip = 0; strip < kRowBytes; strip += kBlockBytes) {
    const std::byte* at = data + strip;
    int64_t left = rows;
    if (alone)
      HONE_STRIP_LOOP("%%zmm0%{%%k1%}%{z%}");
    else
      HONE_STRIP_LOOP("%%zmm0");
  }
}

}  // namespace hone::measure
