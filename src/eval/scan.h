// Evaluation of scans and loops: the step program, once per slice or round. Part of the interpreter.
#pragma once

#include "eval/interpreter.h"

namespace hone::eval {

// A body of the program, which sees its symbols.
template <typename D>
Result<std::vector<Array<D>>> evaluate_within(D& domain, const ir::Program& body, std::vector<Array<D>> inputs,
                                              const Sizes& sizes);

template <typename D>
Result<std::vector<Array<D>>> evaluate_scan(D& domain, const ir::Program& program, const ir::Op& op,
                                            const Operands<D>& operands, const Sizes& sizes);

template <typename D>
Result<std::vector<Array<D>>> evaluate_loop(D& domain, const ir::Program& program, const ir::Op& op,
                                            const Operands<D>& operands, const Sizes& sizes);

}  // namespace hone::eval
