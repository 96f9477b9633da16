#include <algorithm>

#include "import/known_internal.h"
#include "import/sizes_internal.h"

namespace hone::import {
namespace {

using ir::Index;
using Function = std::optional<Index> (*)(const Index&, const Index&);

std::optional<Index> numbers_only(const Index& a, const Index& b, int64_t (*f)(int64_t, int64_t)) {
  if (!a.constant() || !b.constant()) return std::nullopt;
  return Index(f(*a.constant(), *b.constant()));
}

std::optional<Index> divide(const Index& a, const Index& b) {
  if (b.is(0)) return std::nullopt;
  if (a.constant() && b.constant()) return Index(*a.constant() / *b.constant());
  if (auto exact = exact_quotient(a, b)) return exact;
  // ONNX rounds towards zero, which is rounding down where nothing is negative.
  if (!provably_at_most(0, a) || !provably_at_most(0, b)) return std::nullopt;
  return floor_div(a, b);
}

std::optional<Index> remainder(const Index& a, const Index& b) {
  if (b.is(0)) return std::nullopt;
  return mod(a, b);
}

// 1 if the argument, known to be ≥ 0, is not 0.
Index any_of(const Index& value) {
  return min(Index(1), value);
}

std::optional<Index> equal(const Index& a, const Index& b) {
  if (a == b) return Index(1);
  if (provably_different(a, b)) return Index(0);
  return 1 - any_of(max(a - b, b - a));
}

std::optional<Index> less(const Index& a, const Index& b) {
  if (provably_at_most(b, a)) return Index(0);
  if (provably_at_most(a + 1, b)) return Index(1);
  return any_of(max(Index(0), b - a));
}

struct Binary {
  const char* op_type;
  Function apply;
  bool truth;  // the result is bool
};

const Binary kBinary[] = {
    {"Add", [](const Index& a, const Index& b) -> std::optional<Index> { return a + b; }, false},
    {"Sub", [](const Index& a, const Index& b) -> std::optional<Index> { return a - b; }, false},
    {"Mul", [](const Index& a, const Index& b) -> std::optional<Index> { return a * b; }, false},
    {"Div", divide, false},
    {"Mod", remainder, false},
    {"Min", [](const Index& a, const Index& b) -> std::optional<Index> { return min(a, b); }, false},
    {"Max", [](const Index& a, const Index& b) -> std::optional<Index> { return max(a, b); }, false},
    {"Equal", equal, true},
    {"Less", less, true},
    {"Greater", [](const Index& a, const Index& b) { return less(b, a); }, true},
    {"LessOrEqual", [](const Index& a, const Index& b) -> std::optional<Index> { return 1 - *less(b, a); }, true},
    {"GreaterOrEqual", [](const Index& a, const Index& b) -> std::optional<Index> { return 1 - *less(a, b); }, true},
    {"And", [](const Index& a, const Index& b) -> std::optional<Index> { return a * b; }, true},
    {"Or", [](const Index& a, const Index& b) -> std::optional<Index> { return max(a, b); }, true},
    {"Xor",
     [](const Index& a, const Index& b) { return numbers_only(a, b, [](int64_t x, int64_t y) { return x ^ y; }); },
     true},
};

std::optional<std::vector<int64_t>> broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::vector<int64_t> dims(std::max(a.size(), b.size()));
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) return std::nullopt;
    dims[dims.size() - 1 - i] = x == 1 ? y : x;
  }
  return dims;
}

// The element of a broadcast operand that stands at a row-major position of the result.
const Index& at(const Known& known, const std::vector<int64_t>& dims, size_t position) {
  size_t index = 0, stride = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    size_t size = static_cast<size_t>(dims[dims.size() - 1 - i]), coordinate = position % size;
    position /= size;
    if (i >= known.rank()) continue;
    size_t own = static_cast<size_t>(known.dims[known.rank() - 1 - i]);
    index += (own == 1 ? 0 : coordinate) * stride;
    stride *= own;
  }
  return known.elements[index];
}

size_t count(const std::vector<int64_t>& dims) {
  size_t total = 1;
  for (int64_t dim : dims) total *= static_cast<size_t>(dim);
  return total;
}

std::optional<Known> binary(const Binary& op, const Known& a, const Known& b) {
  auto dims = broadcast(a.dims, b.dims);
  if (!dims || count(*dims) > kMostKnown || a.dtype != b.dtype) return std::nullopt;
  Known result{op.truth ? ir::DType::Bool : a.dtype, *dims, {}};
  for (size_t i = 0; i < count(*dims); ++i) {
    const Index &x = at(a, *dims, i), &y = at(b, *dims, i);
    if (!is_reasonable(x) || !is_reasonable(y)) return std::nullopt;
    auto value = op.apply(x, y);
    if (!value) return std::nullopt;
    result.elements.push_back(wrapped(*value, result.dtype));
  }
  return result;
}

std::optional<Known> unary(const KnownNode& node) {
  const std::string& type = node.op_type;
  // Asked before any element is: there may be none.
  if (type != "Not" && type != "Neg" && type != "Abs") return std::nullopt;
  Known result = *node.inputs[0];
  for (Index& element : result.elements) {
    if (!is_reasonable(element)) return std::nullopt;
    element = type == "Not" ? 1 - element : type == "Neg" ? -element : max(element, -element);
  }
  return result;
}

std::optional<Known> cast(const KnownNode& node) {
  auto to = node.attributes.integer("to", 0);
  Known result = *node.inputs[0];
  switch (to) {
    case onnx::TensorProto::INT64:
      result.dtype = ir::DType::I64;
      break;
    case onnx::TensorProto::INT32:
      result.dtype = ir::DType::I32;
      break;
    case onnx::TensorProto::BOOL:
      result.dtype = ir::DType::Bool;
      break;
    default:
      return std::nullopt;
  }
  for (Index& element : result.elements) {
    if (result.dtype != ir::DType::Bool)
      element = wrapped(element, result.dtype);
    else if (element.constant())
      element = element.is(0) ? 0 : 1;
    else
      element = any_of(max(element, -element));
  }
  return result;
}

std::optional<Known> where(const Known& condition, const Known& then, const Known& otherwise) {
  auto both = broadcast(then.dims, otherwise.dims);
  auto dims = both ? broadcast(*both, condition.dims) : std::nullopt;
  if (!dims || count(*dims) > kMostKnown || then.dtype != otherwise.dtype) return std::nullopt;
  Known result{then.dtype, *dims, {}};
  for (size_t i = 0; i < count(*dims); ++i) {
    const Index& choice = at(condition, *dims, i);
    const Index &x = at(then, *dims, i), &y = at(otherwise, *dims, i);
    if (!choice.constant() && !(x == y)) return std::nullopt;
    result.elements.push_back(choice.is(0) ? y : x);
  }
  return result;
}

// ReduceProd, ReduceSum, ReduceMin and ReduceMax of a whole vector.
std::optional<Known> reduce(const KnownNode& node) {
  const Known& in = *node.inputs[0];
  bool over_all = node.inputs.size() < 2 && !node.attributes.has("axes");
  bool no_axes = over_all || (node.inputs.size() >= 2 && (!node.inputs[1] || node.inputs[1]->elements.empty()));
  if (no_axes && node.attributes.integer("noop_with_empty_axes", 0) != 0) return std::nullopt;
  if (in.rank() > 1 || in.elements.empty()) return std::nullopt;
  if (!over_all && in.rank() == 0) return std::nullopt;
  Index value = in.elements[0];
  for (size_t i = 1; i < in.elements.size(); ++i) {
    const Index& next = in.elements[i];
    if (!is_reasonable(value) || !is_reasonable(next)) return std::nullopt;
    if (node.op_type == "ReduceProd")
      value = value * next;
    else if (node.op_type == "ReduceSum")
      value = value + next;
    else if (node.op_type == "ReduceMin")
      value = min(value, next);
    else
      value = max(value, next);
  }
  bool keep = node.attributes.integer("keepdims", 1) != 0;
  return Known{in.dtype, std::vector<int64_t>(keep ? in.rank() : 0, 1), {wrapped(value, in.dtype)}};
}

}  // namespace

Index wrapped(const Index& value, ir::DType type) {
  auto number = value.constant();
  if (!number) return value;
  switch (type) {
    case ir::DType::I8:
      return static_cast<int8_t>(*number);
    case ir::DType::I16:
      return static_cast<int16_t>(*number);
    case ir::DType::I32:
      return static_cast<int32_t>(*number);
    case ir::DType::U8:
      return static_cast<uint8_t>(*number);
    case ir::DType::U16:
      return static_cast<uint16_t>(*number);
    case ir::DType::U32:
      return static_cast<int64_t>(static_cast<uint32_t>(*number));
    case ir::DType::F32:
    case ir::DType::F64:
    case ir::DType::F16:
    case ir::DType::BF16:
    case ir::DType::I64:
    case ir::DType::U64:
    case ir::DType::Bool:
    case ir::DType::F8E4M3FN:
    case ir::DType::F8E4M3FNUZ:
    case ir::DType::F8E5M2:
    case ir::DType::F8E5M2FNUZ:
    case ir::DType::F8E8M0:
    case ir::DType::F4E2M1:
    case ir::DType::I4:
    case ir::DType::U4:
    case ir::DType::I2:
    case ir::DType::U2:
      return value;
  }
  HONE_CHECK(false, "unknown element type");
}

std::optional<Known> known_arithmetic(const KnownNode& node) {
  const std::string& type = node.op_type;
  if (type == "Cast") return cast(node);
  if (type == "Where")
    return node.inputs.size() == 3 ? where(*node.inputs[0], *node.inputs[1], *node.inputs[2]) : std::nullopt;
  if (type == "ReduceProd" || type == "ReduceSum" || type == "ReduceMin" || type == "ReduceMax") return reduce(node);
  if (node.inputs.size() == 1) return unary(node);
  for (const Binary& op : kBinary) {
    if (type != op.op_type) continue;
    if (node.opset < 7 && node.attributes.has("axis")) return std::nullopt;  // its mapping aligns the operands
    if (type == "Mod" && node.attributes.integer("fmod", 0) != 0) return std::nullopt;
    std::optional<Known> result = *node.inputs[0];
    for (size_t i = 1; i < node.inputs.size() && result; ++i) result = binary(op, *result, *node.inputs[i]);
    return result;
  }
  return std::nullopt;
}

}  // namespace hone::import
