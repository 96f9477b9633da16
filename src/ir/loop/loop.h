// Loop IR: what the machine does, small enough to read. Vector shape, unrolling and order are already explicit; the back
// ends print it without deciding anything.
//
//   function := 'function' name '(' 'sizes' name, … ';' 'buffers' name ':' dtype ('at' expr)?, … ')' '{' stmt* '}'
//   stmt := var '=' expr | buffer '[' expr ']' '=' expr ('where' expr)? | for | if | part
//        | 'prefetch' buffer '[' expr ']' | ('stream' | 'alone') buffer '[' expr ']' '=' expr
//   for  := 'for' var 'in' expr '..' expr 'by' expr '{' stmt* '}'
//   if   := 'if' expr '{' stmt* '}' ('else' '{' stmt* '}')?
//   part := 'part' '{' stmt* '}'
//   expr := integer | number ':' type | var | '$'size | expr infix expr | word '(' expr, … ')'
//         | buffer '[' expr (';' lanes ('where' mask | 'alone')?)? ']'
//   type := dtype ('x' lanes)?        word := fma, select, min, gather, ramp, …; a dtype converts, as_dtype keeps the bits
//
// `at` places a buffer in scratch memory, at that byte. A type is an element type and a number of lanes (1: scalar).
// Comparison results are Bool lanes. Index arithmetic is scalar I64; offsets count elements of the buffer. Different
// buffers never overlap. A variable is mutable and scoped to its function; it holds the value of its latest assignment.
// Two variables are implicit: `task_begin` and `task_end`. Bounds and step of a loop are taken once, on entry; the step
// is positive. An integer divisor of 0 counts as 1, so that idle lanes cannot trap. A part is run where it stands; it reads
// the variables around it and assigns only its own, which end with it: a back end gives it all registers of the machine. What
// is streamed goes past the caches where the processor can do that and the address is a multiple of the vector, and behind what
// is loaded or stored alone the processor fetches nothing ahead where it can be told so; nothing else differs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "ir/type.h"

namespace hone::ir::loop {

struct VectorType {
  DType element = DType::I64;
  int lanes = 1;
  bool operator==(const VectorType&) const = default;
};

enum class ExprKind {
  IntConstant,    // splat over the lanes
  FloatConstant,  // splat
  Variable,
  Size,  // run-time size by number; scalar I64
  Unary,
  Binary,
  Fma,        // args 0 * args 1 + args 2, rounded once
  Select,     // condition, then, else
  Load,       // buffer[offset .. offset+lanes); with a second argument: a mask, inactive lanes are 0 and not touched
  Gather,     // args: vector of I64 offsets (, mask)
  Broadcast,  // scalar to lanes
  Ramp,       // 0, 1, 2, … in I64 lanes
  TailMask,   // args: scalar I64 n; lane i is (i < n)
  Convert,    // value-preserving where it can be: C semantics, float → int truncates and saturates (NaN: 0), bool → 0/1
  Bitcast,    // same bits, same lane width
  ReduceAdd,
  ReduceMul,
  ReduceMax,
  ReduceMin,  // vector to scalar, as a tree of halves
  Extract,    // lane `integer` of args 0
  Shuffle,    // lane i is lane `lanes[i]` of args 0 followed by args 1
};

enum class UnaryOp { Neg, Abs, Sqrt, Floor, Ceil, RoundEven, Trunc, Not };
enum class BinaryOp {
  Add,
  Sub,
  Mul,
  Div,  // integer Div truncates
  FloorDiv,
  Mod,  // integers; floor division and its remainder
  Rem,  // truncating remainder; floats: fmod
  Min,
  Max,  // floats: NaN if either is NaN
  And,
  Or,
  Xor,
  Shl,
  Shr,    // integers and Bool; Shr is arithmetic for signed types
  Scale,  // floats: x * 2^n for a whole n and an x of magnitude 1/2 to 2 or NaN, rounded once
  Less,
  LessEqual,
  Equal,
  NotEqual,
};

struct ExprNode;
using Expr = std::shared_ptr<const ExprNode>;

struct ExprNode {
  ExprKind kind;
  VectorType type{};
  int64_t integer = 0;  // IntConstant, Size, Extract
  double number = 0;    // FloatConstant
  std::string name{};   // Variable
  int buffer = 0;       // Load, Gather
  UnaryOp unary{};
  BinaryOp binary{};
  std::vector<Expr> args{};
  std::vector<int> lanes{};  // Shuffle
  bool alone = false;        // Load without a mask
};

enum class StmtKind { Assign, Store, For, If, Part, Prefetch };

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  StmtKind kind;
  std::string variable{};  // Assign, For
  int buffer = 0;          // Store, Prefetch
  std::vector<Expr>
      args{};  // Assign: value. Store: offset, value (, mask). For: lo, hi, step. If: condition. Prefetch: offset
  bool stream = false, alone = false;  // Store without a mask
  Block body{}, otherwise{};           // For, Part: body. If: both
};

struct LoopBuffer {
  std::string name{};
  DType dtype = DType::F32;
  // A parameter of the kernel, or a place in the worker's scratch memory at this byte offset.
  bool scratch = false;
  Expr byte_offset{};
};

struct Function {
  std::string name{};
  std::vector<LoopBuffer> buffers{};  // parameters first, in the kernel's order
  std::vector<std::string> sizes{};
  Block body{};
};

// Builders. They fold constants and identities (x + 0, x * 1, …) of scalar I64 expressions, nothing else.
Expr int_constant(int64_t value, VectorType type = {});
Expr float_constant(double value, VectorType type);
Expr variable(std::string name, VectorType type);
Expr size(int number);
Expr unary(UnaryOp op, Expr a);
Expr binary(BinaryOp op, Expr a, Expr b);
Expr fma(Expr a, Expr b, Expr c);
Expr select(Expr condition, Expr a, Expr b);
Expr load(int buffer, DType element, int lanes, Expr offset, Expr mask = nullptr);
Expr load_alone(int buffer, DType element, int lanes, Expr offset);  // behind which nothing is fetched ahead
Expr gather(int buffer, DType element, Expr offsets, Expr mask = nullptr);
Expr broadcast(Expr scalar, int lanes);  // what already has as many lanes stays as it is
Expr ramp(int lanes);
Expr tail_mask(Expr count, int lanes);
Expr convert(Expr a, DType element);  // a itself if it has that type
Expr bitcast(Expr a, DType element);
Expr reduce(ExprKind kind, Expr vector);
Expr extract(Expr vector, int lane);
Expr shuffle(Expr a, Expr b, std::vector<int> lanes);

Statement assign(std::string variable, Expr value);
Statement store(int buffer, Expr offset, Expr value, Expr mask = nullptr);
Statement stream(int buffer, Expr offset, Expr value);       // a store past the caches
Statement store_alone(int buffer, Expr offset, Expr value);  // behind which nothing is fetched ahead
Statement for_loop(std::string variable, Expr lo, Expr hi, Expr step, Block body);
Statement if_else(Expr condition, Block then, Block otherwise = {});
Statement part(Block body);
Statement prefetch(int buffer, Expr offset);

Status validate(const Function& function);  // types agree, variables assigned before use, buffers exist
std::string text_of(const Function& function);
Result<Function> parse_function(std::string_view text);

}  // namespace hone::ir::loop
