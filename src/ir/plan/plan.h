// Plan: how much. It binds every number and name that the µGraph leaves open. Partial plans are filled by
// cost::complete; validate refuses an incomplete one; lower only reads.
//
//   plan   := 'plan' kernel '{' line* '}'
//   line   := 'set' parameter '=' integer
//           | 'pin' symbol '=' integer                        (a run-time size that the code may take for a constant)
//           | 'layout' buffer ':' layout
//           | 'merge' axis axis -> axis                       (two axes that are one run in every access)
//           | 'group' number ':' 'vector' axis 'by' lanes ('tile' axis ':' integer, …)? ('order' axis, …)? ('unroll' n)?
//
// A group's vector axis is cut into vectors of `lanes`; `tile` says how many points (for the vector axis: vectors) of an
// axis are held in registers at once; `order` lists the axes from the outermost loop to the innermost, parallel axes
// before `over` axes; `unroll` repeats the innermost `over` loop. lanes 1 means scalar code.
#pragma once

#include "ir/mugraph/kernel_graph.h"
#include "layout/layout.h"

namespace hone::ir {

struct GroupPlan {
  std::string vector_axis;
  int lanes = 0;  // 0: not decided
  std::map<std::string, int64_t> tile;
  std::vector<std::string> order;
  int unroll = 1;
};

struct Merge {
  std::string outer, inner;  // become one axis under the name of `inner`
};

struct KernelPlan {
  std::map<std::string, int64_t> parameters;
  std::map<std::string, int64_t> pins;
  std::map<std::string, layout::Layout> layouts;  // by buffer; absent: row-major
  std::vector<Merge> merges;
  std::vector<GroupPlan> groups;  // one per group, in the order of groups_of
};

struct Plan {
  std::vector<KernelPlan> kernels;             // one per kernel of the graph
  std::map<int, layout::Layout> edge_layouts;  // by edge; absent: row-major
};

Status validate(const KernelPlan& plan, const Kernel& kernel);  // complete and consistent with the kernel
std::string text_of(const KernelPlan& plan, const std::string& kernel_name);
Result<KernelPlan> parse_kernel_plan(std::string_view text);

}  // namespace hone::ir
