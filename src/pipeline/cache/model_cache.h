// Compiled models kept on disk. A damaged file is never a wrong result: it is noticed, set aside, and compiled anew.
#pragma once

#include "pipeline/cache/cache_folder.h"
#include "pipeline/compile.h"

namespace hone::pipeline {

class ModelCache {
 public:
  // Nothing if no folder is asked for, by the options or by HONE_CACHE_DIR.
  static Result<std::optional<ModelCache>> open(const Options& options);

  std::optional<CompiledModel> find(const std::string& key) const;
  // A model that cannot be kept is no fault of the model.
  void keep(const std::string& key, const CompiledModel& model) const;

 private:
  explicit ModelCache(CacheFolder folder) : folder_(std::move(folder)) {}
  CacheFolder folder_;
};

}  // namespace hone::pipeline
