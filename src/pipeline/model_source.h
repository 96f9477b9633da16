// A model that can be imported again, once more is known about its inputs.
#pragma once

#include "import/import.h"

namespace hone::pipeline {

class ModelSource {
 public:
  virtual ~ModelSource() = default;
  virtual Result<import::Imported> import(const import::ImportOptions& given) const = 0;
};

// Holds a copy of the model: what becomes of the file does not matter. `folder` is where external data is looked for.
std::shared_ptr<const ModelSource> source_in_memory(std::span<const std::byte> model,
                                                    const std::filesystem::path& folder = {});
Result<std::shared_ptr<const ModelSource>> source_in_memory(const std::filesystem::path& model);
// Reads the file again each time, which fails if it has changed meanwhile: for what will hardly be asked for.
std::shared_ptr<const ModelSource> source_in_file(const std::filesystem::path& model);

}  // namespace hone::pipeline
