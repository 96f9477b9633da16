#include "pipeline/cache/model_cache.h"

#include <cstring>
#include <fstream>

#include "base/digest.h"
#include "base/knobs.h"
#include "runtime/bytes.h"

namespace hone::pipeline {
namespace {

constexpr uint64_t kMagic = 0x3165686361636e68;  // "hncache1"
constexpr uint64_t kMegabyte = 1 << 20;
constexpr int kMostMegabytes = 4096;

struct Header {
  uint64_t magic = kMagic;
  uint64_t description_bytes = 0, weight_bytes = 0;
  Digest description, weights;
  Digest numbers;  // of the fields above
};

Digest digest_of_numbers(const Header& header) {
  return digest_of(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, numbers)));
}

std::vector<std::byte> description_of(const CompiledModel& model) {
  runtime::ByteWriter out;
  auto blob = [&](std::span<const std::byte> bytes) {
    out.text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  blob(runtime::serialize(model.executable));
  out.number(model.objects.size());
  for (const auto& object : model.objects) blob(object);
  return out.take();
}

bool read_description(std::span<const std::byte> bytes, CompiledModel& model) {
  runtime::ByteReader in(bytes.data(), bytes.size());
  std::string executable = in.text();
  auto read = runtime::deserialize(reinterpret_cast<const std::byte*>(executable.data()), executable.size());
  if (!read.ok()) return false;
  model.executable = std::move(*read);
  size_t objects = in.count(sizeof(uint64_t));
  for (size_t k = 0; k < objects; ++k) {
    std::string object = in.text();
    auto first = reinterpret_cast<const std::byte*>(object.data());
    model.objects.emplace_back(first, first + object.size());
  }
  return !in.failed() && in.left() == 0;
}

bool read_into(std::ifstream& file, std::byte* to, uint64_t bytes) {
  return static_cast<bool>(file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(bytes)));
}

std::optional<CompiledModel> read_model(std::ifstream& file, uint64_t file_bytes) {
  Header header;
  if (file_bytes < sizeof(header) || !read_into(file, reinterpret_cast<std::byte*>(&header), sizeof(header)))
    return std::nullopt;
  if (header.magic != kMagic || header.numbers != digest_of_numbers(header)) return std::nullopt;
  uint64_t content = file_bytes - sizeof(header);
  if (header.description_bytes > content || header.weight_bytes != content - header.description_bytes)
    return std::nullopt;
  std::vector<std::byte> description(header.description_bytes);
  auto weights = runtime::AlignedBytes::make(header.weight_bytes);
  if (!weights.ok()) return std::nullopt;
  if (!read_into(file, description.data(), description.size()) ||
      !read_into(file, weights->data(), header.weight_bytes))
    return std::nullopt;
  CompiledModel model;
  if (digest_of(description) != header.description ||
      digest_of(std::span<const std::byte>(weights->data(), header.weight_bytes)) != header.weights ||
      !read_description(description, model) || model.executable.weight_bytes > header.weight_bytes)
    return std::nullopt;
  model.weights = std::make_shared<const runtime::AlignedBytes>(std::move(*weights));
  return model;
}

}  // namespace

Result<std::optional<ModelCache>> ModelCache::open(const Options& options) {
  std::string folder = !options.cache_dir.empty() ? options.cache_dir : knob(Knob::CacheDir).value_or("");
  if (folder.empty()) return std::optional<ModelCache>();
  HONE_TRY(std::optional<int> megabytes, positive_knob(Knob::CacheMegabytes));
  uint64_t most = static_cast<uint64_t>(megabytes.value_or(kMostMegabytes)) * kMegabyte;
  HONE_TRY(CacheFolder opened, CacheFolder::open(folder, most));
  return std::optional(ModelCache(std::move(opened)));
}

std::optional<CompiledModel> ModelCache::find(const std::string& key) const {
  if (!folder_.trusts(key)) return std::nullopt;
  std::ifstream file(folder_.path_of(key), std::ios::binary | std::ios::ate);
  if (!file) return std::nullopt;
  auto bytes = static_cast<uint64_t>(file.tellg());
  file.seekg(0);
  auto model = read_model(file, bytes);
  if (model)
    folder_.touch(key);
  else
    folder_.set_aside(key);
  return model;
}

void ModelCache::keep(const std::string& key, const CompiledModel& model) const {
  std::vector<std::byte> description = description_of(model);
  std::span<const std::byte> weights(model.weights->data(), model.weights->size());
  Header header;
  header.description_bytes = description.size();
  header.weight_bytes = weights.size();
  header.description = digest_of(description);
  header.weights = digest_of(weights);
  header.numbers = digest_of_numbers(header);
  std::span<const std::byte> pieces[] = {std::as_bytes(std::span(&header, 1)), description, weights};
  if (folder_.write(key, pieces).ok()) folder_.shrink();
}

}  // namespace hone::pipeline
