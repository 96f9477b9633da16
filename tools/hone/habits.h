// Spellings that users of other tools' command lines have in their fingers, and that CLI11 cannot declare: options of
// several letters behind one dash (benchmark_app), and --profile with or without a file behind it.
#pragma once

#include <string>
#include <vector>

namespace hone::tools {

std::vector<std::string> in_our_spelling(std::vector<std::string> arguments);

}  // namespace hone::tools
