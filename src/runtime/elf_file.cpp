#include "runtime/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hone::runtime {

std::span<const std::byte> ElfFile::piece(uint64_t offset, uint64_t size) const {
  if (offset > bytes_ || size > bytes_ - offset) return {};
  return {mapped_.get() + offset, size};
}

template <typename T>
bool ElfFile::read(uint64_t offset, T& into) const {
  std::span<const std::byte> bytes = piece(offset, sizeof(T));
  if (bytes.empty()) return false;
  std::memcpy(&into, bytes.data(), sizeof(T));
  return true;
}

Error ElfFile::damaged() const {
  return error("'{}' is damaged: its tables lead outside the file", path_);
}

Result<ElfFile> ElfFile::open(const std::string& path) {
  ElfFile file;
  file.path_ = path;
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return error("cannot open '{}': {}", path, std::strerror(errno));
  struct stat info;
  bool known = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
  size_t bytes = known ? static_cast<size_t>(info.st_size) : 0;
  void* memory = known ? mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
  close(descriptor);
  if (memory == MAP_FAILED) return error("cannot read '{}': it is empty or no regular file", path);
  file.bytes_ = bytes;
  file.mapped_ = std::shared_ptr<const std::byte>(
      static_cast<const std::byte*>(memory), [bytes](const std::byte* p) { munmap(const_cast<std::byte*>(p), bytes); });
  HONE_PASS(file.read_tables());
  return file;
}

Status ElfFile::read_tables() {
  Elf64_Ehdr header;
  bool is_elf = read(0, header) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
  bool ours = is_elf && header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB;
  if (!ours || header.e_type != ET_DYN || header.e_machine != EM_X86_64)
    return error("'{}' is not a shared library for x86-64", path_);
  segments_ = {header.e_phoff, header.e_phnum};
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_shentsize != sizeof(Elf64_Shdr)) return damaged();
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section, strings;
    if (!read(header.e_shoff + i * sizeof(section), section)) return damaged();
    if (section.sh_type != SHT_DYNSYM) continue;
    if (section.sh_link >= header.e_shnum || !read(header.e_shoff + section.sh_link * sizeof(strings), strings))
      return damaged();
    std::span<const std::byte> text = piece(strings.sh_offset, strings.sh_size);
    if (text.empty() || piece(section.sh_offset, section.sh_size).empty()) return damaged();
    names_ = {reinterpret_cast<const char*>(text.data()), text.size()};
    symbols_ = {section.sh_offset, section.sh_size / sizeof(Elf64_Sym)};
    return Done{};
  }
  return error("'{}' exports nothing", path_);
}

Result<ElfFile::Symbol> ElfFile::find(std::string_view name) const {
  for (uint64_t i = 0; i < symbols_.count; ++i) {
    Elf64_Sym symbol;
    if (!read(symbols_.offset + i * sizeof(symbol), symbol)) return damaged();
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names_.size()) continue;
    std::string_view rest = names_.substr(symbol.st_name);
    if (rest.substr(0, rest.find('\0')) != name) continue;
    for (uint64_t s = 0; s < segments_.count; ++s) {
      Elf64_Phdr segment;
      if (!read(segments_.offset + s * sizeof(segment), segment)) return damaged();
      uint64_t within = symbol.st_value - segment.p_vaddr;
      if (segment.p_type != PT_LOAD || symbol.st_value < segment.p_vaddr || within >= segment.p_filesz) continue;
      std::span<const std::byte> content = piece(segment.p_offset, segment.p_filesz);
      if (content.empty()) return damaged();
      return Symbol{content.subspan(within), symbol.st_size};
    }
    return Symbol{{}, symbol.st_size};  // all zero: in memory only
  }
  return error("'{}' does not export '{}'", path_, name);
}

}  // namespace hone::runtime
