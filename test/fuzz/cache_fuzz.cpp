// Any bytes as an entry of the cache, and as the description of an executable.
#include <stdlib.h>

#include <fstream>

#include "base/digest.h"
#include "pipeline/cache/model_cache.h"

namespace {

const std::string& folder() {
  static const std::string made = [] {
    std::string pattern = (std::filesystem::temp_directory_path() / "hone-fuzz-XXXXXX").string();
    return std::string(mkdtemp(pattern.data()));
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  hone::pipeline::Options options;
  options.cache_dir = folder();
  auto cache = hone::pipeline::ModelCache::open(options);
  HONE_CHECK(cache.ok() && *cache, "the cache does not open");
  std::ofstream(std::filesystem::path(folder()) / "entry", std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  (void)(*cache)->find("entry");
  // Past the digests, which no mutation gets through.
  (void)hone::runtime::deserialize(reinterpret_cast<const std::byte*>(data), size);
  return 0;
}
