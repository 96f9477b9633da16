#include "runtime/plan/shape_plan.h"

#include <algorithm>

#include "runtime/formula.h"
#include "runtime/plan/memory_plan.h"

namespace hone::runtime {

namespace {

// Keeps a worker's share, tasks * worker / workers, within 64 bits.
constexpr int64_t most_tasks = int64_t{1} << 48;

Result<Shapes> shapes_of(const std::vector<PortSpec>& ports, std::span<const int64_t> symbols) {
  Shapes shapes;
  for (const PortSpec& port : ports) {
    std::vector<int64_t>& shape = shapes.emplace_back();
    for (size_t i = 0; i < port.shape.size(); ++i) {
      Result<int64_t> value = evaluate(port.shape[i], symbols);
      if (!value.ok())
        return error("dimension {} ({}) of '{}': {}", i, port.shape_text[i], port.name, value.problem().message);
      if (*value < 0) return error("dimension {} ({}) of '{}' would be {}", i, port.shape_text[i], port.name, *value);
      shape.push_back(*value);
    }
  }
  return shapes;
}

Result<std::vector<int64_t>> dense_bytes(const std::vector<PortSpec>& ports, const Shapes& shapes) {
  std::vector<int64_t> all;
  for (size_t i = 0; i < ports.size(); ++i) {
    int64_t bytes = element_size_of(ports[i].dtype);
    // A zero makes the tensor empty, however large its other dimensions are.
    bool empty = std::find(shapes[i].begin(), shapes[i].end(), 0) != shapes[i].end();
    for (int64_t dimension : shapes[i])
      if (!empty && __builtin_mul_overflow(bytes, dimension, &bytes))
        return error("'{}' of shape [{}] has more bytes than 64 bits can count", ports[i].name,
                     fmt::join(shapes[i], ", "));
    all.push_back(empty ? 0 : bytes);
  }
  return all;
}

class Planner {
 public:
  Planner(const Executable& executable, const Schedule& schedule, std::span<const int64_t> symbols, int workers)
      : exe_(executable), schedule_(schedule), workers_(workers) {
    plan_.symbols.assign(symbols.begin(), symbols.end());
  }

  Result<ShapePlan> run() {
    HONE_TRY(plan_.input_shapes, shapes_of(exe_.inputs, plan_.symbols));
    HONE_TRY(plan_.output_shapes, shapes_of(exe_.outputs, plan_.symbols));
    HONE_TRY(plan_.input_bytes, dense_bytes(exe_.inputs, plan_.input_shapes));
    HONE_TRY(plan_.output_bytes, dense_bytes(exe_.outputs, plan_.output_shapes));
    HONE_PASS(check_sizes());
    HONE_PASS(plan_ops());
    mark_barriers();
    HONE_PASS(plan_memory());
    return std::move(plan_);
  }

 private:
  Result<int64_t> size_of(const Formula& formula, const std::string& what) {
    Result<int64_t> value = evaluate(formula, plan_.symbols);
    if (!value.ok()) return error("size of '{}': {}", what, value.problem().message);
    if (*value < 0) return error("'{}' would have the size {}", what, *value);
    return value;
  }

  Status check_sizes() {
    for (const SizeCheck& sizes : exe_.checks) {
      HONE_TRY(int64_t left, evaluate(sizes.left, plan_.symbols));
      HONE_TRY(int64_t right, evaluate(sizes.right, plan_.symbols));
      if (left != right)
        return error("model '{}' does not fit these input sizes: {}, but they are {} and {}", exe_.name, sizes.what,
                     left, right);
    }
    return Done{};
  }

  Status plan_ops() {
    plan_.ops.resize(schedule_.ops.size());
    plan_.sizes.reserve(schedule_.size_count);
    for (size_t i = 0; i < schedule_.ops.size(); ++i) {
      const ScheduledOp& op = schedule_.ops[i];
      if (op.step == nullptr) continue;
      for (const Formula& size : op.step->sizes) {
        HONE_TRY(int64_t value, evaluate(size, plan_.symbols));
        plan_.sizes.push_back(value);
      }
      if (op.step->kind == StepSpec::Kind::Loop) HONE_PASS(plan_loop(*op.step));
      PlannedOp& planned = plan_.ops[i];
      planned.serial = op.kind == ScheduledOp::Kind::Library;
      if (op.kind != ScheduledOp::Kind::Kernel) continue;
      HONE_TRY(planned.tasks, size_of(op.step->tasks, op.step->label));
      if (planned.tasks > most_tasks) return error("'{}' would run {} tasks", op.step->label, planned.tasks);
      planned.serial = planned.tasks == 1;
      if (planned.tasks > 1) plan_.shared = true;
      HONE_TRY(int64_t scratch, size_of(op.step->scratch, op.step->label));
      plan_.scratch_bytes = std::max(plan_.scratch_bytes, scratch);
    }
    return Done{};
  }

  Status plan_loop(const StepSpec& step) {
    for (int64_t buffer : step.buffers) {
      const BufferSpec& spec = exe_.buffers[static_cast<size_t>(buffer)];
      HONE_TRY(int64_t bytes, size_of(spec.bytes, spec.name));
      plan_.sizes.push_back(bytes);
    }
    return Done{};
  }

  // A worker that runs an op must have met all workers that did something since the last meeting, except itself.
  void mark_barriers() {
    enum Since { Nothing, WorkerZero, AllWorkers };  // what happened since the last meeting, ordered
    std::vector<Since> reached(schedule_.ops.size() + 1, Nothing);
    auto flow = [&](size_t to, Since since) { reached[to] = std::max(reached[to], since); };
    for (size_t i = 0; i < schedule_.ops.size(); ++i) {
      const ScheduledOp& op = schedule_.ops[i];
      PlannedOp& planned = plan_.ops[i];
      Since since = reached[i];
      switch (op.kind) {
        case ScheduledOp::Kind::Kernel:
        case ScheduledOp::Kind::Library:
          if (op.kind == ScheduledOp::Kind::Kernel && planned.tasks == 0) break;
          planned.barrier = since == AllWorkers || (since == WorkerZero && !planned.serial);
          since = planned.serial ? WorkerZero : AllWorkers;
          break;
        case ScheduledOp::Kind::EndIfFailed:
          planned.barrier = since != Nothing;
          since = Nothing;
          break;
        case ScheduledOp::Kind::Branch:
          planned.barrier = since != Nothing;
          // All read the condition here; nobody may run ahead and write over it.
          since = AllWorkers;
          flow(op.target, since);
          break;
        case ScheduledOp::Kind::Jump:
          flow(op.target, since);
          continue;
        case ScheduledOp::Kind::LoopBegin:
        case ScheduledOp::Kind::LoopEnd:
          planned.barrier = since != Nothing;
          since = AllWorkers;
          if (op.kind == ScheduledOp::Kind::LoopEnd) continue;
          break;
        case ScheduledOp::Kind::LoopRound:
          // Reached from LoopBegin and LoopEnd, where all workers copy.
          planned.barrier = true;
          since = AllWorkers;
          flow(op.target, since);
          break;
        case ScheduledOp::Kind::Check:
          break;
      }
      flow(i + 1, since);
    }
  }

  // Bytes that the owner of a buffer's memory provides; -1 for the arena, which gives what is asked.
  int64_t bytes_provided(const BufferSpec& root) const {
    auto number = static_cast<size_t>(root.number);
    switch (root.kind) {
      case BufferSpec::Kind::Input:
        return plan_.input_bytes[number];
      case BufferSpec::Kind::Output:
        return plan_.output_bytes[number];
      case BufferSpec::Kind::Constant:
        return static_cast<int64_t>(exe_.constants[number].bytes);
      case BufferSpec::Kind::Arena:
      case BufferSpec::Kind::Alias:
        break;
    }
    return -1;
  }

  Status plan_memory() {
    std::vector<Lifetime> lives(exe_.buffers.size());
    for (size_t i = 0; i < exe_.buffers.size(); ++i) {
      size_t root = schedule_.roots[i];
      HONE_TRY(int64_t bytes, size_of(exe_.buffers[i].bytes, exe_.buffers[i].name));
      int64_t provided = bytes_provided(exe_.buffers[root]);
      if (provided >= 0 && bytes > provided)
        return error("buffer '{}' needs {} bytes, but '{}' holds {}", exe_.buffers[i].name, bytes,
                     exe_.buffers[root].name, provided);
      if (provided < 0) lives[root].bytes = std::max(lives[root].bytes, bytes);
    }
    for (size_t i = 0; i < lives.size(); ++i) {
      lives[i].first = schedule_.first_use[i];
      lives[i].last = schedule_.last_use[i];
    }
    HONE_TRY(Placement placement, place(lives));
    plan_.offsets = std::move(placement.offsets);
    plan_.scratch_begin = placement.bytes;
    return add_scratch();
  }

  Status add_scratch() {
    int64_t all = 0;
    bool overflow = __builtin_add_overflow(plan_.scratch_bytes, arena_alignment - 1, &plan_.scratch_bytes);
    plan_.scratch_bytes -= plan_.scratch_bytes % arena_alignment;
    overflow = overflow || __builtin_mul_overflow(plan_.scratch_bytes, int64_t{workers_}, &all);
    if (overflow || __builtin_add_overflow(plan_.scratch_begin, all, &plan_.arena_bytes))
      return error("the scratch memory of {} workers has more bytes than 64 bits can count", workers_);
    return Done{};
  }

  const Executable& exe_;
  const Schedule& schedule_;
  const int workers_;
  ShapePlan plan_;
};

}  // namespace

Result<Shapes> input_shapes(const Executable& executable, std::span<const int64_t> symbols) {
  return shapes_of(executable.inputs, symbols);
}

Result<ShapePlan> make_shape_plan(const Executable& executable, const Schedule& schedule,
                                  std::span<const int64_t> symbols, int workers) {
  return Planner(executable, schedule, symbols, workers).run();
}

}  // namespace hone::runtime
