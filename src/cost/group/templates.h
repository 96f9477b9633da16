// Templates: the ways in which a group's points can be held in registers. What a template computes is the group itself, because
// `lower` gives every plan the meaning of its kernel; a template tells for which groups its plan is good code, says why it
// refuses the others, and takes its parameters from the group's sizes and the target's registers and caches.
#pragma once

#include <string_view>

#include "cost/group/vector_choice.h"

namespace hone::cost {

struct Template {
  std::string_view name;
  // Empty if it fits.
  std::string (*refusal)(const Space& space, const VectorChoice& vector);
  // Sets tile and unrolling, and the order of the parallel axes where it matters; gives the `over` axis that goes innermost.
  std::string (*fill)(const Space& space, const VectorChoice& vector, ir::GroupPlan& plan);
};

// From the most particular on; the last, which takes one point at a time, refuses nothing.
const std::vector<Template>& templates();

// Whether points along the axis share an operand.
bool has_broadcast(const Space& space, const std::string& axis);

// Whether the plan writes the steps of its reduction out because neighbouring points share what they load.
bool lays_out_taps(const Space& space, const ir::GroupPlan& plan);

// The first that does not refuse.
const Template& fitting_template(const Space& space, const VectorChoice& vector);

// So many vectors of rows along the axis are summed up at once, in registers. Fewer where the rows are of open size: the last ones
// then have masks, which wait for registers too.
int64_t vectors_of_a_strip(const ir::Kernel& kernel, const Use& use, const target::Target& target,
                           const std::string& axis);

}  // namespace hone::cost
