// What must work on a machine for Hone to work, tried out one by one.
#pragma once

#include <string>
#include <vector>

namespace hone::tools {

struct Check {
  std::string name;
  bool ok = false;
  bool needed = false;  // without it Hone cannot compile
  std::string detail;   // what was found, or what is wrong
};

std::vector<Check> run_checks();

}  // namespace hone::tools
