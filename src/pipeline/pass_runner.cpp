#include "pipeline/pass_runner.h"

namespace hone::pipeline {

void PassRunner::dump(const std::string& name, const std::string& text) {
  if (options_.dump.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(options_.dump, ignored);
  std::ofstream(std::filesystem::path(options_.dump) / fmt::format("{:02}-{}.txt", dumped_++, name)) << text;
}

}  // namespace hone::pipeline
