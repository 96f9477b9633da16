// Any file is read as an artefact or refused. The seal is put right first, else nothing behind it would be reached. What
// is read is planned for some shapes; no code of the file runs.
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/planned.h"
#include "runtime/artefact.h"
#include "runtime/seal.h"

namespace {

bool write_all(int file, std::span<const std::byte> bytes) {
  return write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hone;
  static const int file = memfd_create("artefact", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  std::span<const std::byte> content = std::as_bytes(std::span(data, size));
  fuzz::holds(ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0 && write_all(file, content) &&
                  write_all(file, runtime::seal_of(content)),
              "the file is written");
  Result<runtime::Executable> executable = runtime::read_artefact(path);
  if (executable) fuzz::plan(*executable);
  return 0;
}
