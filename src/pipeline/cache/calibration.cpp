#include "pipeline/cache/calibration.h"

#include <fstream>

#include "base/digest.h"
#include "pipeline/cache/cache_folder.h"

namespace hone::pipeline {
namespace {

constexpr std::string_view kDigest = "digest = ";

std::string heading_of(const target::Target& target) {
  return fmt::format("hone calibration 1\ncpu = {}\nisa = {}\n", target.name, target::name_of(target.isa));
}

std::string name_of(const target::Target& target) {
  return "calibration-" + text_of(digest_of(heading_of(target)));
}

std::string sealed(const std::string& text) {
  return fmt::format("{}{}{}\n", text, kDigest, text_of(digest_of(text)));
}

// Nothing if the text is not what keep_calibration wrote for this target.
std::optional<target::Figures> figures_in(const std::string& text, const target::Target& target) {
  std::string heading = heading_of(target);
  size_t end = text.rfind(kDigest);
  if (end == std::string::npos || !text.starts_with(heading) || sealed(text.substr(0, end)) != text)
    return std::nullopt;
  auto figures = target::parse_figures(std::string_view(text).substr(heading.size(), end - heading.size()));
  if (!figures.ok()) return std::nullopt;
  return target::sane(*figures);
}

}  // namespace

Result<Calibration> find_calibration(const target::Target& target, const std::string& cache_dir) {
  HONE_TRY(std::optional<CacheFolder> folder, CacheFolder::open_configured(cache_dir));
  std::string name = name_of(target);
  if (!folder || !folder->trusts(name)) return Calibration{target.figures, {}};
  std::ifstream file(folder->path_of(name), std::ios::binary);
  auto figures = figures_in({std::istreambuf_iterator<char>(file), {}}, target);
  if (!figures) {
    folder->set_aside(name);
    fmt::print(stderr,
               "hone: the calibration '{}' is damaged and was set aside; `hone doctor --calibrate` makes a new one\n",
               folder->path_of(name).string());
    return Calibration{target.figures, {}};
  }
  folder->touch(name);
  return Calibration{*figures, folder->path_of(name)};
}

Result<std::filesystem::path> keep_calibration(const target::Target& target, const std::string& cache_dir) {
  HONE_TRY(std::optional<CacheFolder> folder, CacheFolder::open_configured(cache_dir));
  if (!folder)
    return error("there is no folder to keep the calibration in; with HONE_CACHE_DIR set to one it would work");
  std::string text = sealed(heading_of(target) + target::text_of(target.figures));
  std::span<const std::byte> pieces[] = {std::as_bytes(std::span(text))};
  HONE_PASS(folder->write(name_of(target), pieces));
  return folder->path_of(name_of(target));
}

}  // namespace hone::pipeline
