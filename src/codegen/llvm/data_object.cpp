#include "codegen/llvm/data_object.h"

#include <elf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "codegen/llvm/embed.h"

namespace hone::codegen {
namespace {

constexpr uint64_t kLarge = 0x10000000;  // SHF_X86_64_LARGE: the linker keeps it away from code

// Laid out as: file header, sections in order, section headers. Section 0 is empty by rule.
class ElfWriter {
 public:
  explicit ElfWriter(const std::string& path) : path_(path), out_(path, std::ios::binary | std::ios::trunc) {
    const Elf64_Ehdr placeholder{};
    write(&placeholder, sizeof placeholder);
    headers_.push_back({});
    symbols_.push_back({});
  }

  uint16_t begin_section(const std::string& name, uint32_t type, uint64_t flags, uint64_t alignment) {
    pad_to(alignment);
    Elf64_Shdr header{};
    header.sh_name = intern(section_names_, name);
    header.sh_type = type;
    header.sh_flags = flags;
    header.sh_offset = at_;
    header.sh_addralign = alignment;
    headers_.push_back(header);
    return static_cast<uint16_t>(headers_.size() - 1);
  }

  void write(const void* data, size_t bytes) {
    out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
    at_ += bytes;
    if (headers_.size() > 1) headers_.back().sh_size += bytes;
  }

  // Room in memory, none in the file.
  void reserve(size_t bytes) { headers_.back().sh_size += bytes; }

  void add_symbol(const std::string& name, uint16_t section, uint64_t value, uint64_t bytes) {
    Elf64_Sym symbol{};
    symbol.st_name = intern(symbol_names_, name);
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
    symbol.st_shndx = section;
    symbol.st_value = value;
    symbol.st_size = bytes;
    symbols_.push_back(symbol);
  }

  Status finish() {
    const uint16_t symbol_table = begin_section(".symtab", SHT_SYMTAB, 0, 8);
    write(symbols_.data(), symbols_.size() * sizeof(Elf64_Sym));
    headers_[symbol_table].sh_link = symbol_table + 1u;
    headers_[symbol_table].sh_info = 1;  // the first global symbol
    headers_[symbol_table].sh_entsize = sizeof(Elf64_Sym);
    begin_section(".strtab", SHT_STRTAB, 0, 1);
    write(symbol_names_.data(), symbol_names_.size());
    const uint16_t names = begin_section(".shstrtab", SHT_STRTAB, 0, 1);
    write(section_names_.data(), section_names_.size());
    finish_headers(names);
    out_.close();
    if (!out_) return error("cannot write '{}': {}", path_, std::strerror(errno));
    return Done{};
  }

 private:
  static uint32_t intern(std::string& table, const std::string& name) {
    const auto at = static_cast<uint32_t>(table.size());
    table += name;
    table += '\0';
    return at;
  }

  void pad_to(uint64_t alignment) {
    static constexpr char kZeros[64] = {};
    uint64_t missing = (alignment - at_ % alignment) % alignment;
    at_ += missing;
    for (; missing > 0; missing -= std::min<uint64_t>(missing, sizeof kZeros))
      out_.write(kZeros, static_cast<std::streamsize>(std::min<uint64_t>(missing, sizeof kZeros)));
  }

  void finish_headers(uint16_t names) {
    pad_to(8);
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_REL;
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shoff = at_;
    header.e_shnum = static_cast<uint16_t>(headers_.size());
    header.e_shstrndx = names;
    out_.write(reinterpret_cast<const char*>(headers_.data()),
               static_cast<std::streamsize>(headers_.size() * sizeof(Elf64_Shdr)));
    out_.seekp(0);
    out_.write(reinterpret_cast<const char*>(&header), sizeof header);
  }

  std::string path_;
  std::ofstream out_;
  uint64_t at_ = 0;
  std::vector<Elf64_Shdr> headers_;
  std::vector<Elf64_Sym> symbols_;
  std::string section_names_ = std::string(1, '\0'), symbol_names_ = std::string(1, '\0');
};

}  // namespace

Status write_data_object(const std::vector<DataBlob>& blobs, const std::string& path) {
  ElfWriter writer(path);
  for (const DataBlob& blob : blobs) {
    const bool embedded = is_embedded(blob);
    const uint64_t flags = SHF_ALLOC | (embedded ? kLarge : 0);
    const uint16_t section =
        writer.begin_section("." + blob.symbol, embedded ? SHT_NOBITS : SHT_PROGBITS, flags, blob.alignment);
    if (embedded)
      writer.reserve(blob.bytes.size());
    else
      writer.write(blob.bytes.data(), blob.bytes.size());
    writer.add_symbol(blob.symbol, section, 0, blob.bytes.size());
  }
  const uint16_t sizes = writer.begin_section(".rodata", SHT_PROGBITS, SHF_ALLOC, 8);
  for (size_t i = 0; i < blobs.size(); ++i) {
    const uint64_t bytes = blobs[i].bytes.size();
    writer.write(&bytes, sizeof bytes);
    writer.add_symbol(blobs[i].symbol + "_size", sizes, i * sizeof bytes, sizeof bytes);
  }
  return writer.finish();
}

}  // namespace hone::codegen
