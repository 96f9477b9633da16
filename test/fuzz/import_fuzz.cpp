// Any bytes are imported or refused; what is imported is a valid program, and stays one in every pass of canon.
#include <google/protobuf/stubs/logging.h>

#include "canon/canon.h"
#include "fuzz/holds.h"
#include "fuzz/mutate_model.h"
#include "import/import.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  google::protobuf::SetLogHandler(nullptr);  // it would tell of every message that is none
  return 0;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned int seed) {
  onnx::ModelProto model;
  if (seed % 4 == 0 || !model.ParseFromArray(data, static_cast<int>(size))) return LLVMFuzzerMutate(data, size, most);
  hone::fuzz::GraphMutator(*model.mutable_graph(), seed).run();
  size_t changed = model.ByteSizeLong();
  if (changed > most || !model.SerializeToArray(data, static_cast<int>(most)))
    return LLVMFuzzerMutate(data, size, most);
  return changed;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hone;
  std::span<const std::byte> model = std::as_bytes(std::span(data, size));
  Result<import::Imported> imported = import::import_or_ask(model, {});
  auto* decided = imported ? std::get_if<import::Decided>(&*imported) : nullptr;
  if (!decided) return 0;
  ir::Program* program = &decided->program;
  fuzz::holds(ir::validate(*program), "after import");
  for (const canon::Pass& pass : canon::passes()) {
    *program = pass.run(std::move(*program));
    fuzz::holds(ir::validate(*program), pass.name);
  }
  return 0;
}
