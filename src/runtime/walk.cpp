#include "runtime/walk.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace hone::runtime {

namespace {

// A share is taken in so many pieces: few enough to cost nothing, enough to give some away.
constexpr int64_t kPieces = 8;

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
        case ScheduledOp::Kind::LoopBegin:
          begin_loop(op);
          break;
        case ScheduledOp::Kind::LoopRound:
          if (!has_round(op)) next = op.target;
          break;
        case ScheduledOp::Kind::LoopEnd:
          end_round(op);
          next = op.target;
          break;
        case ScheduledOp::Kind::Check:
          if (!sizes_agree(op)) return;
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
    // A share of one task is not worth counting.
    if (barrier_ != nullptr && run_.workers <= Run::most_helping && planned.tasks >= 2 * run_.workers)
      return run_with_help(op, planned.tasks);
    for (int worker = first_; worker < last_; ++worker) {
      int64_t begin = share_begin(planned.tasks, worker, run_.workers);
      int64_t end = share_begin(planned.tasks, worker + 1, run_.workers);
      if (begin < end) op.kernel(pointers, sizes, begin, end, run_.scratch + worker * run_.plan.scratch_bytes);
    }
  }

  // Between two kernels that all workers run lies a barrier. So when one begins, nobody counts for the one before any more, and
  // its counters can be made ready for the one after.
  void run_with_help(const ScheduledOp& op, int64_t tasks) {
    auto& taken = run_.taken[kernels_ % 2];
    auto& next = run_.taken[(kernels_ + 1) % 2];
    ++kernels_;
    next[static_cast<size_t>(first_)].count.store(0, std::memory_order_relaxed);
    for (int k = 0; k < run_.workers; ++k) {
      int owner = (first_ + k) % run_.workers;
      take_from(op, taken[static_cast<size_t>(owner)], share_begin(tasks, owner, run_.workers),
                share_begin(tasks, owner + 1, run_.workers));
    }
  }

  void take_from(const ScheduledOp& op, TakenTasks& taken, int64_t begin, int64_t end) {
    const int64_t piece = std::max<int64_t>(1, (end - begin) / kPieces);
    while (taken.count.load(std::memory_order_relaxed) < end - begin) {
      int64_t at = begin + taken.count.fetch_add(piece, std::memory_order_relaxed);
      if (at >= end) return;
      op.kernel(run_.pointers + op.first_pointer, run_.plan.sizes.data() + op.first_size, at, std::min(at + piece, end),
                run_.scratch + first_ * run_.plan.scratch_bytes);
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

  // The pointers and bytes of a loop's buffers, in the order that StepSpec tells.
  enum LoopBuffer : size_t { kRounds, kRound, kValues };
  std::byte* at(const ScheduledOp& op, size_t number) const {
    return static_cast<std::byte*>(run_.pointers[op.first_pointer + number]);
  }
  int64_t bytes_of(const ScheduledOp& op, size_t number) const { return run_.plan.sizes[op.first_size + number]; }

  int64_t number_at(const ScheduledOp& op, LoopBuffer buffer) const {
    int64_t number = 0;
    std::memcpy(&number, at(op, buffer), sizeof number);
    return number;
  }
  void set_round(const ScheduledOp& op, int64_t round) const { std::memcpy(at(op, kRound), &round, sizeof round); }

  // All workers copy, each its share of every value.
  void copy_values(const ScheduledOp& op, size_t from) const {
    for (size_t k = 0; k < static_cast<size_t>(op.step->carried); ++k) {
      size_t to = kValues + 3 * k;
      int64_t bytes = std::min(bytes_of(op, to), bytes_of(op, to + from));
      int64_t begin = share_begin(bytes, first_, run_.workers), end = share_begin(bytes, last_, run_.workers);
      if (begin < end) std::memcpy(at(op, to) + begin, at(op, to + from) + begin, static_cast<size_t>(end - begin));
    }
  }

  void begin_loop(const ScheduledOp& op) const {
    copy_values(op, 1);
    if (first_ == 0) set_round(op, 0);
  }

  bool has_round(const ScheduledOp& op) const {
    return number_at(op, kRound) < number_at(op, kRounds) && *at(op, kValues) != std::byte{0};
  }

  // The round's number is worker 0's alone here, and so are the stacks, which it places.
  void end_round(const ScheduledOp& op) const {
    copy_values(op, 2);
    if (first_ != 0) return;
    int64_t round = number_at(op, kRound);
    for (size_t k = kValues + 3 * static_cast<size_t>(op.step->carried); k < op.pointer_count; k += 2) {
      int64_t stack = bytes_of(op, k), slice = bytes_of(op, k + 1);
      if (slice > 0 && round < stack / slice)
        std::memcpy(at(op, k) + round * slice, at(op, k + 1), static_cast<size_t>(slice));
    }
    set_round(op, round + 1);
  }

  bool sizes_agree(const ScheduledOp& op) const {
    int64_t left = bytes_of(op, 0), right = bytes_of(op, 1);
    if (left == right) return true;
    if (first_ == 0) run_.failure = error("{}, but they are {} and {}", op.step->label, left, right);
    return false;
  }

  // An op ends when its last worker does; those of a loop run more than once.
  void stop_clock(size_t op) {
    if (barrier_ != nullptr) barrier_->wait();
    if (first_ != 0) return;
    Clock::time_point now = Clock::now();
    run_.op_seconds[op] = std::max(0.0, run_.op_seconds[op]) + std::chrono::duration<double>(now - begin_).count();
    begin_ = now;
  }

  Run& run_;
  const int first_, last_;
  Barrier* const barrier_;
  size_t kernels_ = 0;  // that this worker has begun together with the others
  Clock::time_point begin_;
};

}  // namespace

void walk(Run& run, int first, int last, Barrier* barrier) {
  Walker(run, first, last, barrier).go();
}

}  // namespace hone::runtime
