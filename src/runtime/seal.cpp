#include "runtime/seal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/digest.h"
#include "runtime/elf_file.h"

namespace hone::runtime {

Seal seal_of(std::span<const std::byte> content) {
  constexpr char kMagic[8] = {'H', 'O', 'N', 'E', 'S', 'E', 'A', 'L'};
  Digest digest = digest_of(content);
  Seal seal;
  static_assert(sizeof(seal) == sizeof(kMagic) + sizeof(digest));
  std::memcpy(seal.data(), kMagic, sizeof(kMagic));
  std::memcpy(seal.data() + sizeof(kMagic), &digest, sizeof(digest));
  return seal;
}

Status seal_file(const std::string& path) {
  HONE_TRY(ElfFile file, ElfFile::open(path));
  Seal seal = seal_of(file.content());
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out.write(reinterpret_cast<const char*>(seal.data()), seal.size());
  out.close();
  if (!out) return error("cannot write '{}': {}", path, std::strerror(errno));
  return Done{};
}

bool is_sealed(std::span<const std::byte> file) {
  if (file.size() < sizeof(Seal)) return false;
  size_t content = file.size() - sizeof(Seal);
  return std::ranges::equal(file.subspan(content), seal_of(file.first(content)));
}

}  // namespace hone::runtime
