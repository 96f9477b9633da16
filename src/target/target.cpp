#include "target/target.h"

#include "base/knobs.h"
#include "target/cores.h"
#include "target/cpuid.h"

namespace hone::target {

namespace {

constexpr Isa all_isas[] = {Isa::X86_64, Isa::Avx2, Isa::Avx512};

void set_isa(Target& target, Isa isa) {
  target.isa = isa;
  target.vector_bits = isa == Isa::Avx512 ? 512 : isa == Isa::Avx2 ? 256 : 128;
  target.vector_registers = isa == Isa::Avx512 ? 32 : 16;
  target.figures = {};
  if (isa == Isa::Avx512 && takes_512_bits_in_two_turns()) {
    target.figures.multiply_adds_per_cycle /= 2;
    target.figures.loads_per_cycle /= 2;
  }
  if (isa == Isa::Avx512 && fetches_behind_short_runs()) target.figures.alone_speedup = 1.5;
}

}  // namespace

const char* name_of(Isa isa) {
  switch (isa) {
    case Isa::X86_64:
      return "x86-64";
    case Isa::Avx2:
      return "avx2";
    case Isa::Avx512:
      return "avx512";
  }
  HONE_CHECK(false, "isa {}", static_cast<int>(isa));
  return "";
}

Result<Isa> isa_named(std::string_view name) {
  for (Isa isa : all_isas)
    if (name == name_of(isa)) return isa;
  return error("unknown instruction set '{}': use avx512, avx2 or x86-64", name);
}

Target host_target() {
  Target target;
  target.name = processor_name();
  set_isa(target, supported_isa());
  if (int64_t bytes = cache_bytes(1)) target.l1_bytes = bytes;
  if (int64_t bytes = cache_bytes(2)) target.l2_bytes = bytes;
  target.l3_bytes = cache_bytes(3);
  target.cores = available_cores();
  return target;
}

Target capped(Target target, Isa isa) {
  if (isa < target.isa) set_isa(target, isa);
  return target;
}

Result<Target> default_target() {
  Target host = host_target();
  std::optional<std::string> wanted = knob(Knob::Isa);
  if (!wanted) return host;
  HONE_TRY(Isa isa, isa_named(*wanted));
  if (isa > host.isa)
    return error("HONE_ISA asks for {}, but {} has only {}", name_of(isa), host.name, name_of(host.isa));
  return capped(host, isa);
}

}  // namespace hone::target
