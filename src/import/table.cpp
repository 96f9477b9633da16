// Every ONNX operator that import knows.
#include "import/node_internal.h"

namespace hone::import {
namespace {

using ir::OpKind;

constexpr size_t kAny = 1 << 16;

Result<Values> unreachable(Node& node) {
  HONE_CHECK(false, "{} is handled elsewhere", node.op_type());
}

const Entry kEntries[] = {
    {"Abs", map_plain, OpKind::Abs, 1, 1},
    {"Add", map_broadcast, OpKind::Add, 2, 2},
    {"And", map_broadcast, OpKind::And, 2, 2},
    {"AveragePool", map_pool, OpKind::AveragePool, 1, 1},
    {"BatchNormalization", map_batch_norm, OpKind::BatchNormalization, 5, 5},
    {"Cast", map_cast, OpKind::Cast, 1, 1},
    {"CastLike", map_cast, OpKind::Cast, 2, 2},
    {"Ceil", map_plain, OpKind::Ceil, 1, 1},
    {"Clip", map_clip, OpKind::Clip, 1, 3},
    {"Concat", map_concat, OpKind::Concat, 1, kAny},
    {"Constant", map_constant, OpKind::Identity, 0, 0},
    {"ConstantOfShape", map_constant_of_shape, OpKind::Fill, 1, 1},
    {"Conv", map_conv, OpKind::Conv, 2, 3},
    {"ConvTranspose", map_conv_transpose, OpKind::ConvTranspose, 2, 3},
    {"Cos", map_plain, OpKind::Cos, 1, 1},
    {"CumSum", map_cumsum, OpKind::CumSum, 2, 2},
    {"DepthToSpace", map_depth_to_space, OpKind::Reshape, 1, 1},
    {"Div", map_broadcast, OpKind::Div, 2, 2},
    {"Dropout", map_dropout, OpKind::Identity, 1, 3},
    {"Elu", map_alpha, OpKind::Elu, 1, 1},
    {"Equal", map_broadcast, OpKind::Equal, 2, 2},
    {"Erf", map_plain, OpKind::Erf, 1, 1},
    {"Exp", map_plain, OpKind::Exp, 1, 1},
    {"Expand", map_expand, OpKind::Expand, 2, 2},
    {"Flatten", map_flatten, OpKind::Reshape, 1, 1},
    {"Floor", map_plain, OpKind::Floor, 1, 1},
    {"Gather", map_gather, OpKind::Gather, 2, 2},
    {"GatherElements", map_gather_elements, OpKind::GatherElements, 2, 2},
    {"Gelu", map_gelu, OpKind::Gelu, 1, 1},
    {"Gemm", map_gemm, OpKind::Gemm, 2, 3},
    {"GlobalAveragePool", map_global_pool, OpKind::ReduceMean, 1, 1},
    {"GlobalMaxPool", map_global_pool, OpKind::ReduceMax, 1, 1},
    {"Greater", map_broadcast, OpKind::Greater, 2, 2},
    {"GreaterOrEqual", map_broadcast, OpKind::GreaterOrEqual, 2, 2},
    {"HardSigmoid", map_hard_sigmoid, OpKind::HardSigmoid, 1, 1},
    {"HardSwish", map_plain, OpKind::HardSwish, 1, 1},
    {"Identity", map_identity, OpKind::Identity, 1, 1},
    {"If", unreachable, OpKind::If, 1, 1},
    {"InstanceNormalization", map_instance_norm, OpKind::InstanceNormalization, 3, 3},
    {"IsNaN", map_plain, OpKind::IsNaN, 1, 1},
    {"LSTM", map_lstm, OpKind::Lstm, 3, 8},
    {"LayerNormalization", map_layer_norm, OpKind::LayerNormalization, 2, 3},
    {"LeakyRelu", map_alpha, OpKind::LeakyRelu, 1, 1},
    {"Less", map_broadcast, OpKind::Less, 2, 2},
    {"LessOrEqual", map_broadcast, OpKind::LessOrEqual, 2, 2},
    {"Log", map_plain, OpKind::Log, 1, 1},
    {"LogSoftmax", map_softmax, OpKind::LogSoftmax, 1, 1},
    {"MatMul", map_matmul, OpKind::MatMul, 2, 2},
    {"Max", map_variadic, OpKind::Max, 1, kAny},
    {"MaxPool", map_pool, OpKind::MaxPool, 1, 1},
    {"Mean", map_mean, OpKind::Add, 1, kAny},
    {"Min", map_variadic, OpKind::Min, 1, kAny},
    {"Mish", map_mish, OpKind::Mul, 1, 1},
    {"Mod", map_mod, OpKind::Mod, 2, 2},
    {"Mul", map_broadcast, OpKind::Mul, 2, 2},
    {"Neg", map_plain, OpKind::Neg, 1, 1},
    {"Not", map_plain, OpKind::Not, 1, 1},
    {"Or", map_broadcast, OpKind::Or, 2, 2},
    {"PRelu", map_plain, OpKind::PRelu, 2, 2},
    {"Pad", map_pad, OpKind::Pad, 1, 4},
    {"Pow", map_pow, OpKind::Pow, 2, 2},
    {"RMSNormalization", map_layer_norm, OpKind::RMSNormalization, 2, 2},
    {"Range", map_range, OpKind::Range, 3, 3},
    {"Reciprocal", map_plain, OpKind::Reciprocal, 1, 1},
    {"ReduceL1", map_reduce, OpKind::ReduceL1, 1, 2},
    {"ReduceL2", map_reduce, OpKind::ReduceL2, 1, 2},
    {"ReduceLogSum", map_reduce, OpKind::ReduceSum, 1, 2},
    {"ReduceMax", map_reduce, OpKind::ReduceMax, 1, 2},
    {"ReduceMean", map_reduce, OpKind::ReduceMean, 1, 2},
    {"ReduceMin", map_reduce, OpKind::ReduceMin, 1, 2},
    {"ReduceProd", map_reduce, OpKind::ReduceProd, 1, 2},
    {"ReduceSum", map_reduce, OpKind::ReduceSum, 1, 2},
    {"ReduceSumSquare", map_reduce, OpKind::ReduceSumSquare, 1, 2},
    {"Relu", map_plain, OpKind::Relu, 1, 1},
    {"Reshape", map_reshape, OpKind::Reshape, 2, 2},
    {"Resize", map_resize, OpKind::Resize, 1, 4},
    {"Round", map_plain, OpKind::Round, 1, 1},
    {"Sigmoid", map_plain, OpKind::Sigmoid, 1, 1},
    {"Sign", map_plain, OpKind::Sign, 1, 1},
    {"Sin", map_plain, OpKind::Sin, 1, 1},
    {"Slice", map_slice, OpKind::Slice, 1, 5},
    {"Softmax", map_softmax, OpKind::Softmax, 1, 1},
    {"Softplus", map_plain, OpKind::Softplus, 1, 1},
    {"SpaceToDepth", map_space_to_depth, OpKind::Reshape, 1, 1},
    {"Split", map_split, OpKind::Slice, 1, 2},
    {"Sqrt", map_plain, OpKind::Sqrt, 1, 1},
    {"Squeeze", map_squeeze, OpKind::Reshape, 1, 2},
    {"Sub", map_broadcast, OpKind::Sub, 2, 2},
    {"Sum", map_variadic, OpKind::Add, 1, kAny},
    {"Tanh", map_plain, OpKind::Tanh, 1, 1},
    {"Tile", map_tile, OpKind::Expand, 2, 2},
    {"Transpose", map_transpose, OpKind::Transpose, 1, 1},
    {"Unsqueeze", map_unsqueeze, OpKind::Reshape, 1, 2},
    {"Upsample", map_resize, OpKind::Resize, 1, 2},
    {"Where", map_broadcast, OpKind::Where, 3, 3},
    {"Xor", map_broadcast, OpKind::Xor, 2, 2},
};

}  // namespace

const Entry* find_entry(const std::string& op_type) {
  for (const Entry& entry : kEntries)
    if (op_type == entry.op_type) return &entry;
  return nullptr;
}

}  // namespace hone::import
