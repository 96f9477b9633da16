// Program: what is computed, as an SSA graph of typed tensors. A dimension is an Index over symbols.
//
//   program   := 'program' name '(' (value (',' value)*)? ')' '->' '(' (name (',' name)*)? ')' '{' (const | op)* '}'
//   value     := name ':' type ('known' '[' (index (',' index)*)? ']')?
//   type      := dtype '[' (index (',' index)*)? ']'
//   const     := 'const' value '=' constant                                        (ir/text/constants.h)
//   op        := result (',' result)* '=' kind '(' (operand (',' operand)*)? ')' attributes? label? program*
//   result    := value | '_'                     (_ : nobody takes it)
//   operand   := name | '_'                      (_ : kAbsent)
//   label     := 'as' "text"                     (Op::name);  attributes: ir/text/attribute_text.h
//
//   program mlp(x: f32[batch, 64]) -> (y) {
//     const w: f32[64, 10] = hash 0x7f3a0c5512de9b04
//     h: f32[batch, 10] = matmul(x, w) as "MatMul_0"
//     y: f32[batch, 10] = softmax(h) {axis = 1}
//   }
//
// Ops stand in topological order. A Program is a value; passes take one and return one.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "ir/index.h"
#include "ir/type.h"

namespace hone::ir {

enum class OpKind {
#define HONE_OP(name, text, kind, min_inputs, max_inputs) name,
#include "ir/ops.def"
#undef HONE_OP
};

// Which of the five kinds of meaning an operator has (DESIGN decision 2). Control is If and Loop: calls of sub-programs.
// Trim has no kernel: a Program is cut there into stages (pipeline/stages.h).
enum class MeaningKind { Indexed, View, Scan, Composite, Library, Control, Trim };

const char* name_of(OpKind kind);
MeaningKind meaning_kind(OpKind kind);
std::optional<OpKind> op_named(std::string_view name);

struct TensorType {
  DType dtype = DType::F32;
  Shape shape;
  bool operator==(const TensorType&) const = default;
};

// Dense row-major bytes of a constant. `owner` keeps alive whatever `data` points into (a mapped file, a vector).
struct ConstantData {
  const std::byte* data = nullptr;
  size_t bytes = 0;
  std::shared_ptr<const void> owner;
};

using ValueId = int;
inline constexpr ValueId kAbsent = -1;  // an optional operand that is not given

struct Value {
  std::string name;
  TensorType type;
  std::optional<ConstantData> constant;
  // Integer tensors of rank ≤ 1 whose elements are known expressions of symbols (shape arithmetic).
  std::optional<std::vector<Index>> known;
};

using Attribute = std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>>;

struct Program;

struct Op {
  OpKind kind{};
  std::string name;  // the node's name in the model; for messages and profiles
  std::vector<ValueId> inputs, outputs;
  std::map<std::string, Attribute> attributes;
  std::vector<Program> bodies;  // If: then, else. Scan, Loop: a round. They see only their inputs; captures are inputs.

  int64_t integer(const std::string& key, int64_t otherwise) const;
  double number(const std::string& key, double otherwise) const;
  std::string text(const std::string& key, const std::string& otherwise) const;
  std::vector<int64_t> integers(const std::string& key, const std::vector<int64_t>& otherwise = {}) const;
};

struct Program {
  std::string name;
  std::vector<Value> values;
  std::vector<Op> ops;
  std::vector<ValueId> inputs, outputs;

  ValueId add_value(Value value);
  const TensorType& type(ValueId id) const { return values[static_cast<size_t>(id)].type; }
};

// Every op's operands exist, are defined before use, and have the types its meaning asks for.
Status validate(const Program& program);
std::string text_of(const Program& program);  // large constants print as their hash
Result<Program> parse_program(std::string_view text);

}  // namespace hone::ir
