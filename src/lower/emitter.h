// Where statements go while a kernel is lowered, and how index expressions become Loop IR.
//
// Loop variables appear in ir::Index as axes of the same name, so the index algebra sees through them. The axis named
// kLane stands for the position within a vector.
#pragma once

#include <set>

#include "ir/loop/loop.h"
#include "ir/plan/plan.h"

namespace hone::lower {

inline const std::string kLane = "lane";

class Emitter {
 public:
  explicit Emitter(std::vector<std::string> symbols);

  // Names and statements.
  std::string fresh(const std::string& stem);
  void append(ir::loop::Statement statement) { block_->push_back(std::move(statement)); }
  // Assigns to a fresh variable and gives that variable; constants and variables are given as they are.
  ir::loop::Expr let(const std::string& stem, ir::loop::Expr value);
  ir::Index let_index(const std::string& stem, const ir::Index& value);  // an Index that is one variable
  // Runs `emit` with statements going to a block of their own.
  ir::loop::Block inside(const std::function<void()>& emit);
  // Appends the statements of all blocks, one of each in turn where what they read allows it: chains that wait for their own
  // results then run beside each other. A block may read what those before it assign, and assigns no variable of theirs.
  void interleave(std::vector<ir::loop::Block> blocks);
  void loop(const std::string& variable, const ir::Index& lo, const ir::Index& hi, const ir::Index& step,
            const std::function<void()>& body);
  // The same, but parts of offsets that do not depend on the variable are computed once before the loop, and multiples of it are
  // counted up beside it.
  void innermost_loop(const std::string& variable, const ir::Index& lo, const ir::Index& hi, const ir::Index& step,
                      const std::function<void()>& body);
  void branch(ir::loop::Expr condition, const std::function<void()>& then, const std::function<void()>& otherwise = {});

  // Index → scalar I64.
  ir::loop::Expr scalar(const ir::Index& index);
  // Index → scalar I64, with its part that does not change in the innermost loop taken out of that loop.
  ir::loop::Expr offset(const ir::Index& index);
  // Index → I64 lanes; kLane is the ramp, `vectors` gives names that stand for vectors of I64.
  ir::loop::Expr lanes(const ir::Index& index, int count, const std::map<std::string, ir::loop::Expr>& vectors);

 private:
  ir::loop::Expr convert(const ir::Index& index, int count, const std::map<std::string, ir::loop::Expr>* vectors);
  ir::loop::Expr counted_up(const ir::Index& factor, const ir::Index& from);

  std::map<std::string, int> sizes_;
  std::map<std::string, int> used_;
  ir::loop::Block* block_ = nullptr;

  struct Hoist {
    std::string variable;
    ir::Index lo, step;
    ir::loop::Block before, behind;               // the loop; its body
    std::map<std::string, ir::loop::Expr> known;  // by text of the part
    std::set<std::string> changing;               // variables assigned inside the loop
  };
  Hoist* hoist_ = nullptr;
};

}  // namespace hone::lower
