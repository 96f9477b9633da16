// The figures of this machine as `hone doctor --calibrate` measured them: a small text beside the compiled models, one for each
// processor and instruction set, with a digest. A damaged one is set aside, with a warning, and the target's own figures hold.
#pragma once

#include <filesystem>
#include <string>

#include "target/target.h"

namespace hone::pipeline {

struct Calibration {
  target::Figures figures;
  std::filesystem::path file;  // empty: nothing is kept for this machine, the figures are the built-in ones
};

// `cache_dir` as in Options. An error only where it, or HONE_CACHE_MB, makes no sense.
Result<Calibration> find_calibration(const target::Target& target, const std::string& cache_dir);

// Keeps the target's figures and tells where; an error if no folder is named.
Result<std::filesystem::path> keep_calibration(const target::Target& target, const std::string& cache_dir);

}  // namespace hone::pipeline
