// Scalar: the body of an indexed operator or tile statement, evaluated once per point of its domain.
//
//   scalar := constant:dtype | @k | #(index):dtype | op(scalar, …) | cast:dtype(scalar) | bits:dtype(scalar)
//
// `@k` is the value of the k-th access; `#(index)` is the value of an index expression. `cast` converts a
// number; `bits` reads the same bits as another type of the same size, bool excepted. Types are explicit on leaves and
// casts; both arguments of a binary operation have the same type. A node is immutable and shared, so equal
// subexpressions built once are computed once. The form with infix signs that people write is in ir/text/scalar_text.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/index.h"
#include "ir/type.h"

namespace hone::ir {

enum class ScalarOp {
#define HONE_SCALAR(name, arity, text) name,
#include "ir/scalar.def"
#undef HONE_SCALAR
};

const char* name_of(ScalarOp op);
int arity_of(ScalarOp op);
std::optional<ScalarOp> scalar_op_named(std::string_view name);
inline bool is_comparison(ScalarOp op) {
  return op == ScalarOp::Less || op == ScalarOp::LessEqual || op == ScalarOp::Equal || op == ScalarOp::IsNan;
}

struct ScalarNode;
using Scalar = std::shared_ptr<const ScalarNode>;

struct ScalarNode {
  enum class Kind { Constant, Access, IndexValue, Operation, Cast, Bits };
  Kind kind;
  DType type;                  // of the result
  double number = 0;           // Constant of a float or bool type
  int64_t integer = 0;         // Constant of an integer type; of a storage type its bits
  int access = 0;              // Access
  Index index{};               // IndexValue
  ScalarOp op{};               // Operation
  std::vector<Scalar> args{};  // Operation, Cast, Bits
};

Scalar constant(DType type, double value);
Scalar integer_constant(DType type, int64_t value);
Scalar access_value(DType type, int access);
Scalar index_value(DType type, Index index);
Scalar cast(DType type, Scalar value);  // the value itself if it has that type
Scalar bits(DType type, Scalar value);  // the value itself if it has that type
Scalar apply(ScalarOp op, std::vector<Scalar> args);
Scalar with_args(const Scalar& scalar,
                 std::vector<Scalar> args);  // the same operation, cast or bits of other arguments

// Replaces `@k` by by(k, type) and indices by index_by; shared nodes stay shared.
Scalar replace_accesses(const Scalar& scalar, const std::function<Scalar(int, DType)>& by);
Scalar replace_indices(const Scalar& scalar, const std::function<Index(const Index&)>& by);
void visit_accesses(const Scalar& scalar, const std::function<void(int)>& visit);
std::string text_of(const Scalar& scalar);

}  // namespace hone::ir
