#include "eval/loop_interpreter.h"

#include <functional>
#include <map>
#include <unordered_map>

#include "eval/domain/element.h"
#include "eval/domain/float_bits.h"
#include "eval/loop_lanes.h"

namespace hone::eval {
namespace {

using ir::DType;
using namespace ir::loop;

struct Arguments {
  void* const* buffers;
  const int64_t* sizes;
  int64_t begin, end;
  void* scratch;
};

class LoopMachine {
 public:
  LoopMachine(const Function& function, const Arguments& arguments) : function_(function), sizes_(arguments.sizes) {
    variables_["task_begin"] = index(arguments.begin);
    variables_["task_end"] = index(arguments.end);
    size_t parameter = 0;
    for (const LoopBuffer& b : function.buffers) {
      if (!b.scratch)
        base_.push_back(static_cast<std::byte*>(arguments.buffers[parameter++]));
      else
        base_.push_back(static_cast<std::byte*>(arguments.scratch) + value(b.byte_offset).lanes[0].whole);
    }
  }

  void run() { block(function_.body); }

 private:
  static LoopLanes index(int64_t value) { return {{DType::I64, 1}, {{0, value}}}; }

  void block(const Block& statements) {
    for (const Statement& s : statements) statement(s);
  }

  void statement(const Statement& s) {
    known_.clear();
    switch (s.kind) {
      case StmtKind::Assign:
        variables_[s.variable] = value(s.args[0]);
        break;
      case StmtKind::Store:
        store(s);
        break;
      case StmtKind::For:
        loop(s);
        break;
      case StmtKind::If:
        block(value(s.args[0]).lanes[0].whole != 0 ? s.body : s.otherwise);
        break;
      case StmtKind::Part:
        block(s.body);
        break;
      case StmtKind::Prefetch:
        break;
    }
  }

  void loop(const Statement& s) {
    const int64_t lo = value(s.args[0]).lanes[0].whole, hi = value(s.args[1]).lanes[0].whole;
    const int64_t step = value(s.args[2]).lanes[0].whole;
    HONE_CHECK(step > 0, "loop over {} steps by {}", s.variable, step);
    for (int64_t i = lo; i < hi; i += step) {
      variables_[s.variable] = index(i);
      block(s.body);
    }
  }

  std::byte* address(int buffer, int64_t offset) const {
    const auto number = static_cast<size_t>(buffer);
    return base_[number] + offset * static_cast<int64_t>(ir::size_of(function_.buffers[number].dtype));
  }

  void store(const Statement& s) {
    const int64_t offset = value(s.args[0]).lanes[0].whole;
    const LoopLanes what = value(s.args[1]);
    const LoopLanes mask = s.args.size() > 2 ? value(s.args[2]) : LoopLanes{};
    const DType type = what.type.element;
    for (size_t i = 0; i < what.lanes.size(); ++i) {
      if (!mask.lanes.empty() && mask.lanes[i].whole == 0) continue;
      std::byte* at = address(s.buffer, offset + static_cast<int64_t>(i));
      if (ir::is_float(type))
        store_real(type, what.lanes[i].real, at);
      else
        store_whole(type, what.lanes[i].whole, at);
    }
  }

  // Loads and gathers: each lane from its own offset.
  LoopLanes load(const ExprNode& e, const std::function<int64_t(size_t)>& offset_of) {
    LoopLanes result{e.type, std::vector<Lane>(static_cast<size_t>(e.type.lanes))};
    const LoopLanes mask = e.args.size() > 1 ? value(e.args[1]) : LoopLanes{};
    for (size_t i = 0; i < result.lanes.size(); ++i) {
      if (!mask.lanes.empty() && mask.lanes[i].whole == 0) continue;
      const std::byte* at = address(e.buffer, offset_of(i));
      if (ir::is_float(e.type.element))
        result.lanes[i].real = load_real(e.type.element, at);
      else
        result.lanes[i].whole = load_whole(e.type.element, at);
    }
    return result;
  }

  template <typename Lanewise>
  static LoopLanes each(VectorType type, const Lanewise& lane_of) {
    LoopLanes result{type, {}};
    for (int i = 0; i < type.lanes; ++i) result.lanes.push_back(lane_of(static_cast<size_t>(i)));
    return result;
  }

  const LoopLanes& value(const Expr& e) {
    const auto found = known_.find(e.get());
    if (found != known_.end()) return found->second;
    LoopLanes computed = compute(*e);
    return known_[e.get()] = std::move(computed);
  }

  LoopLanes compute(const ExprNode& e) {
    switch (e.kind) {
      case ExprKind::IntConstant:
        return each(e.type, [&](size_t) { return Lane{0, wrapped(e.type.element, e.integer)}; });
      case ExprKind::FloatConstant:
        return each(e.type, [&](size_t) { return Lane{rounded(e.type.element, e.number), 0}; });
      case ExprKind::Variable:
        return variables_.at(e.name);
      case ExprKind::Size:
        return index(sizes_[e.integer]);
      case ExprKind::Unary:
        return loop_unary(e.unary, value(e.args[0]));
      case ExprKind::Binary:
        return loop_binary(e.binary, value(e.args[0]), value(e.args[1]));
      case ExprKind::Fma:
        return loop_fma(value(e.args[0]), value(e.args[1]), value(e.args[2]));
      case ExprKind::Select: {
        const LoopLanes &condition = value(e.args[0]), &a = value(e.args[1]), &b = value(e.args[2]);
        return each(e.type, [&](size_t i) { return condition.lanes[i].whole != 0 ? a.lanes[i] : b.lanes[i]; });
      }
      case ExprKind::Load: {
        const int64_t first = value(e.args[0]).lanes[0].whole;
        return load(e, [&](size_t i) { return first + static_cast<int64_t>(i); });
      }
      case ExprKind::Gather: {
        const LoopLanes& offsets = value(e.args[0]);
        return load(e, [&](size_t i) { return offsets.lanes[i].whole; });
      }
      case ExprKind::Broadcast: {
        const LoopLanes& scalar = value(e.args[0]);
        return each(e.type, [&](size_t) { return scalar.lanes[0]; });
      }
      case ExprKind::Ramp:
        return each(e.type, [](size_t i) { return Lane{0, static_cast<int64_t>(i)}; });
      case ExprKind::TailMask: {
        const int64_t count = value(e.args[0]).lanes[0].whole;
        return each(e.type, [&](size_t i) { return Lane{0, static_cast<int64_t>(i) < count}; });
      }
      case ExprKind::Convert:
        return loop_convert(value(e.args[0]), e.type.element);
      case ExprKind::Bitcast:
        return loop_bitcast(value(e.args[0]), e.type.element);
      case ExprKind::ReduceAdd:
      case ExprKind::ReduceMul:
      case ExprKind::ReduceMax:
      case ExprKind::ReduceMin:
        return loop_reduce(e.kind, value(e.args[0]));
      case ExprKind::Extract:
        return {e.type, {value(e.args[0]).lanes[static_cast<size_t>(e.integer)]}};
      case ExprKind::Shuffle: {
        const auto a = value(e.args[0]), b = value(e.args[1]);
        return each(e.type, [&](size_t i) {
          const size_t lane = static_cast<size_t>(e.lanes[i]);
          return lane < a.lanes.size() ? a.lanes[lane] : b.lanes[lane - a.lanes.size()];
        });
      }
    }
    return {};
  }

  const Function& function_;
  const int64_t* sizes_;
  std::vector<std::byte*> base_;
  std::map<std::string, LoopLanes> variables_;
  std::unordered_map<const ExprNode*, LoopLanes> known_;  // in the current statement
};

}  // namespace

Status interpret(const Function& function, void* const* buffers, const int64_t* sizes, int64_t begin, int64_t end,
                 void* scratch) {
  HONE_PASS(validate(function));
  LoopMachine(function, {buffers, sizes, begin, end, scratch}).run();
  return Done{};
}

}  // namespace hone::eval
