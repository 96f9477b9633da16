// Evaluation of Programs in any number domain: obviously right rather than fast. Composites and scans are evaluated by
// their bodies, If by the body that is taken.
#pragma once

#include "eval/array.h"
#include "eval/indexed_code.h"
#include "eval/sizes.h"
#include "ir/program/meaning.h"

namespace hone::eval {

// Symbols get their values from the shapes of the inputs. Instantiated for all domains.
template <typename D>
Result<std::vector<Array<D>>> evaluate(D& domain, const ir::Program& program, std::vector<Array<D>> inputs);

// One op on actual operands. `sizes` gives the symbols of the program; sizes that depend on data are added to it.
template <typename D>
Result<std::vector<Array<D>>> evaluate_op(D& domain, const ir::Program& program, const ir::Op& op,
                                          const Operands<D>& operands, Sizes& sizes);

// From Tensors to Tensors: in the declared types, or in another domain that has numbers (not Residue).
Result<std::vector<Tensor>> evaluate(const ir::Program& program, const std::vector<Tensor>& inputs);
template <typename D>
Result<std::vector<Tensor>> evaluate_as(const ir::Program& program, const std::vector<Tensor>& inputs);

// The first result of an op, as doubles computed in the Double domain, at the given points (row-major numbers of its
// elements). Judges one op of a large model on its real operands.
Result<std::vector<double>> evaluate_at(const ir::Program& program, const ir::Op& op,
                                        const std::vector<Tensor>& operands, const Sizes& sizes,
                                        const std::vector<int64_t>& points);

// Random elements: small integers where a type's values must mean something as they are (integers, bools), residues in
// the prime field.
Array<Residue> random_residues(Residue& domain, const ir::TensorType& type, const Sizes& sizes, Rng& rng);

}  // namespace hone::eval
