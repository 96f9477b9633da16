// Runner: a model as its callers see it. A Session is one; so is whatever chooses among sessions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/aligned_bytes.h"
#include "runtime/executable.h"

namespace hone::runtime {

using Shapes = std::vector<std::vector<int64_t>>;

// Dense, row-major; the data need not be aligned. A scalar has an empty shape.
struct InputTensor {
  std::string_view dtype;
  std::span<const int64_t> shape;
  const void* data = nullptr;
};

// Where an output shall go: at least the bytes of its shape, apart from all inputs and other outputs.
struct OutputMemory {
  void* data = nullptr;
  size_t bytes = 0;
};

struct OutputTensor {
  std::string dtype;
  std::vector<int64_t> shape;
  AlignedBytes data;
};

struct StepTime {
  std::string label;
  std::string function;  // the kernel's symbol, or the library function
  double seconds = 0;
  int64_t flops = 0, bytes = 0;
};

// Any number of threads may call it at once. Inputs are in the order of face().inputs; each is checked in type, rank and
// every dimension.
class Runner {
 public:
  virtual ~Runner() = default;

  // Name, instruction set and ports.
  virtual const Executable& face() const = 0;
  virtual int threads() const = 0;
  // Shapes of the outputs depend on the data of this input, not on its shape alone.
  virtual bool shapes_need_data(size_t input) const = 0;

  // Reads no data but those of inputs that shapes_need_data names.
  virtual Result<Shapes> output_shapes(std::span<const InputTensor> inputs) = 0;
  virtual Result<std::vector<OutputTensor>> run(std::span<const InputTensor> inputs) = 0;
  // Writes into the caller's memory.
  virtual Status run(std::span<const InputTensor> inputs, std::span<const OutputMemory> outputs) = 0;
  // As run, with a clock read between steps; steps of bodies that were not taken are absent.
  virtual Result<std::vector<StepTime>> run_profiled(std::span<const InputTensor> inputs,
                                                     std::span<const OutputMemory> outputs) = 0;
  // The arena that a call with these inputs uses, in bytes.
  virtual Result<int64_t> arena_bytes(std::span<const InputTensor> inputs) = 0;
};

}  // namespace hone::runtime
