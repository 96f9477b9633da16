// A folder of files that any number of processes may share: each file appears whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"

namespace hone::pipeline {

class CacheFolder {
 public:
  // Makes the folder, for its owner alone, if there is none. The files together take at most `most_bytes`, but for the
  // latest.
  static Result<CacheFolder> open(std::filesystem::path folder, uint64_t most_bytes);

  // The folder of that name, else that of HONE_CACHE_DIR, with the bound of HONE_CACHE_MB; nothing if neither names one.
  static Result<std::optional<CacheFolder>> open_configured(const std::string& folder);

  std::filesystem::path path_of(const std::string& name) const { return folder_ / name; }
  // A file of this user, or of the system's; others are not trusted with code.
  bool trusts(const std::string& name) const;

  // Writes the pieces one after the other. A failure leaves nothing behind.
  Status write(const std::string& name, std::span<const std::span<const std::byte>> pieces) const;
  // Moves a file that turned out to be damaged out of the way; the next one so moved replaces it.
  void set_aside(const std::string& name) const;
  // The file was of use: those that were not for longest go first.
  void touch(const std::string& name) const;
  // Deletes the files of longest disuse until all fit, and what killed writers have left.
  void shrink() const;

 private:
  CacheFolder(std::filesystem::path folder, uint64_t most_bytes) : folder_(std::move(folder)), most_(most_bytes) {}

  std::filesystem::path folder_;
  uint64_t most_;
};

}  // namespace hone::pipeline
