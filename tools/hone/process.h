// Other programs: run one, wait for it, keep what it says.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace hone::tools {

struct Finished {
  int exit_code = 0;   // 128 + signal if it was killed
  std::string output;  // standard output and error, as they came
};

// command[0] is looked for as a shell would.
Result<Finished> run_process(const std::vector<std::string>& command);

// The interpreter that has the project's packages: HONE_PYTHON, else the .venv of the source tree that this program was
// built in, else python3.
std::string python_path();

// A folder of its own, gone with the object.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace hone::tools
