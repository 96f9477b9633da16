// Schedule: the steps of an Executable as one flat list that every worker walks. What it holds is the same for all
// shapes; ShapePlan adds the numbers of one.
#pragma once

#include <span>
#include <vector>

#include "library/library.h"
#include "runtime/executable.h"

namespace hone::runtime {

struct ScheduledOp {
  enum class Kind {
    Kernel,
    Library,
    EndIfFailed,  // follows each Library: ends the run of every worker if it failed
    Branch,       // to `target` if the condition, its one pointer, is false
    Jump,         // to `target`
    LoopBegin,    // carried values take their first values, the round is 0
    LoopRound,    // to `target`, behind the loop, if no round is left
    LoopEnd,      // carried values and stacks take what the round computed; back to `target`, the LoopRound
    Check,        // ends the run of every worker if its two sizes differ
  };
  Kind kind = Kind::Kernel;
  hone_kernel_fn kernel = nullptr;
  library::Function library = nullptr;
  size_t first_pointer = 0, pointer_count = 0;  // in the table of pointers of a run
  size_t first_size = 0, size_count = 0;        // in the sizes of a ShapePlan
  size_t target = 0;                            // a later op but for LoopEnd
  const StepSpec* step = nullptr;               // null for EndIfFailed and Jump
};

// A place in the table of pointers that depends on the caller's memory.
struct PortPointer {
  size_t pointer = 0;
  size_t port = 0;
  bool is_output = false;
};

struct Schedule {
  std::vector<ScheduledOp> ops;
  std::vector<size_t> pointers;  // by place in the table: the buffer (a root) it points to
  std::vector<PortPointer> port_pointers;
  std::vector<size_t> roots;  // alias_roots
  size_t size_count = 0;
  // By buffer: first and last op that uses it or an alias of it; first > last if none does. The condition of an If is
  // counted as used by its whole body; so are a loop's own buffers, and what it reads of before.
  std::vector<int64_t> first_use, last_use;
};

// functions: one per name in executable.functions. The Executable must be valid and outlive the Schedule. An error for
// a library function that this version does not have.
Result<Schedule> make_schedule(const Executable& executable, std::span<const hone_kernel_fn> functions);

}  // namespace hone::runtime
