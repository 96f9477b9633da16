// Evaluates the bodies of statements at one point of a register tile, in straight-line code.
#pragma once

#include <span>

#include "lower/address.h"
#include "lower/border.h"
#include "lower/ceilings.h"
#include "lower/vector_math/vector_math.h"

namespace hone::lower {

// One point of the register tile (for a vector: its first lane).
struct Point {
  std::map<std::string, ir::Index> values;  // kernel axis → value over loop variables and kLane
  std::string key;                          // tells the points of a tile apart; names their registers
  int lanes = 1;
  ir::loop::Expr mask;  // null: all lanes are alive
  // The unrolled axis with as many points as lanes that this point belongs to, and which of them it is: what is contiguous along
  // it is loaded that way and turned in registers.
  std::string across;
  int position = 0;
};

class Body {
 public:
  Body(Emitter& emitter, const Addresses& addresses, const ir::Kernel& kernel)
      : emitter_(emitter), addresses_(addresses), kernel_(kernel) {}

  // Values of registers of the group, by name and point.
  void set_register(const std::string& name, const std::string& key, ir::loop::Expr value) {
    registers_[name + "@" + key] = std::move(value);
  }
  ir::loop::Expr register_value(const std::string& name, const std::string& key) const;

  // Loads are remembered until the next straight-line piece begins.
  void forget_loads() {
    loads_.clear();
    insides_.clear();
  }
  // Border dimensions of a statement that the surrounding loops already keep inside.
  void trust_borders(const ir::Stmt& stmt, std::vector<BorderDim> dims) {
    bordered_ = &stmt;
    trusted_ = std::move(dims);
  }
  // Registers of the group whose statements tell that they are never positive, and minimums that tell nothing new.
  void learn_signs(const ir::Group& group);
  // Reading a vector of the place also fetches what lies so many elements behind it.
  void fetch_ahead(int place, int64_t elements) { ahead_[place] = elements; }
  // Selects whose condition is known to hold.
  void settle(std::set<const ir::ScalarNode*> selects) { settled_ = std::move(selects); }

  ir::loop::Expr value(const ir::Stmt& stmt, const Point& point);  // the body; scalar if no lane matters
  ir::loop::Expr argument(const ir::Stmt& stmt, const ir::Scalar& part, const Point& point);
  void store(const ir::Stmt& stmt, const Point& point, ir::loop::Expr value);
  // Whether the statement puts the lanes of a point far apart, and those of the next point one element behind them.
  bool stores_across(const ir::Stmt& stmt, const Point& point, const Point& next);
  // The same as `store` of each: points that follow each other so are turned in registers and stored in runs.
  void store_across(const ir::Stmt& stmt, std::span<const Point> points, std::vector<ir::loop::Expr> values);

 private:
  static std::string load_key(int operand, const ir::Index& offset, const Point& point);
  struct Place {
    ir::Index offset;
    std::map<std::string, ir::loop::Expr> vectors;  // names in the offset that stand for vectors
    ir::loop::Expr inside;                          // null: always; else scalar or lanes of Bool
  };
  ir::loop::Expr scalar_value(const ir::Stmt& stmt, const ir::Scalar& scalar, const Point& point,
                              std::map<const ir::ScalarNode*, ir::loop::Expr>& done);
  Sign sign_of_argument(const ir::Stmt& stmt, const ir::Scalar& argument) const;
  ir::loop::Expr access(const ir::Stmt& stmt, int number, const Point& point);
  ir::loop::Expr load(const ir::Stmt& stmt, const ir::Access& access, const Place& place, const Point& point);
  bool reads_neighbours_next(const ir::Stmt& stmt, const ir::Access& access, const ir::Index& first,
                             const Point& point);
  ir::loop::Expr load_shared_alternate(const ir::Stmt& stmt, const ir::Access& access, const ir::Index& first,
                                       const Point& point);
  ir::loop::Expr load_run(int place, int lanes, const ir::loop::Expr& offset, const ir::loop::Expr& mask);
  ir::loop::Statement store_run(int place, const ir::loop::Expr& offset, const ir::loop::Expr& value,
                                const ir::loop::Expr& mask) const;
  void fetch_behind(int place, const ir::loop::Expr& offset);
  bool load_across(const ir::Stmt& stmt, const ir::Access& access, const Place& place, const Point& point);
  std::vector<ir::loop::Expr> load_square(int operand, const ir::Index& first, const Point& point);
  ir::loop::Expr load_alternate(int buffer, ir::DType type, const ir::Index& first, int lanes,
                                const ir::loop::Expr& mask);
  ir::loop::Expr inside_extent(const ir::Index& position, const ir::Index& extent, const Point& point,
                               const std::map<std::string, ir::loop::Expr>& vectors);
  Place place_of_store(const ir::Stmt& stmt, const Point& point);
  void forget_loads_of(int place);
  Place locate(const ir::Stmt& stmt, const ir::Access& access, const Point& point);
  bool varies_by_lane(const ir::Index& index, const std::map<std::string, ir::loop::Expr>& vectors) const;
  ir::loop::Expr index_expr(const ir::Index& index, const Point& point,
                            const std::map<std::string, ir::loop::Expr>& vectors);
  ir::Index bind_reads(const ir::Stmt& stmt, const ir::Index& index, const Point& point,
                       std::map<std::string, ir::loop::Expr>& vectors);

  Emitter& emitter_;
  const Addresses& addresses_;
  const ir::Kernel& kernel_;
  std::map<std::string, ir::loop::Expr> registers_;
  std::map<std::string, ir::loop::Expr> loads_, insides_;
  std::map<const ir::Stmt*, std::vector<BorderDim>> border_dims_;
  const ir::Stmt* bordered_ = nullptr;
  std::vector<BorderDim> trusted_;
  std::map<int, int64_t> ahead_;
  std::set<const ir::ScalarNode*> settled_;
  std::set<std::string> not_positive_;
  std::set<const ir::ScalarNode*> needless_;  // minimums that are equal to their first argument
};

// Both expressions with the lanes of the wider.
void match_lanes(ir::loop::Expr& a, ir::loop::Expr& b);
// combine(a, b) of a monoid.
ir::loop::Expr combined(ir::Combine combine, ir::loop::Expr a, ir::loop::Expr b);
ir::loop::Expr identity_value(ir::Combine combine, ir::DType type, int lanes);
ir::loop::Expr constant_value(const ir::Scalar& constant);

}  // namespace hone::lower
