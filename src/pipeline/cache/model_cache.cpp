#include "pipeline/cache/model_cache.h"

#include <fstream>

#include "pipeline/cache/cache_entry.h"

namespace hone::pipeline {
Result<std::optional<ModelCache>> ModelCache::open(const Options& options) {
  HONE_TRY(std::optional<CacheFolder> folder, CacheFolder::open_configured(options.cache_dir));
  if (!folder) return std::optional<ModelCache>();
  return std::optional(ModelCache(std::move(*folder)));
}

std::optional<CompiledModel> ModelCache::find(const std::string& key) const {
  if (!folder_.trusts(key)) return std::nullopt;
  std::ifstream file(folder_.path_of(key), std::ios::binary | std::ios::ate);
  if (!file) return std::nullopt;
  auto bytes = static_cast<uint64_t>(file.tellg());
  file.seekg(0);
  auto model = read_entry(file, bytes);
  if (model)
    folder_.touch(key);
  else
    folder_.set_aside(key);
  return model;
}

void ModelCache::keep(const std::string& key, const CompiledModel& model) const {
  std::vector<std::byte> description = description_of(model);
  std::span<const std::byte> weights(model.weights->data(), model.weights->size());
  EntryHeader header = header_of(description, weights);
  std::span<const std::byte> pieces[] = {std::as_bytes(std::span(&header, 1)), description, weights};
  if (folder_.write(key, pieces).ok()) folder_.shrink();
}

}  // namespace hone::pipeline
