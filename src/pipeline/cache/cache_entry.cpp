#include "pipeline/cache/cache_entry.h"

#include <cstddef>

#include "runtime/bytes.h"

namespace hone::pipeline {
namespace {

Digest digest_of_numbers(const EntryHeader& header) {
  return digest_of(std::as_bytes(std::span(&header, 1)).first(offsetof(EntryHeader, numbers)));
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

bool read_into(std::istream& file, std::byte* to, uint64_t bytes) {
  return static_cast<bool>(file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(bytes)));
}

}  // namespace

EntryHeader header_of(std::span<const std::byte> description, std::span<const std::byte> weights) {
  EntryHeader header;
  header.description_bytes = description.size();
  header.weight_bytes = weights.size();
  header.description = digest_of(description);
  header.weights = digest_of(weights);
  header.numbers = digest_of_numbers(header);
  return header;
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

std::optional<CompiledModel> read_entry(std::istream& file, uint64_t file_bytes) {
  EntryHeader header;
  if (file_bytes < sizeof(header) || !read_into(file, reinterpret_cast<std::byte*>(&header), sizeof(header)))
    return std::nullopt;
  if (header.magic != kEntryMagic || header.numbers != digest_of_numbers(header)) return std::nullopt;
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

}  // namespace hone::pipeline
