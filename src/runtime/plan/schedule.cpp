#include "runtime/plan/schedule.h"

#include <algorithm>

#include "runtime/alias.h"

namespace hone::runtime {

namespace {

class Flattener {
 public:
  Flattener(const Executable& executable, std::span<const hone_kernel_fn> functions)
      : exe_(executable), functions_(functions) {}

  Result<Schedule> run() {
    HONE_TRY(out_.roots, alias_roots(exe_.buffers));
    out_.first_use.assign(exe_.buffers.size(), INT64_MAX);
    out_.last_use.assign(exe_.buffers.size(), -1);
    HONE_PASS(add(exe_.steps));
    return std::move(out_);
  }

 private:
  Status add(const std::vector<StepSpec>& steps) {
    for (const StepSpec& step : steps) {
      switch (step.kind) {
        case StepSpec::Kind::Kernel:
          new_op(ScheduledOp::Kind::Kernel, step).kernel = functions_[static_cast<size_t>(step.function)];
          break;
        case StepSpec::Kind::Library:
          HONE_PASS(add_library(step));
          break;
        case StepSpec::Kind::If:
          HONE_PASS(add_if(step));
          break;
        case StepSpec::Kind::Loop:
          HONE_PASS(add_loop(step));
          break;
        case StepSpec::Kind::Check:
          new_op(ScheduledOp::Kind::Check, step);
          break;
      }
    }
    return Done{};
  }

  Status add_library(const StepSpec& step) {
    library::Function function = library::function_named(step.library);
    if (function == nullptr)
      return error("step '{}' needs library function '{}', which this version of the runtime does not have", step.label,
                   step.library);
    new_op(ScheduledOp::Kind::Library, step).library = function;
    bare_op(ScheduledOp::Kind::EndIfFailed);
    return Done{};
  }

  Status add_if(const StepSpec& step) {
    size_t branch = out_.ops.size();
    new_op(ScheduledOp::Kind::Branch, step);
    HONE_PASS(add(step.bodies[0]));
    size_t jump = out_.ops.size();
    bare_op(ScheduledOp::Kind::Jump);
    out_.ops[branch].target = out_.ops.size();
    HONE_PASS(add(step.bodies[1]));
    out_.ops[jump].target = out_.ops.size();
    use(step.buffers[0], out_.ops.size());
    return Done{};
  }

  // Each of the loop's own ops has all its buffers.
  Status add_loop(const StepSpec& step) {
    size_t begin = out_.ops.size();
    new_op(ScheduledOp::Kind::LoopBegin, step);
    size_t round = out_.ops.size();
    new_op(ScheduledOp::Kind::LoopRound, step);
    HONE_PASS(add(step.bodies[0]));
    size_t end = out_.ops.size();
    new_op(ScheduledOp::Kind::LoopEnd, step).target = round;
    out_.ops[round].target = out_.ops.size();
    // What was there before a round may be read by every later one.
    for (size_t root = 0; root < out_.first_use.size(); ++root)
      if (out_.first_use[root] <= static_cast<int64_t>(begin) && out_.last_use[root] >= static_cast<int64_t>(begin))
        out_.last_use[root] = std::max(out_.last_use[root], static_cast<int64_t>(end));
    return Done{};
  }

  ScheduledOp& bare_op(ScheduledOp::Kind kind) {
    ScheduledOp& op = out_.ops.emplace_back();
    op.kind = kind;
    return op;
  }

  ScheduledOp& new_op(ScheduledOp::Kind kind, const StepSpec& step) {
    ScheduledOp& op = bare_op(kind);
    op.step = &step;
    op.first_pointer = out_.pointers.size();
    op.pointer_count = step.buffers.size();
    op.first_size = out_.size_count;
    // A loop copies: its sizes are those of its buffers.
    op.size_count = step.kind == StepSpec::Kind::Loop ? step.buffers.size() : step.sizes.size();
    out_.size_count += op.size_count;
    for (int64_t buffer : step.buffers) add_pointer(use(buffer, out_.ops.size() - 1));
    return op;
  }

  size_t use(int64_t buffer, size_t op) {
    size_t root = out_.roots[static_cast<size_t>(buffer)];
    out_.first_use[root] = std::min(out_.first_use[root], static_cast<int64_t>(op));
    out_.last_use[root] = std::max(out_.last_use[root], static_cast<int64_t>(op));
    return root;
  }

  void add_pointer(size_t root) {
    const BufferSpec& buffer = exe_.buffers[root];
    bool is_output = buffer.kind == BufferSpec::Kind::Output;
    if (is_output || buffer.kind == BufferSpec::Kind::Input)
      out_.port_pointers.push_back({out_.pointers.size(), static_cast<size_t>(buffer.number), is_output});
    out_.pointers.push_back(root);
  }

  const Executable& exe_;
  std::span<const hone_kernel_fn> functions_;
  Schedule out_;
};

}  // namespace

Result<Schedule> make_schedule(const Executable& executable, std::span<const hone_kernel_fn> functions) {
  HONE_CHECK(functions.size() == executable.functions.size(), "{} functions instead of {}", functions.size(),
             executable.functions.size());
  return Flattener(executable, functions).run();
}

}  // namespace hone::runtime
