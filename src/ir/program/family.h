// Families: operators whose types are inferred, and whose meaning is built, by the same code. Private to this folder.
#pragma once

#include "ir/program/meaning.h"

namespace hone::ir {

enum class Family {
  Elementwise,
  Reduction,
  Contraction,
  Window,
  Movement,
  View,
  Composite,
  Scan,
  Library,
  Control,
  Trim,
};
Family family_of(OpKind kind);

using Types = std::vector<TensorType>;

Result<Types> infer_elementwise(const Program& program, const Op& op);
Result<Types> infer_reduction(const Program& program, const Op& op);
Result<Types> infer_contraction(const Program& program, const Op& op);
Result<Types> infer_window(const Program& program, const Op& op);
Result<Types> infer_movement(const Program& program, const Op& op);
Result<Types> infer_view(const Program& program, const Op& op);
Result<Types> infer_composite(const Program& program, const Op& op);
Result<Types> infer_scan(const Program& program, const Op& op);
Result<Types> infer_library(const Program& program, const Op& op);
Result<Types> infer_control(const Program& program, const Op& op);
Result<Types> infer_trim(const Program& program, const Op& op);

Indexed elementwise_meaning(const Program& program, const Op& op);
Indexed reduction_meaning(const Program& program, const Op& op);
Indexed contraction_meaning(const Program& program, const Op& op);
Indexed window_meaning(const Program& program, const Op& op);
Indexed movement_meaning(const Program& program, const Op& op);
Indexed max_pool_indices_meaning(const Program& program, const Op& op);
Indexed col2im_meaning(const Program& program, const Op& op);

}  // namespace hone::ir
