// A graph-defined kernel: block graph and thread graphs of one launch.
//
//   kernel := 'kernel' name '(' (buffer (',' buffer)*)? ')' '{' (axes | tiles)* node* '}'
//   buffer := ('in' | 'out') name ':' dtype '[' (index (',' index)*)? ']'
//   axes   := 'axis' name '<' index (',' name '<' index)*
//   tiles  := 'tile' tile (',' tile)*
//   tile   := name ':' dtype '[' (axis (',' axis)*)? ']' ('ring' axis index)?
//   node   := ('grid' | 'loop') axis ('step' index)? ('until' index)? states? '{' node* '}'        (step 1 if absent)
//           | 'group' points ('over' points)? '{' stmt* ('then' stmt*)? '}'
//   states := 'state' tile '=' body (',' tile '=' body)*
//   points := '(' (point (',' point)*)? ')'
//   point  := axis ('in' '[' index ',' index ')')? ('carry' axis)?
//   stmt   := (register | place indices) '=' (('sum' | 'prod' | 'max' | 'min' | 'max_number') ':'?)? body
//   access := register | place indices border?
//   border := '{' ('fill' number | 'clamp' | 'reflect' | 'wrap') '}'
//
// Words, `#` comments and quoted names are those of ir/text/lexer.h, index that of ir/text/index_text.h (a name declared
// as axis is one, any other is a symbol; a read is an access written in place), body that of ir/text/scalar_text.h.
// Places (buffers and tiles) are written with brackets, registers without; a register takes the type of its body. The
// ':' after a combine is needed only where a parenthesis follows: `max(a, b)` is the function.
//
//   kernel gemm_relu(in a: f32[M, K], in b: f32[K, N], in r: f32[M, N], out y: f32[M, N]) {
//     axis m < M, n < N, k < K
//     grid m step TM {
//       grid n step TN {
//         group (m, n) over (k) {
//           s = sum a[m, k] * b[k, n]
//         then
//           y[m, n] = max(s + r[m, n], 0)
//         }
//       }
//     }
//   }
//
// Block level: the tree of grid and loop nodes. `grid` nodes are outermost, their tiles are independent tasks. Inside a
// node with `step T`, the axis stands for the tile's begin in index expressions of nodes, and for the points of the
// tile [begin, min(begin + T, extent)) in groups. An axis may be opened again inside (a tile of a tile); an axis that is
// not opened runs over its whole extent. `until` ends a loop early (dead tiles are skipped); it may name outer axes.
// Steps and bounds may name parameters: symbols that the Plan binds to numbers.
//
// Thread level: a group. Its statements share one register tile. For each point of the parallel axes, `inner` runs at
// every point of the `over` axes; a statement with a combine reduces over all of them into a register; then `outer` runs
// once. Registers are visible to the statements after them in the same group.
//
// A tile lives in cache: it is as large as the ranges of its axes where it is written. A ring holds the last `rows` of
// its ring axis; `carry a` on a group axis says that what an earlier iteration of loop `a` wrote is still there, so only
// what is new is computed. A state is a tile that is initialised when its loop is entered and kept between iterations.
//
// All of it is plain data. Axis order in a group says nothing: order, register tile and vector axis are the Plan's.
#pragma once

#include <memory>
#include <variant>

#include "ir/program/meaning.h"

namespace hone::ir {

struct Buffer {
  std::string name;
  DType dtype = DType::F32;
  Shape shape;  // over the kernel's symbols
  bool output = false;
};

struct Ring {
  std::string axis;
  Index rows;
};

struct Tile {
  std::string name;
  DType dtype = DType::F32;
  std::vector<std::string> axes;
  std::optional<Ring> ring;
};

struct Stmt {
  std::string result;     // a register (no `at`), a tile or an output buffer
  std::vector<Index> at;  // where in the tile or buffer; indices are absolute, also for tiles
  Combine combine = Combine::None;
  std::vector<Access> accesses;  // operand: number of a place, see Kernel::place_of
  Scalar body;
};

struct GroupAxis {
  std::string axis;
  std::optional<std::pair<Index, Index>>
      range;  // [lo, hi), clipped to the axis; absent: the tile of the enclosing loops
  std::optional<std::string> carry;
};

struct Group {
  std::vector<GroupAxis> parallel, over;
  std::vector<Stmt> inner, outer;
};

struct State {
  std::string tile;
  Scalar init;
};

struct Nest;
using Node = std::variant<std::shared_ptr<const Nest>, Group>;

struct Nest {
  bool grid = false;
  std::string axis;
  Index step = 1;
  std::optional<Index> until;
  std::vector<State> states;
  std::vector<Node> body;
};

struct Kernel {
  std::string name;
  std::vector<Buffer> buffers;
  std::vector<Axis> axes;
  std::vector<Tile> tiles;
  std::vector<std::string> registers;  // names of group-local values, each with a type
  std::vector<DType> register_types;
  std::vector<Node> body;

  // Places are numbered: buffers, then tiles, then registers.
  int place_of(const std::string& name) const;  // -1: no such place
  const std::string& place_name(int place) const;
  DType place_type(int place) const;
  const Index& extent(const std::string& axis) const;
  // Run-time sizes, sorted by name, without the parameters: what the compiled function takes as `sizes`.
  std::vector<std::string> symbols(const std::vector<std::string>& parameters) const;
};

// The groups in the order of the text; the Plan numbers them so.
std::vector<const Group*> groups_of(const Kernel& kernel);

// What a Plan must set: the symbols of steps, bounds, ranges and rings that no buffer's shape and no axis' extent names.
// Sorted by name.
std::vector<std::string> parameters_of(const Kernel& kernel);

Status validate(const Kernel& kernel);
std::string text_of(const Kernel& kernel);
Result<Kernel> parse_kernel(std::string_view text);

}  // namespace hone::ir
