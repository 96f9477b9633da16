#include "eval/op_samples.h"

namespace hone::eval {
namespace {

using ir::DType;
using ir::OpKind;
using Ints = std::vector<int64_t>;

Tensor bools(Ints shape, uint64_t seed = 1) {
  return some_integers(std::move(shape), 0, 1, DType::Bool, seed);
}
Tensor positive(Ints shape) {
  return some_integers(std::move(shape), 1, 4, DType::F32);
}

OneOp negating_if() {
  ir::Program body;
  body.name = "branch";
  ir::TensorType type{DType::F32, {3}};
  body.inputs = {body.add_value({"x", type, {}, {}})};
  body.outputs = {body.add_value({"y", type, {}, {}})};
  body.ops = {{OpKind::Neg, "negate", body.inputs, body.outputs, {}, {}}};
  return {OpKind::If, {filled(DType::Bool, {}, {1}), some_floats({3})}, {}, {}, {body, body}};
}

// state + slice, and the state before it as a slice.
OneOp adding_scan() {
  ir::Program step;
  step.name = "step";
  ir::TensorType type{DType::F32, {3}};
  ir::ValueId state = step.add_value({"state", type, {}, {}}), slice = step.add_value({"slice", type, {}, {}});
  ir::ValueId sum = step.add_value({"sum", type, {}, {}}), old = step.add_value({"old", type, {}, {}});
  step.inputs = {state, slice};
  step.outputs = {sum, old};
  step.ops = {{OpKind::Add, "sum", {state, slice}, {sum}, {}, {}}, {OpKind::Identity, "old", {state}, {old}, {}, {}}};
  Attributes attributes{
      {"states", int64_t{1}}, {"axes", Ints{1}}, {"reverse", Ints{1}}, {"out_axes", Ints{0}}, {"out_reverse", Ints{0}}};
  return {OpKind::Scan, {some_floats({3}), some_floats({3, 2})}, attributes, {}, {step}, 2};
}

// Doubles a value as long as it is below a bound, three times at most.
OneOp doubling_loop() {
  ir::Program body;
  body.name = "body";
  ir::TensorType number{DType::F32, {}}, flag{DType::Bool, {}};
  ir::ValueId round = body.add_value({"round", {DType::I64, {}}, {}, {}}), go = body.add_value({"go", flag, {}, {}});
  ir::ValueId x = body.add_value({"x", number, {}, {}}), bound = body.add_value({"bound", number, {}, {}});
  ir::ValueId twice = body.add_value({"twice", number, {}, {}}), on = body.add_value({"on", flag, {}, {}});
  body.inputs = {round, go, x, bound};
  body.outputs = {on, twice};
  body.ops = {{OpKind::Add, "twice", {x, x}, {twice}, {}, {}}, {OpKind::Less, "on", {twice, bound}, {on}, {}, {}}};
  Attributes attributes{{"carried", int64_t{1}}};
  return {OpKind::Loop,
          {integers({}, {3}), filled(DType::Bool, {}, {1}), floats({}, {1}), floats({}, {3})},
          attributes,
          {},
          {body}};
}

}  // namespace

std::vector<OpKind> all_kinds() {
  return {
#define HONE_OP(name, text, kind, min_inputs, max_inputs) OpKind::name,
#include "ir/ops.def"
#undef HONE_OP
  };
}

OneOp sample_of(OpKind kind) {
  Tensor x = some_floats({2, 3}), y = some_floats({3}, 2), image = some_floats({1, 2, 5, 5});
  switch (kind) {
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
    case OpKind::Min:
    case OpKind::Max:
    case OpKind::Equal:
    case OpKind::Less:
    case OpKind::LessOrEqual:
    case OpKind::Greater:
    case OpKind::GreaterOrEqual:
    case OpKind::PRelu:
      return {kind, {x, y}};
    case OpKind::Div:
    case OpKind::Pow:
      return {kind, {x, positive({3})}};
    case OpKind::Mod:
      return {kind, {some_integers({2, 3}, -9, 9), some_integers({3}, 1, 4)}};
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Xor:
      return {kind, {bools({2, 3}), bools({3}, 2)}};
    case OpKind::Not:
      return {kind, {bools({3})}};
    case OpKind::Log:
    case OpKind::Sqrt:
    case OpKind::Reciprocal:
      return {kind, {positive({2, 3})}};
    case OpKind::Neg:
    case OpKind::Abs:
    case OpKind::Sign:
    case OpKind::Exp:
    case OpKind::Tanh:
    case OpKind::Erf:
    case OpKind::NormalCdf:
    case OpKind::Sigmoid:
    case OpKind::Sin:
    case OpKind::Cos:
    case OpKind::Floor:
    case OpKind::Ceil:
    case OpKind::Round:
    case OpKind::IsNaN:
    case OpKind::Relu:
    case OpKind::LeakyRelu:
    case OpKind::Elu:
    case OpKind::HardSigmoid:
    case OpKind::HardSwish:
    case OpKind::Softplus:
    case OpKind::Identity:
    case OpKind::Softmax:
    case OpKind::LogSoftmax:
    case OpKind::Gelu:
    case OpKind::CumSum:
    case OpKind::Tan:
    case OpKind::Atan:
    case OpKind::Sinh:
    case OpKind::Cosh:
    case OpKind::Asinh:
      return {kind, {x}};
    case OpKind::Asin:
    case OpKind::Acos:
    case OpKind::Atanh:
      return {kind, {floats({2, 3}, {-0.9, -0.5, 0, 0.125, 0.5, 0.75})}};
    case OpKind::Acosh:
      return {kind, {positive({2, 3})}};
    case OpKind::ShiftLeft:
    case OpKind::ShiftRight:
      return {kind, {some_integers({2, 3}, -9, 9), some_integers({3}, 0, 4)}};
    case OpKind::BitCast:
      return {kind, {x}, {{"to", std::string("i32")}}};
    case OpKind::CumProd:
      return {kind, {x, floats({3}, {1, 1, 1})}};
    case OpKind::Clip:
      return {kind, {x}, {{"min", -1.0}, {"max", 2.0}}};
    case OpKind::Where:
      return {kind, {bools({2, 3}), x, y}};
    case OpKind::Cast:
      return {kind, {x}, {{"to", std::string("i32")}}};
    case OpKind::ReduceSum:
    case OpKind::ReduceMean:
    case OpKind::ReduceMax:
    case OpKind::ReduceMaxNumber:
    case OpKind::ReduceMin:
    case OpKind::ReduceProd:
    case OpKind::ReduceSumSquare:
    case OpKind::ReduceL1:
    case OpKind::ReduceL2:
      return {kind, {x}, {{"axes", Ints{1}}}};
    case OpKind::MatMul:
    case OpKind::Gemm:
      return {kind, {x, some_floats({3, 5}, 2)}};
    case OpKind::Conv:
      return {kind, {image, some_floats({3, 2, 3, 3}), y}, {{"pads", Ints{1, 1, 1, 1}}}};
    case OpKind::ConvTranspose:
      return {kind, {image, some_floats({2, 3, 3, 2}), y}, {{"strides", Ints{2, 2}}}};
    case OpKind::MaxPool:
    case OpKind::AveragePool:
    case OpKind::LpPool:
      return {kind, {image}, {{"kernel_shape", Ints{3, 2}}, {"pads", Ints{1, 0, 1, 1}}}};
    case OpKind::MaxPoolIndices: {
      Attributes window = {{"kernel_shape", Ints{3, 2}}, {"pads", Ints{1, 0, 1, 1}}, {"storage_order", int64_t{1}}};
      return {kind, {image, run({OpKind::MaxPool, {image}, window})}, window};
    }
    case OpKind::Col2Im:
      return {kind, {some_floats({1, 2, 2, 3, 4, 3})}, {}, Ints{1, 2, 5, 5}};
    case OpKind::Gather:
      return {kind, {x, some_integers({4}, -2, 1)}};
    case OpKind::GatherElements:
      return {kind, {x, some_integers({2, 3}, -2, 1)}};
    case OpKind::GatherND:
      return {kind, {x, some_integers({4, 2}, -2, 1)}};
    case OpKind::GatherPoints:
      return {kind, {image, some_integers({1, 3}, -1, 5), some_integers({1, 3}, -1, 5, DType::I64, 2)}};
    case OpKind::TopK:
      return {kind, {x}, {{"axis", int64_t{1}}}, Ints{2, 2}, {}, 2};
    case OpKind::ScatterElements:
      return {kind, {x, some_integers({2, 3}, -2, 1), some_floats({2, 3}, 3)}, {{"reduction", std::string("add")}}};
    case OpKind::ScatterND:
      return {kind, {x, integers({2, 1}, {1, -2}), some_floats({2, 3}, 3)}};
    case OpKind::Det:
      return {kind, {some_floats({2, 3, 3})}};
    case OpKind::RoiAlign:
      return {kind,
              {image, floats({2, 4}, {0, 0, 4, 4, 1, 1, 3, 2}), integers({2}, {0, 0})},
              {{"output_height", int64_t{2}}, {"output_width", int64_t{2}}}};
    case OpKind::NonZero:
      return {kind, {integers({2, 3}, {0, 1, 0, 2, 0, 3})}, {}, {}, {}, 2};
    case OpKind::Unique:
      return {kind, {integers({5}, {2, 1, 2, 4, 1})}, {}, {}, {}, 5};
    case OpKind::NonMaxSuppression:
      return {kind,
              {floats({1, 2, 4}, {0, 0, 1, 1, 0, 0, 1, 0.9}), floats({1, 1, 2}, {0.5, 0.75}), integers({}, {2}),
               floats({}, {0.5}), floats({}, {0})},
              {{"scored", int64_t{1}}},
              Ints{2, 3},
              {},
              2};
    case OpKind::Trim:
      return {kind, {x, integers({}, {1})}, {{"axis", int64_t{0}}}, Ints{1, 3}};
    case OpKind::Pad:
      return {kind, {x}, {{"pads", Ints{1, 0, 0, 2}}, {"value", 0.5}}};
    case OpKind::Range:
      return {kind, {}, {{"start", 1.0}, {"delta", 0.5}, {"dtype", std::string("f32")}}, Ints{5}};
    case OpKind::Fill:
      return {kind, {}, {{"value", 2.5}, {"dtype", std::string("f32")}}, Ints{2, 2}};
    case OpKind::Resize:
      return {kind, {x}, {{"numerators", Ints{2, 3}}, {"denominators", Ints{1, 2}}, {"mode", std::string("linear")}}};
    case OpKind::Reshape:
      return {kind, {x}, {}, Ints{3, 2}};
    case OpKind::Transpose:
      return {kind, {x}, {{"perm", Ints{1, 0}}}};
    case OpKind::Slice:
      return {kind, {x}, {{"starts", Ints{1, 0}}, {"steps", Ints{1, 2}}}, Ints{1, 2}};
    case OpKind::Expand:
      return {kind, {y}, {}, Ints{2, 3}};
    case OpKind::Concat:
      return {kind, {x, some_floats({1, 3})}, {{"axis", int64_t{0}}}};
    case OpKind::LayerNormalization:
      return {kind, {x, y, y}};
    case OpKind::RMSNormalization:
      return {kind, {x, y}};
    case OpKind::BatchNormalization:
      return {kind, {x, y, y, y, positive({3})}};
    case OpKind::InstanceNormalization:
      return {kind, {image, some_floats({2}), some_floats({2}, 2)}};
    case OpKind::Lstm:
      return {kind, {some_floats({3, 2, 2}), some_floats({1, 12, 2}), some_floats({1, 12, 3})}, {}, {}, {}, 3};
    case OpKind::LinearAttention:
      return {kind,
              {some_floats({2, 3, 2, 2, 3}), some_integers({2, 3, 2, 3}, -1, 1, DType::F32), some_floats({2, 3, 2, 2}),
               some_floats({2, 2, 3, 2}), some_integers({2, 3, 2, 1}, -2, 0, DType::F32),
               some_integers({2, 3, 1}, 0, 1, DType::F32)},
              {{"scale", 0.5}},
              {},
              {},
              2};
    case OpKind::If:
      return negating_if();
    case OpKind::Scan:
      return adding_scan();
    case OpKind::Loop:
      return doubling_loop();
  }
  return {};
}

}  // namespace hone::eval
