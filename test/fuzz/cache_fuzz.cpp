// Any file is read as an entry of the cache or refused. Digests are put right first, else nothing behind them would be
// reached. What is read is planned for some shapes; its code is not loaded.
#include <cstring>
#include <sstream>

#include "fuzz/planned.h"
#include "pipeline/cache/cache_entry.h"

namespace {

// Header and parts as given, with digests that fit where the sizes do.
std::string mended(std::span<const std::byte> file) {
  using hone::pipeline::EntryHeader;
  std::string text(reinterpret_cast<const char*>(file.data()), file.size());
  EntryHeader header;
  if (file.size() < sizeof(header)) return text;
  std::memcpy(&header, file.data(), sizeof(header));
  std::span<const std::byte> content = file.subspan(sizeof(header));
  size_t description = std::min<size_t>(header.description_bytes, content.size());
  header = hone::pipeline::header_of(content.first(description), content.subspan(description));
  std::memcpy(text.data(), &header, sizeof(header));
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hone;
  std::string file = mended(std::as_bytes(std::span(data, size)));
  std::istringstream stream(file);
  std::optional<pipeline::CompiledModel> model = pipeline::read_entry(stream, file.size());
  if (model) fuzz::plan(model->executable);
  return 0;
}
