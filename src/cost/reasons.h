// What was considered for a kernel, at which predicted costs. For people: nothing reads it back.
#pragma once

#include <string>
#include <vector>

namespace hone::cost {

// One way to cut a kernel into tasks, register tiles and loops, with the cycles that the model expects of the slowest core.
struct Considered {
  std::string choice;
  double products = 0;                // register tiles of the contraction
  double others = 0;                  // other groups, and handing out tasks
  double l2 = 0, l3 = 0, memory = 0;  // waiting for bytes of that level
  double if_forgotten = 0;            // the part of l3 and memory for what caches may hold from the kernel before
  double tasks = 1;
  double total = 0;
};

// A buffer whose layout was chosen with those of the whole graph.
struct LayoutInstead {
  std::string buffer;
  bool channels_last = false;  // what was chosen; otherwise row-major
  double cycles = 0;           // of the kernel in the other layout
};

struct Reasons {
  std::vector<std::string> templates;  // by group: the one that was taken, and why others refused
  std::vector<Considered> considered;  // the chosen one first; empty where the model compared nothing
  std::vector<LayoutInstead> layouts;
  double cycles = 0;  // of the slowest core, with what the comparison leaves out
};

std::string text_of(const Reasons& reasons, const std::string& kernel_name);

}  // namespace hone::cost
