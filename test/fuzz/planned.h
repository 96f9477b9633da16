// Plans a run of an executable from a file as a session would: schedule, sizes, memory. Nothing is run.
#pragma once

#include "fuzz/holds.h"
#include "runtime/plan/shape_plan.h"

namespace hone::fuzz {

inline void plan(const runtime::Executable& executable) {
  std::vector<std::byte> bytes = runtime::serialize(executable);
  Result<runtime::Executable> again = runtime::deserialize(bytes.data(), bytes.size());
  holds(again.ok() && *again == executable, "an executable reads back the same");
  std::vector<hone_kernel_fn> functions(executable.functions.size());
  Result<runtime::Schedule> schedule = runtime::make_schedule(executable, functions);
  if (!schedule) return;
  for (int64_t extent : {0, 1, 3, 1 << 20}) {
    std::vector<int64_t> symbols(executable.symbols.size(), extent);
    (void)runtime::make_shape_plan(executable, *schedule, symbols, 2).ok();
  }
}

}  // namespace hone::fuzz
