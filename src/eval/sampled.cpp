#include "eval/interpreter.h"

namespace hone::eval {
namespace {

std::vector<int64_t> point_of(int64_t number, const std::vector<int64_t>& shape) {
  std::vector<int64_t> point(shape.size());
  for (size_t i = shape.size(); i-- > 0; number /= shape[i]) point[i] = number % shape[i];
  return point;
}

double as_double(Double& domain, ir::DType type, Cell value) {
  return ir::is_float(type) ? domain.real_of(value) : to_real(type, domain.whole_of(value));
}

template <typename Code>
std::vector<double> sample(Double& domain, Code code, ir::DType type, const std::vector<int64_t>& points) {
  std::vector<double> values;
  for (int64_t point : points) values.push_back(as_double(domain, type, code.at(point_of(point, code.shape()))));
  return values;
}

}  // namespace

Result<std::vector<double>> evaluate_at(const ir::Program& program, const ir::Op& op,
                                        const std::vector<Tensor>& operands, const Sizes& sizes,
                                        const std::vector<int64_t>& points) {
  Double domain;
  std::vector<Array<Double>> arrays;
  for (const Tensor& operand : operands) arrays.push_back(to_array(domain, operand));
  Operands<Double> given;
  size_t next = 0;
  for (ir::ValueId id : op.inputs) given.push_back(id == ir::kAbsent ? nullptr : &arrays.at(next++));
  const ir::TensorType& type = program.type(op.outputs[0]);
  std::vector<double> values;
  if (ir::meaning_kind(op.kind) == ir::MeaningKind::Indexed) {
    values =
        sample(domain, IndexedCode<Double>(domain, ir::indexed_meaning(program, op), given, sizes), type.dtype, points);
  } else if (ir::meaning_kind(op.kind) == ir::MeaningKind::View) {
    values =
        sample(domain, ViewCode<Double>(domain, ir::view_meaning(program, op), type, given, sizes), type.dtype, points);
  } else {
    Sizes local = sizes;
    HONE_TRY(std::vector<Array<Double>> results, evaluate_op(domain, program, op, given, local));
    for (int64_t point : points)
      values.push_back(as_double(domain, type.dtype, results[0].data.at(static_cast<size_t>(point))));
  }
  if (domain.problem) return error("{} node '{}': {}", ir::name_of(op.kind), op.name, *domain.problem);
  return values;
}

Array<Residue> random_residues(Residue& domain, const ir::TensorType& type, const Sizes& sizes, Rng& rng) {
  Array<Residue> array = empty_array<Residue>(type.dtype, shape_of(type.shape, sizes));
  for (auto& number : array.data)
    number = ir::is_float(type.dtype) ? domain.prime_field().random(rng) : domain.whole(type.dtype, rng.below(2));
  return array;
}

}  // namespace hone::eval
