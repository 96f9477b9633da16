#include "pipeline/model_source.h"

#include <fstream>

namespace hone::pipeline {
namespace {

namespace fs = std::filesystem;

class InMemory : public ModelSource {
 public:
  InMemory(std::vector<std::byte> bytes, fs::path folder) : bytes_(std::move(bytes)), folder_(std::move(folder)) {}

  Result<import::Imported> import(const import::ImportOptions& given) const override {
    return import::import_or_ask(bytes_, folder_, given);
  }

 private:
  const std::vector<std::byte> bytes_;
  const fs::path folder_;
};

class InFile : public ModelSource {
 public:
  explicit InFile(const fs::path& file) : file_(absolute(file)), opened_(stamp()) {}

  Result<import::Imported> import(const import::ImportOptions& given) const override {
    if (stamp() != opened_) return error("'{}' has changed since it was opened", file_.string());
    return import::import_or_ask(file_, given);
  }

 private:
  using Stamp = std::pair<fs::file_time_type, uintmax_t>;

  static fs::path absolute(const fs::path& file) {
    std::error_code failed;  // where the process's own folder is gone
    fs::path whole = fs::absolute(file, failed);
    return failed ? file : whole;
  }

  Stamp stamp() const {
    std::error_code failed;
    return {fs::last_write_time(file_, failed), fs::file_size(file_, failed)};
  }

  const fs::path file_;
  const Stamp opened_;
};

}  // namespace

std::shared_ptr<const ModelSource> source_in_memory(std::span<const std::byte> model, const fs::path& folder) {
  return std::make_shared<InMemory>(std::vector(model.begin(), model.end()), folder);
}

Result<std::shared_ptr<const ModelSource>> source_in_memory(const fs::path& model) {
  std::ifstream file(model, std::ios::binary | std::ios::ate);
  std::vector<std::byte> bytes(file ? static_cast<size_t>(file.tellg()) : 0);
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
    return error("'{}' cannot be read", model.string());
  return std::shared_ptr<const ModelSource>(std::make_shared<InMemory>(std::move(bytes), import::folder_of(model)));
}

std::shared_ptr<const ModelSource> source_in_file(const fs::path& model) {
  return std::make_shared<InFile>(model);
}

}  // namespace hone::pipeline
