#include "lower/vector_math/vector_math.h"

#include "lower/vector_math/lanes.h"

namespace hone::lower {

using ir::DType;
using ir::ScalarOp;
using ir::loop::BinaryOp;
using ir::loop::Expr;
using ir::loop::UnaryOp;

Lanes VectorMath::sign(const Lanes& x) {
  const Lanes one = constant_like(x, 1.0);
  if (!ir::is_signed(x.type().element)) return select(x == 0.0, x, one);
  // Zeros keep their sign, NaN stays.
  return select(0.0 < x, one, select(x < 0.0, constant_like(x, -1.0), x));
}

// x - floor(x / y) * y, from the exact remainder with the sign of x.
Lanes VectorMath::floored_mod(const Lanes& x, const Lanes& y) {
  const Lanes rest = let(apply(BinaryOp::Rem, x, y));
  const Lanes zero = constant_like(x, 0.0);
  const Lanes off = (rest != zero) & ((rest < zero) != (y < zero));
  return select(off, rest + y, rest);
}

// Squaring and multiplying; products wrap. A negative exponent gives 0, except for bases 1 and -1.
Lanes VectorMath::integer_pow(const Lanes& x, const Lanes& y) {
  const Lanes one = constant_like(x, 1.0), zero = constant_like(x, 0.0);
  // From 64 on only bases 0, 1 and -1 have a result that fits: parity decides.
  const Lanes large = 63.0 < y;
  Lanes exponent = let(select(large, (y & 1.0) + 62.0, y));
  if (ir::is_signed(x.type().element)) exponent = let(select(y < 0.0, y & 1.0, exponent));
  Lanes result = one, square = x;
  for (int bit = 0; bit < 6; ++bit) {
    const Lanes mask = constant_like(x, 1 << bit);
    result = let(select((exponent & mask) == mask, result * square, result));
    if (bit < 5) square = let(square * square);
  }
  if (!ir::is_signed(x.type().element)) return result;
  const Lanes is_unit = (x == 1.0) | (x == -1.0);
  const Lanes inverse = select(is_unit, select((y & 1.0) == 1.0, x, one), zero);
  return let(select(y < 0.0, inverse, result));
}

namespace {

// Whether a shift by the count leaves a bit of x in place. Machines differ beyond.
Lanes within_width(const Lanes& x, const Lanes& count) {
  const Lanes below = count < static_cast<double>(ir::width_of(x.type().element));
  return ir::is_signed(x.type().element) ? (-1.0 < count) & below : below;
}

bool is_small_number(const Lanes& count, int width) {
  return count.e->kind == ir::loop::ExprKind::IntConstant && count.e->integer >= 0 && count.e->integer < width;
}

}  // namespace

Lanes VectorMath::shifted_left(const Lanes& x, const Lanes& count) {
  if (is_small_number(count, ir::width_of(x.type().element))) return x << count;
  const Lanes zero = constant_like(x, 0.0), inside = let(within_width(x, count));
  return let(select(inside, x << let(select(inside, count, zero)), zero));
}

Lanes VectorMath::shifted_right(const Lanes& x, const Lanes& count) {
  const int width = ir::width_of(x.type().element);
  if (is_small_number(count, width)) return x >> count;
  const Lanes inside = let(within_width(x, count));
  const Lanes shifted = let(x >> let(select(inside, count, constant_like(x, width - 1))));
  return ir::is_signed(x.type().element) ? shifted : let(select(inside, shifted, constant_like(x, 0.0)));
}

namespace {

// Operations that choose or move bits keep a half-width type; all others compute in f32.
bool computes(ScalarOp op) {
  return op != ScalarOp::Select && op != ScalarOp::Neg && op != ScalarOp::Abs;
}

Expr expand_in_f32(ScalarOp op, const std::vector<Expr>& args, const Sink& sink, Sign sign) {
  const DType type = args.back()->type.element;
  std::vector<Expr> wide;
  for (const Expr& a : args) wide.push_back(ir::loop::convert(a, DType::F32));
  const Expr result = expand(op, wide, sink, sign);
  return ir::loop::convert(result, ir::is_comparison(op) ? DType::Bool : type);
}

Expr expand_bool(ScalarOp op, const std::vector<Expr>& args) {
  const auto two = [&](BinaryOp binary) { return ir::loop::binary(binary, args[0], args[1]); };
  switch (op) {
    case ScalarOp::Not:
      return ir::loop::unary(UnaryOp::Not, args[0]);
    case ScalarOp::And:
    case ScalarOp::Mul:
    case ScalarOp::Min:
      return two(BinaryOp::And);
    case ScalarOp::Or:
    case ScalarOp::Add:
    case ScalarOp::Max:
      return two(BinaryOp::Or);
    case ScalarOp::Xor:
      return two(BinaryOp::Xor);
    case ScalarOp::Less:
      return two(BinaryOp::Less);
    case ScalarOp::LessEqual:
      return two(BinaryOp::LessEqual);
    case ScalarOp::Equal:
      return two(BinaryOp::Equal);
    case ScalarOp::Abs:
    case ScalarOp::Sign:
      return args[0];
    case ScalarOp::IsNan:
      return ir::loop::int_constant(0, args[0]->type);
    case ScalarOp::Neg:
    case ScalarOp::Exp:
    case ScalarOp::Log:
    case ScalarOp::Sqrt:
    case ScalarOp::Rsqrt:
    case ScalarOp::Reciprocal:
    case ScalarOp::Tanh:
    case ScalarOp::Erf:
    case ScalarOp::NormalCdf:
    case ScalarOp::Sigmoid:
    case ScalarOp::Sin:
    case ScalarOp::Cos:
    case ScalarOp::Tan:
    case ScalarOp::Asin:
    case ScalarOp::Acos:
    case ScalarOp::Atan:
    case ScalarOp::Sinh:
    case ScalarOp::Cosh:
    case ScalarOp::Asinh:
    case ScalarOp::Acosh:
    case ScalarOp::Atanh:
    case ScalarOp::Floor:
    case ScalarOp::Ceil:
    case ScalarOp::Round:
    case ScalarOp::Shl:
    case ScalarOp::Shr:
    case ScalarOp::Sub:
    case ScalarOp::Div:
    case ScalarOp::Mod:
    case ScalarOp::Fmod:
    case ScalarOp::Pow:
    case ScalarOp::Select:
      break;
  }
  HONE_CHECK(false, "{} of bool", ir::name_of(op));
  return nullptr;
}

bool is_two(const Expr& e) {
  return e->kind == ir::loop::ExprKind::FloatConstant && e->number == 2;
}

bool is_operation(const ir::Scalar& scalar, ScalarOp op) {
  return scalar->kind == ir::ScalarNode::Kind::Operation && scalar->op == op;
}

}  // namespace

Sign sign_of(const ir::Scalar& scalar) {
  const auto limits = [](const ir::Scalar& arg) {
    return arg->kind == ir::ScalarNode::Kind::Constant && ir::is_float(arg->type) && arg->number <= 0;
  };
  const bool limited = is_operation(scalar, ScalarOp::Min) && (limits(scalar->args[0]) || limits(scalar->args[1]));
  const bool turned = is_operation(scalar, ScalarOp::Neg) && is_operation(scalar->args[0], ScalarOp::Abs);
  return limited || turned ? Sign::NotPositive : Sign::Any;
}

Expr expand(ScalarOp op, const std::vector<Expr>& args, const Sink& sink, Sign sign) {
  HONE_CHECK(static_cast<int>(args.size()) == ir::arity_of(op), "{} takes {} arguments, not {}", ir::name_of(op),
             ir::arity_of(op), args.size());
  if (op == ScalarOp::Select) return ir::loop::select(args[0], args[1], args[2]);
  const DType type = args[0]->type.element;
  if (type == DType::Bool) return expand_bool(op, args);
  if (ir::is_half(type) && computes(op)) return expand_in_f32(op, args, sink, sign);
  const bool real = ir::is_float(type);
  VectorMath math(sink);
  const Lanes x{args[0]};
  const auto one = [&](UnaryOp unary) { return ir::loop::unary(unary, args[0]); };
  const auto two = [&](BinaryOp binary) { return ir::loop::binary(binary, args[0], args[1]); };
  const auto rounded = [&](UnaryOp unary) { return real ? one(unary) : args[0]; };
  const auto need_real = [&] { HONE_CHECK(real, "{} of {}", ir::name_of(op), ir::name_of(type)); };
  switch (op) {
    case ScalarOp::Neg:
      return one(UnaryOp::Neg);
    case ScalarOp::Abs:
      return one(UnaryOp::Abs);
    case ScalarOp::Sign:
      return math.sign(x).e;
    case ScalarOp::Exp:
      return need_real(), math.exp(x, sign).e;
    case ScalarOp::Log:
      return need_real(), math.log(x).e;
    case ScalarOp::Sqrt:
      return need_real(), one(UnaryOp::Sqrt);
    case ScalarOp::Rsqrt:
      return need_real(), (1.0 / Lanes{one(UnaryOp::Sqrt)}).e;
    case ScalarOp::Reciprocal:
      return (1.0 / x).e;
    case ScalarOp::Tanh:
      return need_real(), math.tanh(x).e;
    case ScalarOp::Erf:
      return need_real(), math.erf(x).e;
    case ScalarOp::NormalCdf:
      return need_real(), math.normal_cdf(x).e;
    case ScalarOp::Sigmoid:
      return need_real(), math.sigmoid(x).e;
    case ScalarOp::Sin:
      return need_real(), math.sin(x).e;
    case ScalarOp::Cos:
      return need_real(), math.cos(x).e;
    case ScalarOp::Tan:
      return need_real(), math.tan(x).e;
    case ScalarOp::Asin:
      return need_real(), math.asin(x).e;
    case ScalarOp::Acos:
      return need_real(), math.acos(x).e;
    case ScalarOp::Atan:
      return need_real(), math.atan(x).e;
    case ScalarOp::Sinh:
      return need_real(), math.sinh(x).e;
    case ScalarOp::Cosh:
      return need_real(), math.cosh(x).e;
    case ScalarOp::Asinh:
      return need_real(), math.asinh(x).e;
    case ScalarOp::Acosh:
      return need_real(), math.acosh(x).e;
    case ScalarOp::Atanh:
      return need_real(), math.atanh(x).e;
    case ScalarOp::Floor:
      return rounded(UnaryOp::Floor);
    case ScalarOp::Ceil:
      return rounded(UnaryOp::Ceil);
    case ScalarOp::Round:
      return rounded(UnaryOp::RoundEven);
    case ScalarOp::IsNan:
      if (!real) return ir::loop::int_constant(0, {DType::Bool, args[0]->type.lanes});
      return (x != x).e;
    case ScalarOp::Not:
      return one(UnaryOp::Not);
    case ScalarOp::Add:
      return two(BinaryOp::Add);
    case ScalarOp::Sub:
      return two(BinaryOp::Sub);
    case ScalarOp::Mul:
      return two(BinaryOp::Mul);
    case ScalarOp::Div:
      return two(BinaryOp::Div);
    case ScalarOp::Mod:
      return real ? math.floored_mod(x, {args[1]}).e : two(BinaryOp::Mod);
    case ScalarOp::Fmod:
      return two(BinaryOp::Rem);
    case ScalarOp::Pow:
      if (type == DType::F32 && is_two(args[0])) return math.exp2({args[1]}, sign).e;
      return (real ? math.pow(x, {args[1]}) : math.integer_pow(x, {args[1]})).e;
    case ScalarOp::Min:
      return two(BinaryOp::Min);
    case ScalarOp::Max:
      return two(BinaryOp::Max);
    case ScalarOp::Less:
      return two(BinaryOp::Less);
    case ScalarOp::LessEqual:
      return two(BinaryOp::LessEqual);
    case ScalarOp::Equal:
      return two(BinaryOp::Equal);
    case ScalarOp::And:
      return two(BinaryOp::And);
    case ScalarOp::Or:
      return two(BinaryOp::Or);
    case ScalarOp::Xor:
      return two(BinaryOp::Xor);
    case ScalarOp::Shl:
      return math.shifted_left(x, {args[1]}).e;
    case ScalarOp::Shr:
      return math.shifted_right(x, {args[1]}).e;
    case ScalarOp::Select:
      break;
  }
  return nullptr;
}

}  // namespace hone::lower
