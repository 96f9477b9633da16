#include "runtime/host.h"

#include "target/target.h"

namespace hone::runtime {

Status check_host(const Executable& executable) {
  HONE_TRY(target::Isa needed, target::isa_named(executable.isa));
  target::Target host = target::host_target();
  if (needed > host.isa)
    return error("model '{}' was compiled for {}, but this processor ({}) has only {}: compile it with --isa {}",
                 executable.name, executable.isa, host.name, name_of(host.isa), name_of(host.isa));
  return Done{};
}

}  // namespace hone::runtime
