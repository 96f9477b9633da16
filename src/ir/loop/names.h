// The words of the text form, shared by print.cpp and parse.cpp.
#pragma once

#include <array>
#include <string_view>

#include "ir/loop/loop.h"

namespace hone::ir::loop {

// Infix operators bind by precedence, from the left; precedence 0 is written as a call.
struct BinaryName {
  BinaryOp op;
  std::string_view text;
  int precedence;
};

inline constexpr std::array<BinaryName, 19> kBinaryNames = {{
    {BinaryOp::Add, "+", 6},       {BinaryOp::Sub, "-", 6},        {BinaryOp::Mul, "*", 7},
    {BinaryOp::Div, "/", 7},       {BinaryOp::FloorDiv, "//", 7},  {BinaryOp::Mod, "%", 7},
    {BinaryOp::Rem, "rem", 0},     {BinaryOp::Min, "min", 0},      {BinaryOp::Max, "max", 0},
    {BinaryOp::And, "&", 3},       {BinaryOp::Or, "|", 1},         {BinaryOp::Xor, "^", 2},
    {BinaryOp::Shl, "<<", 5},      {BinaryOp::Shr, ">>", 5},       {BinaryOp::Scale, "scale", 0},
    {BinaryOp::Less, "<", 4},      {BinaryOp::LessEqual, "<=", 4}, {BinaryOp::Equal, "==", 4},
    {BinaryOp::NotEqual, "!=", 4},
}};

inline constexpr std::array<std::string_view, 8> kUnaryNames = {"neg",  "abs",        "sqrt",  "floor",
                                                                "ceil", "round_even", "trunc", "not"};

inline constexpr std::array<std::string_view, 4> kReductionNames = {"reduce_add", "reduce_mul", "reduce_max",
                                                                    "reduce_min"};

inline const BinaryName& name_of(BinaryOp op) {
  return kBinaryNames[static_cast<size_t>(op)];
}
inline std::string_view name_of(UnaryOp op) {
  return kUnaryNames[static_cast<size_t>(op)];
}
inline std::string_view name_of_reduction(ExprKind kind) {
  return kReductionNames[static_cast<size_t>(kind) - static_cast<size_t>(ExprKind::ReduceAdd)];
}

}  // namespace hone::ir::loop
