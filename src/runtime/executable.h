// Executable: a compiled model as data, independent of the compiler. JIT sessions hold one in memory; an ahead-of-time
// artefact carries it serialised beside its machine code. Running it needs only this library.
//
// Sizes are formulas over the model's symbols, so a new shape costs evaluating them, never compiling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "abi/kernel.h"
#include "base/result.h"

namespace hone::runtime {

// Postfix code over int64: see formula.h for the instructions. An empty formula is 0.
struct Formula {
  std::vector<int64_t> code;
  bool operator==(const Formula&) const = default;
};

// Element types by the names of ir::name_of ("f32", "i64", …): the runtime needs only their size and to tell the user.
struct PortSpec {
  std::string name;
  std::string dtype;
  std::vector<Formula> shape;           // outputs: to compute; inputs: what each dimension must equal
  std::vector<std::string> shape_text;  // for messages and get_inputs(): "1", "batch", …
  std::vector<int> binds;               // inputs: the symbol that the dimension gives a value, or -1; outputs: empty
  bool operator==(const PortSpec&) const = default;
};

struct BufferSpec {
  enum class Kind : int64_t { Input, Output, Constant, Arena, Alias };
  Kind kind = Kind::Arena;
  std::string name;
  int64_t number = 0;  // Input, Output: port. Constant: number in `constants`. Alias: the buffer whose bytes it shares
  Formula bytes;       // with padding
  int64_t element_size = 4;
  bool operator==(const BufferSpec&) const = default;
};

struct ConstantSpec {
  uint64_t offset = 0;  // in the weights segment, a multiple of 64
  uint64_t bytes = 0;
  bool operator==(const ConstantSpec&) const = default;
};

struct StepSpec {
  // Loop: runs its body while the round is below the number of rounds and the condition holds; before the first round
  // each carried value takes its first value, after each round the next one, and slices are added to their stacks.
  // Check: ends the run with `label` as the reason unless its two sizes are equal.
  enum class Kind : int64_t { Kernel, Library, If, Loop, Check };
  Kind kind = Kind::Kernel;
  std::string label;     // what of the model it computes; for profiles
  int64_t function = 0;  // Kernel: number in `functions`
  std::string library;   // Library: name of the function
  // Kernel, Library: arguments. If: the condition (one Bool element). Loop: number of rounds and round (i64), {value, first,
  // next} per carried value, the condition being the first of them, then {stack, slice} per stack.
  std::vector<int64_t> buffers;
  int64_t carried = 0;                        // Loop: values, with the condition
  std::vector<Formula> sizes;                 // Kernel: its size arguments. Library: its integer arguments
  Formula tasks;                              // Kernel: length of the flattened grid
  Formula scratch;                            // Kernel: bytes a worker needs
  Formula flops, bytes;                       // for profiles: arithmetic and the least memory traffic
  std::vector<std::vector<StepSpec>> bodies;  // If: then, else. Loop: one
  bool operator==(const StepSpec&) const = default;
};

// Two sizes that the model takes to be equal and that nothing else makes so.
struct SizeCheck {
  Formula left, right;
  std::string what;  // for the message: both as text, and the operator that needs it
  bool operator==(const SizeCheck&) const = default;
};

struct Executable {
  std::string name;
  std::string isa;    // the instruction set its code needs: "avx512", "avx2", "x86-64"
  std::string build;  // Hone's version
  std::vector<std::string> symbols;
  std::vector<PortSpec> inputs, outputs;
  std::vector<BufferSpec> buffers;
  std::vector<ConstantSpec> constants;
  std::vector<std::string> functions;  // symbol names of the machine code
  std::vector<StepSpec> steps;
  std::vector<SizeCheck> checks;  // of every run, before anything is touched
  uint64_t weight_bytes = 0;
  bool operator==(const Executable&) const = default;
};

// Every number in range, every formula valid, aliases without cycle, every symbol bound by an input, every output
// written through at most one buffer. A valid Executable can be run whatever the shapes: the rest is told at the call.
Status validate(const Executable& executable);

// Bytes of an element; 0 for a name that is no element type.
int64_t element_size_of(std::string_view dtype);

std::vector<std::byte> serialize(const Executable& executable);
// Whether the bytes begin as a compiled model of the format that this library reads.
Status check_format(const std::byte* data, size_t bytes);
// Checks every count before it takes memory, then validates; never trusts.
Result<Executable> deserialize(const std::byte* data, size_t bytes);

}  // namespace hone::runtime
