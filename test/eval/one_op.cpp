#include "eval/one_op.h"

#include "base/rng.h"

namespace hone::eval {

Tensor absent() {
  return {ir::DType::Bool, {}, {}};
}
bool is_absent(const Tensor& tensor) {
  return tensor.shape.empty() && tensor.bytes.empty();
}

namespace {

ir::ValueId add_input(ir::Program& program, const Tensor& tensor, size_t number,
                      const std::function<bool(size_t, size_t)>& symbolic) {
  ir::TensorType type{tensor.dtype, {}};
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    type.shape.push_back(symbolic && symbolic(number, i) ? ir::Index::symbol(fmt::format("s{}_{}", number, i))
                                                         : ir::Index(tensor.shape[i]));
  ir::ValueId id = program.add_value({fmt::format("x{}", number), type, {}, {}});
  program.inputs.push_back(id);
  return id;
}

Result<ir::Program> build(const OneOp& one, const std::function<bool(size_t, size_t)>& symbolic) {
  ir::Program program;
  program.name = "one";
  ir::Op op{one.kind, "it", {}, {}, one.attributes, one.bodies};
  for (size_t k = 0; k < one.inputs.size(); ++k)
    op.inputs.push_back(is_absent(one.inputs[k]) ? ir::kAbsent : add_input(program, one.inputs[k], k, symbolic));
  ir::TensorType declared;
  if (!one.inputs.empty() && !is_absent(one.inputs[0])) declared.dtype = one.inputs[0].dtype;
  if (auto dtype = ir::dtype_named(op.text("dtype", ""))) declared.dtype = *dtype;
  if (one.shape)
    for (int64_t size : *one.shape) declared.shape.push_back(size);
  for (int k = 0; k < one.outputs; ++k)
    op.outputs.push_back(program.add_value({fmt::format("y{}", k), declared, {}, {}}));
  HONE_TRY(std::vector<ir::TensorType> types, ir::infer_types(program, op));
  for (size_t k = 0; k < op.outputs.size(); ++k) program.values[static_cast<size_t>(op.outputs[k])].type = types.at(k);
  program.outputs = op.outputs;
  program.ops.push_back(std::move(op));
  return program;
}

}  // namespace

ir::Program program_of(const OneOp& op, const std::function<bool(size_t, size_t)>& symbolic) {
  auto program = build(op, symbolic);
  EXPECT_TRUE(program.ok()) << program.problem().message;
  auto valid = ir::validate(*program);
  EXPECT_TRUE(valid.ok()) << valid.problem().message;
  return *program;
}

std::vector<Tensor> given_inputs(const OneOp& op) {
  std::vector<Tensor> given;
  for (const Tensor& tensor : op.inputs)
    if (!is_absent(tensor)) given.push_back(tensor);
  return given;
}

std::vector<Tensor> run_all(const OneOp& op) {
  auto results = evaluate(program_of(op), given_inputs(op));
  EXPECT_TRUE(results.ok()) << results.problem().message;
  return results.ok() ? *results : std::vector<Tensor>(static_cast<size_t>(op.outputs));
}

Tensor run(const OneOp& op) {
  return run_all(op)[0];
}

std::string refusal_of(const OneOp& op) {
  auto program = build(op, nullptr);
  return program.ok() ? "" : program.problem().message;
}

Tensor floats(std::vector<int64_t> shape, const std::vector<double>& values) {
  return filled(ir::DType::F32, std::move(shape), values);
}
Tensor integers(std::vector<int64_t> shape, const std::vector<double>& values) {
  return filled(ir::DType::I64, std::move(shape), values);
}

Tensor some_floats(std::vector<int64_t> shape, uint64_t seed) {
  Rng rng(seed);
  Tensor tensor = zeros(ir::DType::F32, std::move(shape));
  for (int64_t i = 0; i < count_of(tensor.shape); ++i)
    set_element(tensor, i, static_cast<double>(rng.between(-32, 31)) / 8);
  return tensor;
}

Tensor some_integers(std::vector<int64_t> shape, int64_t low, int64_t high, ir::DType type, uint64_t seed) {
  Rng rng(seed);
  Tensor tensor = zeros(type, std::move(shape));
  for (int64_t i = 0; i < count_of(tensor.shape); ++i)
    set_element(tensor, i, static_cast<double>(rng.between(low, high)));
  return tensor;
}

void expect_values(const Tensor& tensor, const std::vector<int64_t>& shape, const std::vector<double>& values,
                   double tolerance) {
  ASSERT_EQ(tensor.shape, shape);
  std::vector<double> got = values_of(tensor);
  ASSERT_EQ(got.size(), values.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(values[i]) || std::isinf(values[i]) || tolerance == 0) {
      EXPECT_TRUE(got[i] == values[i] || (std::isnan(got[i]) && std::isnan(values[i])))
          << "element " << i << ": " << got[i] << " for " << values[i];
    } else {
      EXPECT_NEAR(got[i], values[i], tolerance) << "element " << i;
    }
  }
}

}  // namespace hone::eval
