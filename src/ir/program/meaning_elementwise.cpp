#include "ir/program/meaning_parts.h"
#include "ir/program/storage.h"

namespace hone::ir {
namespace {

// The body of an operator whose operands are the scalars x, y, z.
class Body {
 public:
  Body(const Op& op, std::vector<Scalar> args) : op_(op), args_(std::move(args)) {}

  Scalar build() const {
    switch (op_.kind) {
      case OpKind::Add:
        return binary(ScalarOp::Add);
      case OpKind::Sub:
        return binary(ScalarOp::Sub);
      case OpKind::Mul:
        return binary(ScalarOp::Mul);
      case OpKind::Div:
        return binary(ScalarOp::Div);
      case OpKind::Pow:
        return binary(ScalarOp::Pow);
      case OpKind::Min:
        return binary(ScalarOp::Min);
      case OpKind::Max:
        return binary(ScalarOp::Max);
      case OpKind::Mod:
        return binary(op_.integer("fmod", 0) != 0 ? ScalarOp::Fmod : ScalarOp::Mod);
      case OpKind::Equal:
        return binary(ScalarOp::Equal);
      case OpKind::Less:
        return binary(ScalarOp::Less);
      case OpKind::LessOrEqual:
        return binary(ScalarOp::LessEqual);
      case OpKind::Greater:
        return apply(ScalarOp::Less, {args_[1], args_[0]});
      case OpKind::GreaterOrEqual:
        return apply(ScalarOp::LessEqual, {args_[1], args_[0]});
      case OpKind::And:
        return binary(ScalarOp::And);
      case OpKind::Or:
        return binary(ScalarOp::Or);
      case OpKind::Xor:
        return binary(ScalarOp::Xor);
      case OpKind::Not:
        return unary(ScalarOp::Not);
      case OpKind::Neg:
        return unary(ScalarOp::Neg);
      case OpKind::Abs:
        return unary(ScalarOp::Abs);
      case OpKind::Sign:
        return unary(ScalarOp::Sign);
      case OpKind::Exp:
        return unary(ScalarOp::Exp);
      case OpKind::Log:
        return unary(ScalarOp::Log);
      case OpKind::Sqrt:
        return unary(ScalarOp::Sqrt);
      case OpKind::Reciprocal:
        return unary(ScalarOp::Reciprocal);
      case OpKind::Tanh:
        return unary(ScalarOp::Tanh);
      case OpKind::Erf:
        return unary(ScalarOp::Erf);
      case OpKind::NormalCdf:
        return unary(ScalarOp::NormalCdf);
      case OpKind::Sigmoid:
        return unary(ScalarOp::Sigmoid);
      case OpKind::Sin:
        return unary(ScalarOp::Sin);
      case OpKind::Cos:
        return unary(ScalarOp::Cos);
      case OpKind::Tan:
        return unary(ScalarOp::Tan);
      case OpKind::Asin:
        return unary(ScalarOp::Asin);
      case OpKind::Acos:
        return unary(ScalarOp::Acos);
      case OpKind::Atan:
        return unary(ScalarOp::Atan);
      case OpKind::Sinh:
        return unary(ScalarOp::Sinh);
      case OpKind::Cosh:
        return unary(ScalarOp::Cosh);
      case OpKind::Asinh:
        return unary(ScalarOp::Asinh);
      case OpKind::Acosh:
        return unary(ScalarOp::Acosh);
      case OpKind::Atanh:
        return unary(ScalarOp::Atanh);
      case OpKind::ShiftLeft:
        return binary(ScalarOp::Shl);
      case OpKind::ShiftRight:
        return binary(ScalarOp::Shr);
      case OpKind::BitCast:
        return bits(*dtype_named(op_.text("to", "")), args_[0]);
      case OpKind::Floor:
        return unary(ScalarOp::Floor);
      case OpKind::Ceil:
        return unary(ScalarOp::Ceil);
      case OpKind::Round:
        return unary(ScalarOp::Round);
      case OpKind::IsNaN:
        return unary(ScalarOp::IsNan);
      case OpKind::Where:
        return apply(ScalarOp::Select, args_);
      case OpKind::Cast:
        return converted(*dtype_named(op_.text("to", "")));
      default:
        return activation();
    }
  }

 private:
  Scalar activation() const {
    const Scalar& x = args_[0];
    switch (op_.kind) {
      case OpKind::Relu:
        return apply(ScalarOp::Max, {x, number(0)});
      case OpKind::LeakyRelu:
        return below_zero(times(number(op_.number("alpha", 0.01)), x));
      case OpKind::PRelu:
        return below_zero(times(args_[1], x));
      case OpKind::Elu: {
        Scalar grown = apply(ScalarOp::Sub, {apply(ScalarOp::Exp, {x}), number(1)});
        return below_zero(times(number(op_.number("alpha", 1)), grown));
      }
      case OpKind::HardSigmoid:
        return hard_sigmoid(op_.number("alpha", 0.2), op_.number("beta", 0.5));
      case OpKind::HardSwish:
        return times(x, hard_sigmoid(1.0 / 6, 0.5));
      case OpKind::Softplus:
        return softplus();
      case OpKind::Clip:
        return clip();
      default:
        break;
    }
    HONE_CHECK(false, "{} is not element-wise", name_of(op_.kind));
  }

  Scalar converted(DType to) const {
    const Scalar& x = args_[0];
    if (x->type == to) return x;
    Scalar number = is_storage(x->type) ? from_storage(x) : x;
    if (!is_storage(to)) return cast(to, number);
    StorageRounding rounding{.saturate = op_.integer("saturate", 1) != 0};
    std::string mode = op_.text("round_mode", "up");
    if (mode == "nearest") rounding.to = StorageRounding::To::Nearest;
    if (mode == "down") rounding.to = StorageRounding::To::Down;
    return to_storage(to, number, rounding);
  }

  Scalar hard_sigmoid(double alpha, double beta) const {
    Scalar line = apply(ScalarOp::Add, {times(number(alpha), args_[0]), number(beta)});
    return apply(ScalarOp::Max, {number(0), apply(ScalarOp::Min, {number(1), line})});
  }

  // log(1 + exp(x)) in the form that does not overflow.
  Scalar softplus() const {
    Scalar small = apply(ScalarOp::Exp, {apply(ScalarOp::Neg, {apply(ScalarOp::Abs, {args_[0]})})});
    Scalar log = apply(ScalarOp::Log, {apply(ScalarOp::Add, {number(1), small})});
    return apply(ScalarOp::Add, {apply(ScalarOp::Max, {args_[0], number(0)}), log});
  }

  Scalar clip() const {
    Scalar x = args_[0];
    if (op_.attributes.count("min")) x = apply(ScalarOp::Max, {x, number(op_.number("min", 0))});
    if (op_.attributes.count("max")) x = apply(ScalarOp::Min, {x, number(op_.number("max", 0))});
    return x;
  }

  // x where x is not negative, else the given value.
  Scalar below_zero(Scalar value) const {
    return apply(ScalarOp::Select, {apply(ScalarOp::Less, {args_[0], number(0)}), std::move(value), args_[0]});
  }

  Scalar number(double value) const { return constant(args_[0]->type, value); }
  static Scalar times(Scalar a, Scalar b) { return apply(ScalarOp::Mul, {std::move(a), std::move(b)}); }
  Scalar unary(ScalarOp op) const { return apply(op, {args_[0]}); }
  Scalar binary(ScalarOp op) const { return apply(op, {args_[0], args_[1]}); }

  const Op& op_;
  std::vector<Scalar> args_;
};

}  // namespace

Indexed elementwise_meaning(const Program& program, const Op& op) {
  const TensorType& result = program.type(op.outputs[0]);
  Indexed meaning;
  meaning.axes = result_axes(result.shape);
  meaning.type = result.dtype;
  std::vector<Scalar> args;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const TensorType& type = input_type(program, op, i);
    meaning.accesses.push_back({static_cast<int>(i), broadcast_index(type.shape, result.shape), {}});
    args.push_back(access_value(type.dtype, static_cast<int>(i)));
  }
  meaning.body = Body(op, std::move(args)).build();
  return meaning;
}

}  // namespace hone::ir
