#include "eval/scan.h"

namespace hone::eval {

// Slices of rounds that did not take place stay zero: who stacks slices knows that every round does.
template <typename D>
Result<std::vector<Array<D>>> evaluate_loop(D& domain, const ir::Program& program, const ir::Op& op,
                                            const Operands<D>& operands, const Sizes& sizes) {
  const ir::Program& body = op.bodies[0];
  const auto carried = static_cast<size_t>(op.integer("carried", 0));
  const int64_t rounds = domain.whole_of(operands[0]->data.at(0));
  std::vector<Array<D>> values;  // the condition, then what is carried
  for (size_t k = 1; k <= carried + 1; ++k) values.push_back(*operands[k]);
  std::vector<Array<D>> stacks;
  for (size_t k = carried; k < op.outputs.size(); ++k)
    stacks.push_back(to_array(
        domain, zeros(body.type(body.outputs[k + 1]).dtype, shape_of(program.type(op.outputs[k]).shape, sizes))));
  for (int64_t round = 0; round < rounds && domain.whole_of(values[0].data.at(0)) != 0; ++round) {
    std::vector<Array<D>> inputs{to_array(domain, filled(ir::DType::I64, {}, {static_cast<double>(round)}))};
    inputs.insert(inputs.end(), values.begin(), values.end());
    for (size_t k = carried + 2; k < operands.size(); ++k) inputs.push_back(*operands[k]);
    HONE_TRY(std::vector<Array<D>> results, evaluate_within(domain, body, std::move(inputs), sizes));
    for (size_t k = 0; k < stacks.size(); ++k) {
      const Array<D>& slice = results[carried + 1 + k];
      size_t begin = static_cast<size_t>(round) * slice.data.size();
      if (begin + slice.data.size() > stacks[k].data.size())
        return error("loop '{}' takes more rounds than its results hold", op.name);
      std::copy(slice.data.begin(), slice.data.end(), stacks[k].data.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    for (size_t k = 0; k < values.size(); ++k) values[k] = std::move(results[k]);
  }
  std::vector<Array<D>> results(std::make_move_iterator(values.begin() + 1), std::make_move_iterator(values.end()));
  for (Array<D>& stack : stacks) results.push_back(std::move(stack));
  return results;
}

#define HONE_DOMAIN(D)                                                                                            \
  template Result<std::vector<Array<D>>> evaluate_loop(D&, const ir::Program&, const ir::Op&, const Operands<D>&, \
                                                       const Sizes&);
HONE_DOMAIN(Declared)
HONE_DOMAIN(Double)
HONE_DOMAIN(ExactInteger)
HONE_DOMAIN(Residue)
HONE_DOMAIN(Bounded)
#undef HONE_DOMAIN

}  // namespace hone::eval
