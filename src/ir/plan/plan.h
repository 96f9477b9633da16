// Plan: how much. It binds every number and name that the µGraph leaves open. Partial plans are filled by
// cost::complete; validate refuses an incomplete one; lower only reads.
//
//   plan   := 'plan' kernel '{' line* '}'
//   line   := 'set' parameter '=' integer (',' parameter '=' integer)*
//           | 'pin' symbol '=' integer (',' symbol '=' integer)*   (a size that the code may take for a constant)
//           | 'layout' buffer ':' layout
//           | 'stream' buffer (',' buffer)*          (outputs whose whole vectors are stored past the caches)
//           | 'alone' buffer (',' buffer)*           (buffers behind whose vectors the processor is to fetch nothing ahead)
//           | 'merge' axis axis '->' axis            (two axes that are one run in every access; the second gives the name)
//           | 'group' number ':' (choice (',' choice)*)?
//   choice := 'vector' axis 'by' lanes | 'scalar'    (scalar: one lane, no vector axis)
//           | 'tile' (axis ':' integer)+
//           | 'order' '(' axis (',' axis)* ')'
//           | 'unroll' integer
//           | 'ahead' (buffer ':' integer)+          (elements: what is so far behind a vector that is read is fetched with it)
//           | 'next' (buffer ':' integer)+           (elements of what the next vectors need that each step fetches)
//           | 'align' buffer                         (a reduced vector axis starts with so few points that vectors of it follow whole)
//
//   plan gemm_relu {
//     set TM = 48, TN = 64
//     layout b: d1/16 d0 d1%16
//     group 0: vector n by 8, tile m:6 n:2, order (n, m, k), unroll 4
//   }
//
// A group's vector axis is cut into vectors of `lanes`; `tile` says how many points (for the vector axis: vectors) of an
// axis are held in registers at once; `order` lists the axes from the outermost loop to the innermost, parallel axes
// before `over` axes, and a vector axis that is reduced last of all; `unroll` repeats the innermost `over` loop, or lays
// out the inner ones that fit. lanes 1 is scalar.
#pragma once

#include <set>

#include "ir/mugraph/kernel_graph.h"
#include "layout/layout.h"

namespace hone::ir {

struct GroupPlan {
  std::string vector_axis;
  int lanes = 0;  // 0: not decided
  std::map<std::string, int64_t> tile;
  std::vector<std::string> order;
  int unroll = 1;
  std::map<std::string, int64_t> ahead;  // by buffer: fetched so many elements before it is read
  // By buffer that moves with the vectors: while everything that reads it passes by, what follows it is fetched, so many elements
  // with each step of the innermost `over` loop.
  std::map<std::string, int64_t> next;
  // Empty or the buffer whose vectors, reduced along, are loaded from multiples of their size: the points before the first are taken
  // under a mask.
  std::string align;
};

struct Merge {
  std::string outer, inner;  // become one axis under the name of `inner`
};

struct KernelPlan {
  std::map<std::string, int64_t> parameters;
  std::map<std::string, int64_t> pins;
  std::map<std::string, layout::Layout> layouts;  // by buffer; absent: row-major
  std::set<std::string> streams;                  // outputs that are stored past the caches
  std::set<std::string> alone;                    // buffers behind whose vectors nothing is fetched ahead
  std::vector<Merge> merges;
  std::vector<GroupPlan> groups;  // one per group, in the order of groups_of
};

struct Plan {
  std::vector<KernelPlan> kernels;             // one per kernel of the graph
  std::map<int, layout::Layout> edge_layouts;  // by edge; absent: row-major
};

// Whether the group, which then reduces nothing, holds squares across its vectors along the axis: what lies along that axis is
// loaded as it lies and turned in registers.
bool turns(const GroupPlan& plan, const Group& group, const std::string& axis);
// Whether it does so along any axis.
bool turns(const GroupPlan& plan, const Group& group);

Status validate(const KernelPlan& plan, const Kernel& kernel);  // complete and consistent with the kernel
std::string text_of(const KernelPlan& plan, const std::string& kernel_name);
Result<KernelPlan> parse_kernel_plan(std::string_view text);

}  // namespace hone::ir
