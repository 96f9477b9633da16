// Small executables for the runtime's tests. Kernels are plain C++ functions with the signature of generated code: to
// the runtime they are kernels like any other.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/formula.h"
#include "runtime/session.h"

namespace hone::runtime {

// Builds an Executable whose tensors are all f32[n] for the one symbol n.
class ToyModel {
 public:
  explicit ToyModel(const std::string& name = "toy") {
    exe_.name = name;
    exe_.isa = "x86-64";
    exe_.build = "test";
    exe_.symbols = {"n"};
  }

  static Formula n() { return symbol_formula(0); }
  static Formula times(Formula a, int64_t b) { return combine(FormulaOp::Mul, std::move(a), constant_formula(b)); }
  static Formula blocks(int64_t size) { return combine(FormulaOp::CeilDiv, n(), constant_formula(size)); }

  int64_t input(const std::string& name) {
    exe_.inputs.push_back({name, "f32", {n()}, {"n"}, {0}});
    return buffer(BufferSpec::Kind::Input, name, static_cast<int64_t>(exe_.inputs.size()) - 1, times(n(), 4));
  }
  int64_t output(const std::string& name) {
    exe_.outputs.push_back({name, "f32", {n()}, {"n"}, {}});
    return buffer(BufferSpec::Kind::Output, name, static_cast<int64_t>(exe_.outputs.size()) - 1, times(n(), 4));
  }
  int64_t arena(const std::string& name) { return buffer(BufferSpec::Kind::Arena, name, 0, times(n(), 4)); }
  int64_t arena(const std::string& name, Formula bytes) {
    return buffer(BufferSpec::Kind::Arena, name, 0, std::move(bytes));
  }
  int64_t alias(const std::string& name, int64_t of) {
    return buffer(BufferSpec::Kind::Alias, name, of, times(n(), 4));
  }
  int64_t constant(const std::string& name, const std::vector<float>& values) {
    size_t offset = (weights_.size() + 63) / 64 * 64, bytes = values.size() * 4;
    weights_.resize(offset + bytes);
    std::memcpy(weights_.data() + offset, values.data(), bytes);
    exe_.constants.push_back({offset, bytes});
    return buffer(BufferSpec::Kind::Constant, name, static_cast<int64_t>(exe_.constants.size()) - 1,
                  constant_formula(static_cast<int64_t>(bytes)));
  }

  StepSpec kernel(hone_kernel_fn function, std::vector<int64_t> buffers, Formula tasks) {
    StepSpec step;
    step.label = "step " + std::to_string(functions_.size());
    step.function = static_cast<int64_t>(functions_.size());
    step.buffers = std::move(buffers);
    step.sizes = {n()};
    step.tasks = std::move(tasks);
    step.scratch = constant_formula(100);
    functions_.push_back(function);
    exe_.functions.push_back("kernel_" + std::to_string(step.function));
    return step;
  }
  static StepSpec branch(int64_t condition, std::vector<StepSpec> then, std::vector<StepSpec> otherwise) {
    StepSpec step;
    step.kind = StepSpec::Kind::If;
    step.label = "if";
    step.buffers = {condition};
    step.bodies = {std::move(then), std::move(otherwise)};
    return step;
  }
  static StepSpec loop(std::vector<int64_t> buffers, int64_t carried, std::vector<StepSpec> body) {
    StepSpec step;
    step.kind = StepSpec::Kind::Loop;
    step.label = "loop";
    step.buffers = std::move(buffers);
    step.carried = carried;
    step.bodies = {std::move(body)};
    return step;
  }
  static StepSpec library(const std::string& name, std::vector<int64_t> buffers, std::vector<Formula> integers) {
    StepSpec step;
    step.kind = StepSpec::Kind::Library;
    step.label = "library step";
    step.library = name;
    step.buffers = std::move(buffers);
    step.sizes = std::move(integers);
    return step;
  }
  void add(StepSpec step) { exe_.steps.push_back(std::move(step)); }

  Executable& executable() { return exe_; }

  Result<std::shared_ptr<Session>> try_session(int threads) {
    auto memory = std::make_shared<AlignedBytes>(AlignedBytes::make(weights_.size()).value());
    if (!weights_.empty()) std::memcpy(memory->data(), weights_.data(), weights_.size());
    exe_.weight_bytes = weights_.size();
    return Session::create(exe_, Code{functions_, nullptr}, Weights{memory->data(), memory->size(), memory}, threads);
  }
  std::shared_ptr<Session> session(int threads) {
    auto made = try_session(threads);
    HONE_CHECK(made.ok(), "{}", made.problem().message);
    return *made;
  }

 private:
  int64_t buffer(BufferSpec::Kind kind, const std::string& name, int64_t number, Formula bytes) {
    exe_.buffers.push_back({kind, name, number, std::move(bytes), 4});
    return static_cast<int64_t>(exe_.buffers.size()) - 1;
  }

  Executable exe_;
  std::vector<hone_kernel_fn> functions_;
  std::vector<std::byte> weights_;
};

using Floats = std::vector<float>;

// Runs a model with one output on tensors f32[n].
inline Result<Floats> run_floats(Session& session, const std::vector<Floats>& inputs) {
  std::vector<std::vector<int64_t>> shapes;
  for (const Floats& input : inputs) shapes.push_back({static_cast<int64_t>(input.size())});
  std::vector<InputTensor> tensors;
  for (size_t i = 0; i < inputs.size(); ++i) tensors.push_back({"f32", shapes[i], inputs[i].data()});
  HONE_TRY(std::vector<OutputTensor> outputs, session.run(tensors));
  Floats values(outputs[0].data.size() / 4);
  if (!values.empty()) std::memcpy(values.data(), outputs[0].data.data(), outputs[0].data.size());
  return values;
}

// Kernels over blocks of 16 elements: one task each, or all in one task when the grid has one.
inline std::pair<int64_t, int64_t> elements(const int64_t* sizes, int64_t begin, int64_t end) {
  return {begin * 16, std::min(end * 16, sizes[0])};
}

// y = 2 x + 1
inline void scale_kernel(void* const* buffers, const int64_t* sizes, int64_t begin, int64_t end, void*) {
  auto* x = static_cast<const char*>(buffers[0]);
  auto* y = static_cast<float*>(buffers[1]);
  auto [from, to] = elements(sizes, begin, end);
  for (int64_t i = from; i < to; ++i) {
    float value;  // of a caller's tensor, which need not be aligned
    std::memcpy(&value, x + 4 * i, 4);
    y[i] = 2 * value + 1;
  }
}

// c[i] = 0.5 a[i] + 0.25 b[n - 1 - i] : reads what other workers wrote
inline void mix_kernel(void* const* buffers, const int64_t* sizes, int64_t begin, int64_t end, void*) {
  auto* a = static_cast<const float*>(buffers[0]);
  auto* b = static_cast<const float*>(buffers[1]);
  auto* c = static_cast<float*>(buffers[2]);
  auto [from, to] = elements(sizes, begin, end);
  for (int64_t i = from; i < to; ++i) c[i] = 0.5f * a[i] + 0.25f * b[sizes[0] - 1 - i];
}

// The same in one task, whatever n is.
inline void mix_all_kernel(void* const* buffers, const int64_t* sizes, int64_t, int64_t, void* scratch) {
  mix_kernel(buffers, sizes, 0, (sizes[0] + 15) / 16, scratch);
}

// condition = x[0] > 0
inline void positive_kernel(void* const* buffers, const int64_t* sizes, int64_t, int64_t, void*) {
  *static_cast<bool*>(buffers[1]) = sizes[0] > 0 && *static_cast<const float*>(buffers[0]) > 0;
}

}  // namespace hone::runtime
