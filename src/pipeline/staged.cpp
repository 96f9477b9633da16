#include "pipeline/staged.h"

#include <algorithm>
#include <cstring>

#include "pipeline/face.h"
#include "pipeline/stages.h"

namespace hone::pipeline {
namespace {

using ir::ValueId;
using runtime::InputTensor;
using runtime::OutputMemory;
using runtime::OutputTensor;
using runtime::StepTime;

struct ReadyStage {
  Stage stage;
  std::shared_ptr<runtime::Session> session;  // none: nothing to compute
};

// A tensor of the run: the caller's, or one that a stage has made.
struct Held {
  std::string dtype;
  std::vector<int64_t> shape;
  const void* data = nullptr;
  std::shared_ptr<runtime::AlignedBytes> owned;
};

int64_t bytes_of(const Held& held) {
  int64_t bytes = runtime::element_size_of(held.dtype);
  for (int64_t extent : held.shape) bytes *= extent;
  return bytes;
}

Result<Held> made(std::string dtype, std::vector<int64_t> shape) {
  Held held{std::move(dtype), std::move(shape), nullptr, nullptr};
  HONE_TRY(runtime::AlignedBytes bytes, runtime::AlignedBytes::make(static_cast<size_t>(bytes_of(held))));
  held.owned = std::make_shared<runtime::AlignedBytes>(std::move(bytes));
  held.data = held.owned->data();
  return held;
}

// The first `count` along the axis; without a copy if no other dimension lies outside of it.
Result<Held> front_of(const Held& whole, size_t axis, int64_t count) {
  Held front = whole;
  front.shape[axis] = count;
  int64_t outer = 1, inner = runtime::element_size_of(whole.dtype);
  for (size_t d = 0; d < axis; ++d) outer *= whole.shape[d];
  for (size_t d = axis + 1; d < whole.shape.size(); ++d) inner *= whole.shape[d];
  if (outer == 1 || count == whole.shape[axis]) return front;
  HONE_TRY(front, made(whole.dtype, front.shape));
  auto from = static_cast<const std::byte*>(whole.data);
  auto to = static_cast<std::byte*>(front.owned->data());
  for (int64_t k = 0; k < outer && count * inner > 0; ++k)
    std::memcpy(to + k * count * inner, from + k * whole.shape[axis] * inner, static_cast<size_t>(count * inner));
  return front;
}

class Staged : public runtime::Runner {
 public:
  Staged(const ir::Program& program, std::vector<ReadyStage> stages, runtime::Executable face, int threads)
      : inputs_(program.inputs),
        outputs_(program.outputs),
        stages_(std::move(stages)),
        face_(std::move(face)),
        threads_(threads) {
    constants_.resize(program.values.size());
    for (ValueId id : outputs_) keep_constant(program.values[static_cast<size_t>(id)], at(constants_, id));
    for (const ReadyStage& ready : stages_)
      for (const ir::Op& trim : ready.stage.trims)
        for (ValueId id : trim.inputs) keep_constant(program.values[static_cast<size_t>(id)], at(constants_, id));
  }

  const runtime::Executable& face() const override { return face_; }
  int threads() const override { return threads_; }
  bool shapes_need_data(size_t) const override { return true; }

  Result<runtime::Shapes> output_shapes(std::span<const InputTensor> inputs) override {
    HONE_TRY(std::vector<Held> results, execute(inputs, {}));
    runtime::Shapes shapes;
    for (const Held& result : results) shapes.push_back(result.shape);
    return shapes;
  }

  Result<std::vector<OutputTensor>> run(std::span<const InputTensor> inputs) override {
    HONE_TRY(std::vector<Held> results, execute(inputs, {}));
    std::vector<OutputTensor> tensors;
    for (const Held& result : results) {
      auto bytes = static_cast<size_t>(bytes_of(result));
      HONE_TRY(runtime::AlignedBytes data, runtime::AlignedBytes::make(bytes));
      if (bytes > 0) std::memcpy(data.data(), result.data, bytes);
      tensors.push_back({result.dtype, result.shape, std::move(data)});
    }
    return tensors;
  }

  Status run(std::span<const InputTensor> inputs, std::span<const OutputMemory> outputs) override {
    HONE_TRY(std::vector<Held> results, execute(inputs, {}));
    return copy_out(results, outputs);
  }

  Result<std::vector<StepTime>> run_profiled(std::span<const InputTensor> inputs,
                                             std::span<const OutputMemory> outputs) override {
    std::vector<StepTime> times;
    HONE_TRY(std::vector<Held> results, execute(inputs, {&times, nullptr}));
    HONE_PASS(copy_out(results, outputs));
    return times;
  }

  Result<int64_t> arena_bytes(std::span<const InputTensor> inputs) override {
    int64_t most = 0;
    HONE_PASS(execute(inputs, {nullptr, &most}));
    return most;
  }

 private:
  void keep_constant(const ir::Value& value, Held& held) {
    if (!value.constant) return;
    held = {ir::name_of(value.type.dtype), {}, value.constant->data, nullptr};
    for (const ir::Index& extent : value.type.shape) held.shape.push_back(*extent.constant());
    owners_.push_back(value.constant->owner);
  }

  // What a run tells beside its results.
  struct Told {
    std::vector<StepTime>* times = nullptr;
    int64_t* arena = nullptr;  // of the stage that uses most
  };

  Result<std::vector<Held>> execute(std::span<const InputTensor> inputs, const Told& told) {
    if (inputs.size() != inputs_.size())
      return error("model '{}' has {} inputs, got {}", face_.name, inputs_.size(), inputs.size());
    std::vector<Held> values = constants_;
    for (size_t k = 0; k < inputs.size(); ++k)
      at(values, inputs_[k]) = {
          std::string(inputs[k].dtype), {inputs[k].shape.begin(), inputs[k].shape.end()}, inputs[k].data, nullptr};
    for (const ReadyStage& ready : stages_) {
      if (ready.session) HONE_PASS(compute(ready, values, told));
      for (const ir::Op& trim : ready.stage.trims) HONE_PASS(cut(trim, values));
    }
    std::vector<Held> results;
    for (ValueId id : outputs_) results.push_back(at(values, id));
    return results;
  }

  static Status compute(const ReadyStage& ready, std::vector<Held>& values, const Told& told) {
    std::vector<InputTensor> inputs;
    for (ValueId id : ready.stage.inputs) {
      const Held& held = at(values, id);
      inputs.push_back({held.dtype, held.shape, held.data});
    }
    HONE_TRY(runtime::Shapes shapes, ready.session->output_shapes(inputs));
    std::vector<OutputMemory> memory;
    for (size_t k = 0; k < shapes.size(); ++k) {
      Held& result = at(values, ready.stage.outputs[k]);
      HONE_TRY(result, made(ready.session->executable().outputs[k].dtype, shapes[k]));
      memory.push_back({result.owned->data(), static_cast<size_t>(bytes_of(result))});
    }
    if (told.arena != nullptr) {
      HONE_TRY(int64_t bytes, ready.session->arena_bytes(inputs));
      *told.arena = std::max(*told.arena, bytes);
    }
    if (told.times == nullptr) return ready.session->run(inputs, memory);
    HONE_TRY(std::vector<StepTime> steps, ready.session->run_profiled(inputs, memory));
    told.times->insert(told.times->end(), steps.begin(), steps.end());
    return Done{};
  }

  Status cut(const ir::Op& trim, std::vector<Held>& values) const {
    const Held &whole = at(values, trim.inputs[0]), &number = at(values, trim.inputs[1]);
    size_t axis = static_cast<size_t>(trim.integer("axis", 0));
    if (number.dtype != "i64" || bytes_of(number) != sizeof(int64_t) || whole.shape.size() <= axis)
      return error("node '{}': its operands are not of the types that the model declares", trim.name);
    int64_t count = 0;
    std::memcpy(&count, number.data, sizeof(count));
    if (count < 0 || count > whole.shape[axis])
      return error("node '{}': {} of {} elements cannot be kept", trim.name, count, whole.shape[axis]);
    HONE_TRY(at(values, trim.outputs[0]), front_of(whole, axis, count));
    return Done{};
  }

  Status copy_out(const std::vector<Held>& results, std::span<const OutputMemory> outputs) const {
    if (outputs.size() != results.size())
      return error("model '{}' has {} outputs, got memory for {}", face_.name, results.size(), outputs.size());
    for (size_t k = 0; k < results.size(); ++k) {
      auto needed = static_cast<size_t>(bytes_of(results[k]));
      if (outputs[k].bytes < needed || (outputs[k].data == nullptr && needed > 0))
        return error("output '{}' of shape [{}] needs {} bytes, got memory for {}", face_.outputs[k].name,
                     fmt::join(results[k].shape, ", "), needed, outputs[k].data ? outputs[k].bytes : 0);
      if (needed > 0) std::memcpy(outputs[k].data, results[k].data, needed);
    }
    return Done{};
  }

  static Held& at(std::vector<Held>& values, ValueId id) { return values[static_cast<size_t>(id)]; }

  const std::vector<ValueId> inputs_, outputs_;
  const std::vector<ReadyStage> stages_;
  const runtime::Executable face_;
  const int threads_;
  std::vector<Held>
      constants_;  // by value of the Program: those that a Trim reads or the model gives out; the others are empty
  std::vector<std::shared_ptr<const void>> owners_;
};

}  // namespace

Result<std::shared_ptr<runtime::Runner>> open_staged(const ir::Program& program, const Options& options) {
  std::vector<ReadyStage> stages;
  runtime::Executable face = face_of(program);
  HONE_TRY(target::Target target, target_of(options));
  face.isa = target::name_of(target.isa);
  for (Stage& stage : stages_of(program)) {
    ReadyStage ready{std::move(stage), nullptr};
    if (!ready.stage.outputs.empty()) {
      HONE_TRY(CompiledModel compiled, compile_program(ready.stage.program, options));
      HONE_TRY(ready.session, load(std::move(compiled), options));
    }
    ready.stage.program = {};
    stages.push_back(std::move(ready));
  }
  HONE_TRY(int threads, runtime::choose_threads(options.threads));
  return std::shared_ptr<runtime::Runner>(
      std::make_shared<Staged>(program, std::move(stages), std::move(face), threads));
}

}  // namespace hone::pipeline
