#include "eval/interpreter.h"

#include "eval/library_op.h"
#include "eval/scan.h"

namespace hone::eval {
namespace {

std::string label_of(const ir::Op& op) {
  return fmt::format("{} node '{}'", ir::name_of(op.kind), op.name);
}

template <typename D>
class Interpreter {
 public:
  Interpreter(D& domain, const ir::Program& program, Sizes sizes)
      : domain_(domain),
        program_(program),
        sizes_(std::move(sizes)),
        values_(program.values.size()),
        uses_(program.values.size(), 0) {
    for (const ir::Op& op : program.ops)
      for (ir::ValueId id : op.inputs)
        if (id != ir::kAbsent) ++uses_[static_cast<size_t>(id)];
    for (ir::ValueId id : program.outputs) ++uses_[static_cast<size_t>(id)];
  }

  Result<std::vector<Array<D>>> run(std::vector<Array<D>> inputs) {
    HONE_PASS(take_inputs(std::move(inputs)));
    for (const ir::Op& op : program_.ops) HONE_PASS(run_op(op));
    std::vector<Array<D>> results;
    for (ir::ValueId id : program_.outputs) results.push_back(*value(id));
    return results;
  }

 private:
  Status take_inputs(std::vector<Array<D>> inputs) {
    if (inputs.size() != program_.inputs.size())
      return error("program '{}' takes {} inputs, got {}", program_.name, program_.inputs.size(), inputs.size());
    for (size_t k = 0; k < inputs.size(); ++k) {
      const ir::Value& declared = program_.values[static_cast<size_t>(program_.inputs[k])];
      std::string what = fmt::format("input '{}'", declared.name);
      if (declared.type.dtype != inputs[k].dtype)
        return error("{} must be {}, is {}", what, ir::name_of(declared.type.dtype), ir::name_of(inputs[k].dtype));
      HONE_PASS(bind_sizes(what, declared.type.shape, inputs[k].shape, sizes_));
      values_[static_cast<size_t>(program_.inputs[k])] = std::move(inputs[k]);
    }
    return Done{};
  }

  // A computed value or input, or a constant, which is read when it is first used.
  const Array<D>* value(ir::ValueId id) {
    std::optional<Array<D>>& slot = values_[static_cast<size_t>(id)];
    const ir::Value& declared = program_.values[static_cast<size_t>(id)];
    if (!slot && declared.constant)
      slot =
          to_array(domain_, tensor_of(declared.type.dtype, shape_of(declared.type.shape, sizes_), *declared.constant));
    HONE_CHECK(slot, "value '{}' is read before it is computed", declared.name);
    return &*slot;
  }

  Status run_op(const ir::Op& op) {
    Operands<D> operands;
    for (ir::ValueId id : op.inputs) operands.push_back(id == ir::kAbsent ? nullptr : value(id));
    HONE_TRY(std::vector<Array<D>> results, evaluate_op(domain_, program_, op, operands, sizes_));
    for (size_t k = 0; k < op.outputs.size(); ++k)
      if (op.outputs[k] != ir::kAbsent) values_[static_cast<size_t>(op.outputs[k])] = std::move(results[k]);
    for (ir::ValueId id : op.inputs)
      if (id != ir::kAbsent && --uses_[static_cast<size_t>(id)] == 0) values_[static_cast<size_t>(id)].reset();
    return Done{};
  }

  D& domain_;
  const ir::Program& program_;
  Sizes sizes_;
  std::vector<std::optional<Array<D>>> values_;
  std::vector<int> uses_;
};

template <typename D>
std::vector<Array<D>> copies(const Operands<D>& operands, size_t from) {
  std::vector<Array<D>> result;
  for (size_t k = from; k < operands.size(); ++k)
    if (operands[k]) result.push_back(*operands[k]);
  return result;
}

template <typename D>
Result<std::vector<Array<D>>> trimmed(D& domain, const ir::Op& op, const Operands<D>& operands) {
  const Array<D>& whole = *operands[0];
  size_t axis = static_cast<size_t>(op.integer("axis", 0));
  int64_t count = domain.whole_of(operands[1]->data.at(0)), size = whole.shape[axis];
  if (count < 0 || count > size) return error("{}: {} of {} elements cannot be kept", label_of(op), count, size);
  Array<D> result{whole.dtype, whole.shape, {}};
  result.shape[axis] = count;
  int64_t inner = 1;
  for (size_t d = axis + 1; d < whole.shape.size(); ++d) inner *= whole.shape[d];
  for (int64_t k = 0; k < count_of(whole.shape); ++k)
    if (k / inner % size < count) result.data.push_back(whole.data[static_cast<size_t>(k)]);
  return std::vector<Array<D>>{std::move(result)};
}

template <typename D>
Result<std::vector<Array<D>>> evaluate_library(D& domain, const ir::Program& program, const ir::Op& op,
                                               const Operands<D>& operands, const Sizes& sizes) {
  HONE_TRY(std::vector<ir::TensorType> types, infer_types(program, op));
  ir::LibraryMeaning meaning = library_meaning(program, op);
  std::vector<int64_t> integers;
  for (const ir::Index& integer : meaning.integers) integers.push_back(size_of(integer, sizes));
  std::vector<Array<D>> results;
  for (const ir::TensorType& type : types) results.push_back(empty_array<D>(type.dtype, shape_of(type.shape, sizes)));
  std::vector<Array<D>*> pointers;
  for (Array<D>& result : results) pointers.push_back(&result);
  auto status = run_library(domain, meaning.function, integers, operands, pointers);
  if (!status.ok()) return error("{}: {}", label_of(op), status.problem().message);
  return results;
}

template <typename D>
Result<std::vector<Array<D>>> evaluate_kind(D& domain, const ir::Program& program, const ir::Op& op,
                                            const Operands<D>& operands, const Sizes& sizes) {
  switch (ir::meaning_kind(op.kind)) {
    case ir::MeaningKind::Indexed:
      return std::vector<Array<D>>{IndexedCode<D>(domain, ir::indexed_meaning(program, op), operands, sizes).all()};
    case ir::MeaningKind::View: {
      ViewCode<D> view(domain, ir::view_meaning(program, op), program.type(op.outputs[0]), operands, sizes);
      if (op.kind == ir::OpKind::Reshape && count_of(view.shape()) != count_of(operands[0]->shape))
        return error("{}: {} cannot become {}; these sizes do not fit together", label_of(op),
                     text_of(operands[0]->shape), text_of(view.shape()));
      return std::vector<Array<D>>{view.all()};
    }
    case ir::MeaningKind::Composite:
      return Interpreter<D>(domain, ir::composite_body(program, op), sizes).run(copies(operands, 0));
    case ir::MeaningKind::Scan:
      return evaluate_scan(domain, program, op, operands, sizes);
    case ir::MeaningKind::Control: {
      if (op.kind == ir::OpKind::Loop) return evaluate_loop(domain, program, op, operands, sizes);
      bool taken = domain.whole_of(operands[0]->data.at(0)) != 0;
      return Interpreter<D>(domain, op.bodies[taken ? 0 : 1], sizes).run(copies(operands, 1));
    }
    case ir::MeaningKind::Trim:
      return trimmed(domain, op, operands);
    case ir::MeaningKind::Library:
      return evaluate_library(domain, program, op, operands, sizes);
  }
  HONE_CHECK(false, "unknown kind of meaning");
}

}  // namespace

template <typename D>
Result<std::vector<Array<D>>> evaluate_within(D& domain, const ir::Program& program, std::vector<Array<D>> inputs,
                                              const Sizes& sizes) {
  return Interpreter<D>(domain, program, sizes).run(std::move(inputs));
}

template <typename D>
Result<std::vector<Array<D>>> evaluate(D& domain, const ir::Program& program, std::vector<Array<D>> inputs) {
  return evaluate_within(domain, program, std::move(inputs), {});
}

template <typename D>
Result<std::vector<Array<D>>> evaluate_op(D& domain, const ir::Program& program, const ir::Op& op,
                                          const Operands<D>& operands, Sizes& sizes) {
  auto results = evaluate_kind(domain, program, op, operands, sizes);
  if (!results.ok()) return results;
  if (domain.problem) return error("{}: in the {} domain: {}", label_of(op), D::kName, *domain.problem);
  for (size_t k = 0; k < op.outputs.size(); ++k)
    if (op.outputs[k] != ir::kAbsent)
      HONE_PASS(bind_sizes(fmt::format("result {} of {}", k, label_of(op)), program.type(op.outputs[k]).shape,
                           (*results)[k].shape, sizes));
  return results;
}

template <typename D>
Result<std::vector<Tensor>> evaluate_as(const ir::Program& program, const std::vector<Tensor>& inputs) {
  D domain;
  std::vector<Array<D>> arrays;
  for (const Tensor& tensor : inputs) arrays.push_back(to_array(domain, tensor));
  HONE_TRY(std::vector<Array<D>> results, evaluate(domain, program, std::move(arrays)));
  std::vector<Tensor> tensors;
  for (const Array<D>& array : results) tensors.push_back(to_tensor(domain, array));
  return tensors;
}

Result<std::vector<Tensor>> evaluate(const ir::Program& program, const std::vector<Tensor>& inputs) {
  return evaluate_as<Declared>(program, inputs);
}

#define HONE_DOMAIN(D)                                                                                                 \
  template Result<std::vector<Array<D>>> evaluate_within(D&, const ir::Program&, std::vector<Array<D>>, const Sizes&); \
  template Result<std::vector<Array<D>>> evaluate(D&, const ir::Program&, std::vector<Array<D>>);                      \
  template Result<std::vector<Array<D>>> evaluate_op(D&, const ir::Program&, const ir::Op&, const Operands<D>&, Sizes&);
HONE_DOMAIN(Declared)
HONE_DOMAIN(Double)
HONE_DOMAIN(ExactInteger)
HONE_DOMAIN(Residue)
HONE_DOMAIN(Bounded)
#undef HONE_DOMAIN
template Result<std::vector<Tensor>> evaluate_as<Declared>(const ir::Program&, const std::vector<Tensor>&);
template Result<std::vector<Tensor>> evaluate_as<Double>(const ir::Program&, const std::vector<Tensor>&);
template Result<std::vector<Tensor>> evaluate_as<ExactInteger>(const ir::Program&, const std::vector<Tensor>&);

}  // namespace hone::eval
