#include "runtime/walk.h"

#include <chrono>

namespace hone::runtime {

namespace {

int64_t share_begin(int64_t tasks, int worker, int workers) {
  return tasks * worker / workers;
}

class Walker {
 public:
  Walker(Run& run, int first, int last, Barrier* barrier) : run_(run), first_(first), last_(last), barrier_(barrier) {}

  void go() {
    const std::vector<ScheduledOp>& ops = run_.schedule.ops;
    if (run_.op_seconds != nullptr) begin_ = Clock::now();
    for (size_t i = 0; i < ops.size();) {
      const ScheduledOp& op = ops[i];
      const PlannedOp& planned = run_.plan.ops[i];
      if (planned.barrier && barrier_ != nullptr) barrier_->wait();
      size_t next = i + 1;
      switch (op.kind) {
        case ScheduledOp::Kind::Kernel:
          run_kernel(op, planned);
          break;
        case ScheduledOp::Kind::Library:
          run_library(op, i);
          break;
        case ScheduledOp::Kind::EndIfFailed:
          // A later library function may already have failed when a slow worker looks: that one ends it later.
          if (run_.failed_op.load(std::memory_order_relaxed) < i) return;
          break;
        case ScheduledOp::Kind::Branch:
          if (*static_cast<const uint8_t*>(run_.pointers[op.first_pointer]) == 0) next = op.target;
          break;
        case ScheduledOp::Kind::Jump:
          next = op.target;
          break;
      }
      if (run_.op_seconds != nullptr) stop_clock(i);
      i = next;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  void run_kernel(const ScheduledOp& op, const PlannedOp& planned) {
    void* const* pointers = run_.pointers + op.first_pointer;
    const int64_t* sizes = run_.plan.sizes.data() + op.first_size;
    if (planned.serial) {
      if (first_ == 0) op.kernel(pointers, sizes, 0, planned.tasks, run_.scratch);
      return;
    }
    for (int worker = first_; worker < last_; ++worker) {
      int64_t begin = share_begin(planned.tasks, worker, run_.workers);
      int64_t end = share_begin(planned.tasks, worker + 1, run_.workers);
      if (begin < end) op.kernel(pointers, sizes, begin, end, run_.scratch + worker * run_.plan.scratch_bytes);
    }
  }

  void run_library(const ScheduledOp& op, size_t number) {
    if (first_ != 0) return;
    Status status = call_library(op);
    if (status.ok()) return;
    run_.failure = error("{}: {}", op.step->label, status.problem().message);
    run_.failed_op.store(number, std::memory_order_relaxed);
  }

  // The other workers wait for this one, so nothing may be thrown past them.
  Status call_library(const ScheduledOp& op) {
    try {
      return op.library({run_.pointers + op.first_pointer, op.pointer_count},
                        {run_.plan.sizes.data() + op.first_size, op.size_count});
    } catch (const std::exception& thrown) {
      return error("{}", thrown.what());
    }
  }

  // An op ends when its last worker does.
  void stop_clock(size_t op) {
    if (barrier_ != nullptr) barrier_->wait();
    if (first_ != 0) return;
    Clock::time_point now = Clock::now();
    run_.op_seconds[op] = std::chrono::duration<double>(now - begin_).count();
    begin_ = now;
  }

  Run& run_;
  const int first_, last_;
  Barrier* const barrier_;
  Clock::time_point begin_;
};

}  // namespace

void walk(Run& run, int first, int last, Barrier* barrier) {
  Walker(run, first, last, barrier).go();
}

}  // namespace hone::runtime
