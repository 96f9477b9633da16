#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <set>

#include "base/printable.h"
#include "import/tensor_internal.h"

namespace hone::import {
namespace {

namespace fs = std::filesystem;

struct Entries {
  std::string location;
  size_t offset = 0;
  std::optional<size_t> length;
};

Result<size_t> parse_size(const std::string& key, const std::string& text) {
  size_t value = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size())
    return error("external data has {} '{}', which is not a non-negative number", key, printable(text, 200));
  return value;
}

Result<Entries> parse_entries(const onnx::TensorProto& tensor) {
  Entries entries;
  std::set<std::string> keys;
  for (const auto& entry : tensor.external_data()) {
    if (!keys.insert(entry.key()).second) return error("external data states its {} twice", entry.key());
    if (entry.key() == "location") entries.location = entry.value();
    if (entry.key() == "offset") {
      HONE_TRY(entries.offset, parse_size("offset", entry.value()));
    }
    if (entry.key() == "length") {
      HONE_TRY(size_t length, parse_size("length", entry.value()));
      entries.length = length;
    }
  }
  if (entries.location.empty()) return error("external data names no location");
  return entries;
}

// As messages name it: a reason must not drown in a long name.
std::string file_named(const std::string& location) {
  return fmt::format("external data '{}'", printable(location, 200));
}

// The file that a location names, links followed; it must lie inside the folder.
Result<fs::path> locate(const fs::path& folder, const std::string& location) {
  std::string what = file_named(location);
  if (folder.empty()) return error("{} needs the model's folder: import the model from its file", what);
  fs::path relative(location);
  bool climbs = std::any_of(relative.begin(), relative.end(), [](const fs::path& part) { return part == ".."; });
  if (relative.is_absolute() || climbs) return error("{} must be a relative path inside the model's folder", what);
  std::error_code problem;
  fs::path root = fs::canonical(folder, problem);
  if (problem) return error("the model's folder '{}' cannot be opened: {}", folder.string(), problem.message());
  fs::path file = fs::canonical(root / relative, problem);
  if (problem) return error("{} cannot be opened: {}", what, problem.message());
  if (std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first != root.end())
    return error("{} leads outside the model's folder", what);
  // Nothing tells where the other names of a hard link lie.
  if (fs::hard_link_count(file, problem) > 1 && fs::is_regular_file(file, problem))
    return error("{} is a hard link, whose other names may lie outside the model's folder; a copy would work", what);
  return file;
}

}  // namespace

Result<ir::ConstantData> map_file(const fs::path& path, const std::string& what) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return error("{} cannot be opened: {}", what, std::strerror(errno));
  struct stat about{};
  bool regular = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  size_t size = regular ? static_cast<size_t>(about.st_size) : 0;
  void* start = size > 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  close(file);
  if (!regular) return error("{} is not a regular file", what);
  if (start == MAP_FAILED) return error("{} cannot be mapped into memory", what);
  std::shared_ptr<const void> owner(start, [size](const void* p) {
    if (p) munmap(const_cast<void*>(p), size);
  });
  return ir::ConstantData{static_cast<const std::byte*>(start), size, owner};
}

Result<ir::ConstantData> ExternalFiles::map(const std::string& location) {
  if (auto found = mapped_.find(location); found != mapped_.end()) return found->second;
  HONE_TRY(fs::path path, locate(folder_, location));
  HONE_TRY(ir::ConstantData mapped, map_file(path, file_named(location)));
  return mapped_[location] = mapped;
}

Result<ir::ConstantData> ExternalFiles::find(const onnx::TensorProto& tensor, size_t bytes) {
  HONE_TRY(Entries entries, parse_entries(tensor));
  HONE_TRY(ir::ConstantData whole, map(entries.location));
  if (entries.length && *entries.length != bytes)
    return error("{} states {} bytes, its type needs {}", file_named(entries.location), *entries.length, bytes);
  if (entries.offset > whole.bytes || bytes > whole.bytes - entries.offset)
    return error("{} has {} bytes, bytes {} to {} are needed", file_named(entries.location), whole.bytes,
                 entries.offset, entries.offset + bytes);
  return ir::ConstantData{whole.data + entries.offset, bytes, whole.owner};
}

}  // namespace hone::import
