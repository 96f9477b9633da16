// Any bytes as a shared library: its description is read, none of its code runs.
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "runtime/artefact.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("hone-fuzz-" + std::to_string(getpid()) + ".so")).string();
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  (void)hone::runtime::read_artefact(path);
  return 0;
}
