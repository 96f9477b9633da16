// Any bytes as an ONNX model: a Program that validates, or a reason.
#include "base/result.h"
#include "import/import.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  auto program = hone::import::import_model(bytes);
  if (!program.ok()) {
    (void)hone::import::find_undecided(bytes, {});
    return 0;
  }
  auto valid = hone::ir::validate(*program);
  HONE_CHECK(valid.ok(), "{}", valid.problem().message);
  return 0;
}
