#include "pipeline/cache/cache_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

#include "base/knobs.h"

namespace hone::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnfinished = ".unfinished";
constexpr const char* kDamaged = "damaged";
constexpr auto kWriterLife = std::chrono::hours(1);
constexpr uint64_t kMegabyte = 1 << 20;
constexpr int kMostMegabytes = 4096;

// Different for every writer in every process.
std::string unfinished_name(const std::string& name) {
  static std::atomic<uint64_t> number{0};
  return fmt::format("{}.{}.{}{}", name, getpid(), number++, kUnfinished);
}

Status write_all(int file, std::span<const std::byte> bytes, const fs::path& path) {
  while (!bytes.empty()) {
    ssize_t written = ::write(file, bytes.data(), std::min(bytes.size(), size_t{1} << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return error("'{}' cannot be written: {}", path.string(), std::strerror(errno));
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return Done{};
}

}  // namespace

Result<CacheFolder> CacheFolder::open(fs::path folder, uint64_t most_bytes) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), failed);
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
      return error("the cache folder '{}' cannot be made: {}", folder.string(), std::strerror(errno));
    if (!fs::is_directory(folder, failed)) return error("the cache folder '{}' is no folder", folder.string());
  }
  return CacheFolder(std::move(folder), most_bytes);
}

Result<std::optional<CacheFolder>> CacheFolder::open_configured(const std::string& folder) {
  std::string named = !folder.empty() ? folder : knob(Knob::CacheDir).value_or("");
  if (named.empty()) return std::optional<CacheFolder>();
  HONE_TRY(std::optional<int> megabytes, positive_knob(Knob::CacheMegabytes));
  HONE_TRY(CacheFolder opened, open(named, static_cast<uint64_t>(megabytes.value_or(kMostMegabytes)) * kMegabyte));
  return std::optional(std::move(opened));
}

bool CacheFolder::trusts(const std::string& name) const {
  struct stat found{};
  if (lstat(path_of(name).c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return false;
  return found.st_uid == geteuid() || found.st_uid == 0;
}

Status CacheFolder::write(const std::string& name, std::span<const std::span<const std::byte>> pieces) const {
  fs::path unfinished = path_of(unfinished_name(name));
  int file = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return error("'{}' cannot be made: {}", unfinished.string(), std::strerror(errno));
  Status status = Done{};
  for (std::span<const std::byte> piece : pieces)
    if (status.ok()) status = write_all(file, piece, unfinished);
  if (::close(file) != 0 && status.ok()) status = error("'{}' cannot be written", unfinished.string());
  if (status.ok() && ::rename(unfinished.c_str(), path_of(name).c_str()) != 0)
    status = error("'{}' cannot be renamed: {}", unfinished.string(), std::strerror(errno));
  if (!status.ok()) ::unlink(unfinished.c_str());
  return status;
}

void CacheFolder::set_aside(const std::string& name) const {
  if (::rename(path_of(name).c_str(), path_of(kDamaged).c_str()) != 0) ::unlink(path_of(name).c_str());
}

void CacheFolder::touch(const std::string& name) const {
  utimensat(AT_FDCWD, path_of(name).c_str(), nullptr, 0);
}

void CacheFolder::shrink() const {
  struct File {
    fs::path path;
    fs::file_time_type used;
    uint64_t bytes;
  };
  std::vector<File> files;
  uint64_t total = 0;
  std::error_code failed;
  auto now = fs::file_time_type::clock::now();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, failed)) {
    // Another process may delete it meanwhile.
    std::error_code gone;
    auto used = entry.last_write_time(gone);
    uint64_t bytes = gone ? 0 : entry.file_size(gone);
    if (gone) continue;
    if (entry.path().string().ends_with(kUnfinished)) {
      if (now - used > kWriterLife) fs::remove(entry.path(), gone);
      continue;
    }
    total += bytes;
    files.push_back({entry.path(), used, bytes});
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (size_t k = 0; k + 1 < files.size() && total > most_; ++k) {
    fs::remove(files[k].path, failed);
    total -= files[k].bytes;
  }
}

}  // namespace hone::pipeline
