#include "runtime/session.h"

#include "base/knobs.h"
#include "runtime/formula.h"
#include "runtime/host.h"
#include "runtime/threads/float_mode.h"
#include "runtime/walk.h"
#include "target/cores.h"

namespace hone::runtime {

namespace {

constexpr size_t plans_to_keep = 64;
constexpr int most_threads = 1024;

Status check_weights(const Executable& executable, const Weights& weights) {
  if (weights.bytes < executable.weight_bytes)
    return error("model '{}' needs {} bytes of weights, got {}", executable.name, executable.weight_bytes,
                 weights.bytes);
  HONE_CHECK(reinterpret_cast<uintptr_t>(weights.data) % 64 == 0, "weights at {}",
             static_cast<const void*>(weights.data));
  return Done{};
}

}  // namespace

Result<int> choose_threads(int wanted) {
  if (wanted < 0 || wanted > most_threads)
    return error("a session cannot have {} threads: ask for 1 to {}, or 0 for as many as there are cores", wanted,
                 most_threads);
  if (wanted > 0) return wanted;
  HONE_TRY(std::optional<int> told, positive_knob(Knob::NumThreads));
  return std::min(told ? *told : target::available_cores(), most_threads);
}

Session::Session(Executable executable, Code code, Weights weights, int threads)
    : executable_(std::move(executable)),
      code_(std::move(code)),
      weights_(std::move(weights)),
      threads_(threads),
      plans_(plans_to_keep) {}

Result<std::shared_ptr<Session>> Session::create(Executable executable, Code code, Weights weights, int threads) {
  HONE_PASS(validate(executable));
  HONE_PASS(check_host(executable));
  HONE_PASS(check_weights(executable, weights));
  HONE_TRY(int chosen, choose_threads(threads));
  std::shared_ptr<Session> session(new Session(std::move(executable), std::move(code), std::move(weights), chosen));
  HONE_TRY(session->schedule_, make_schedule(session->executable_, session->code_.functions));
  session->pool_ = Pool::shared(chosen);
  session->contexts_ =
      std::make_unique<ContextList>(session->executable_.symbols.size(), session->schedule_.pointers.size());
  return session;
}

Status Session::plan_call(std::span<const InputTensor> inputs, Context& context) {
  HONE_PASS(bind(inputs, context.symbols));
  if (!context.plan || context.plan->symbols != context.symbols) {
    std::shared_ptr<const ShapePlan> plan = plans_.find(context.symbols);
    if (!plan) {
      // Inputs that do not fit must not push out the plans of those that do.
      HONE_TRY(Shapes expected, input_shapes(executable_, context.symbols));
      HONE_PASS(check_shapes(inputs, expected));
      HONE_TRY(ShapePlan fresh, make_shape_plan(executable_, schedule_, context.symbols, threads_));
      plan = plans_.keep(std::make_shared<const ShapePlan>(std::move(fresh)));
    }
    context.plan = std::move(plan);
    context.pointers_for = nullptr;
  }
  return check_shapes(inputs, context.plan->input_shapes);
}

Status Session::point(std::span<const InputTensor> inputs, std::span<const OutputMemory> outputs,
                      Context& context) const {
  const ShapePlan& plan = *context.plan;
  if (context.pointers_for != &plan) {
    auto bytes = static_cast<size_t>(plan.arena_bytes);
    if (context.arena.size() < bytes) {
      context.arena = AlignedBytes();  // frees the old one before it asks for more
      HONE_TRY(context.arena, AlignedBytes::make(bytes));
    }
    for (size_t i = 0; i < context.pointers.size(); ++i) {
      size_t root = schedule_.pointers[i];
      const BufferSpec& buffer = executable_.buffers[root];
      if (buffer.kind == BufferSpec::Kind::Arena) {
        context.pointers[i] = context.arena.data() + plan.offsets[root];
      } else if (buffer.kind == BufferSpec::Kind::Constant) {
        const ConstantSpec& constant = executable_.constants[static_cast<size_t>(buffer.number)];
        context.pointers[i] = const_cast<std::byte*>(weights_.data + constant.offset);
      }
    }
    context.pointers_for = &plan;
  }
  for (const PortPointer& p : schedule_.port_pointers)
    context.pointers[p.pointer] = p.is_output ? outputs[p.port].data : const_cast<void*>(inputs[p.port].data);
  return Done{};
}

Status Session::execute(std::span<const InputTensor> inputs, std::span<const OutputMemory> outputs, Context& context,
                        double* op_seconds) {
  const ShapePlan& plan = *context.plan;
  if (outputs.size() != executable_.outputs.size())
    return error("model '{}' has {} outputs, got memory for {}", executable_.name, executable_.outputs.size(),
                 outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    auto needed = static_cast<size_t>(plan.output_bytes[i]);
    if (outputs[i].bytes < needed || (outputs[i].data == nullptr && needed > 0))
      return error("output '{}' of shape [{}] needs {} bytes, got memory for {}", executable_.outputs[i].name,
                   fmt::join(plan.output_shapes[i], ", "), needed, outputs[i].data ? outputs[i].bytes : 0);
  }
  HONE_PASS(point(inputs, outputs, context));
  DefaultFloatMode mode;
  Run run{schedule_, plan, context.pointers.data(), context.arena.data() + plan.scratch_begin, threads_, op_seconds};
  struct Shared {
    Run* run;
    Barrier barrier;
  } shared{&run, Barrier(threads_)};
  auto job = [](void* data, int worker) {
    auto* s = static_cast<Shared*>(data);
    walk(*s->run, worker, worker + 1, &s->barrier);
  };
  bool alone = threads_ == 1 || !plan.shared;
  if (alone || !pool_->try_run(job, &shared)) walk(run, 0, threads_, nullptr);
  if (run.failure) return std::move(*run.failure);
  return Done{};
}

Result<Shapes> Session::output_shapes(std::span<const InputTensor> inputs) {
  ContextLease context(*contexts_);
  HONE_PASS(plan_call(inputs, *context));
  return context->plan->output_shapes;
}

Result<int64_t> Session::arena_bytes(std::span<const InputTensor> inputs) {
  ContextLease context(*contexts_);
  HONE_PASS(plan_call(inputs, *context));
  return context->plan->arena_bytes;
}

Status Session::run(std::span<const InputTensor> inputs, std::span<const OutputMemory> outputs) {
  ContextLease context(*contexts_);
  HONE_PASS(plan_call(inputs, *context));
  return execute(inputs, outputs, *context, nullptr);
}

Result<std::vector<OutputTensor>> Session::run(std::span<const InputTensor> inputs) {
  ContextLease context(*contexts_);
  HONE_PASS(plan_call(inputs, *context));
  std::vector<OutputTensor> tensors;
  std::vector<OutputMemory> memory;
  for (size_t i = 0; i < executable_.outputs.size(); ++i) {
    const ShapePlan& plan = *context->plan;
    auto bytes = static_cast<size_t>(plan.output_bytes[i]);
    HONE_TRY(AlignedBytes data, AlignedBytes::make(bytes));
    tensors.push_back({executable_.outputs[i].dtype, plan.output_shapes[i], std::move(data)});
    memory.push_back({tensors.back().data.data(), bytes});
  }
  HONE_PASS(execute(inputs, memory, *context, nullptr));
  return tensors;
}

Result<std::vector<StepTime>> Session::run_profiled(std::span<const InputTensor> inputs,
                                                    std::span<const OutputMemory> outputs) {
  ContextLease context(*contexts_);
  HONE_PASS(plan_call(inputs, *context));
  std::vector<double> op_seconds(schedule_.ops.size(), -1.0);
  HONE_PASS(execute(inputs, outputs, *context, op_seconds.data()));
  return step_times(*context->plan, op_seconds);
}

Result<std::vector<StepTime>> Session::step_times(const ShapePlan& plan, const std::vector<double>& op_seconds) const {
  std::vector<StepTime> times;
  for (size_t i = 0; i < op_seconds.size(); ++i) {
    const ScheduledOp& op = schedule_.ops[i];
    bool computes = op.kind == ScheduledOp::Kind::Kernel || op.kind == ScheduledOp::Kind::Library;
    if (!computes || op_seconds[i] < 0) continue;
    StepTime& time = times.emplace_back();
    time.label = op.step->label;
    time.function = op.kind == ScheduledOp::Kind::Library
                        ? op.step->library
                        : executable_.functions[static_cast<size_t>(op.step->function)];
    time.seconds = op_seconds[i];
    HONE_TRY(time.flops, evaluate(op.step->flops, plan.symbols));
    HONE_TRY(time.bytes, evaluate(op.step->bytes, plan.symbols));
  }
  return times;
}

}  // namespace hone::runtime
