#include "codegen/llvm/embed.h"

#include <elf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

namespace hone::codegen {
namespace {

constexpr uint64_t kPage = 4096;

uint64_t to_page(uint64_t bytes) {
  return (bytes + kPage - 1) / kPage * kPage;
}

// The linked library without its blobs: small, and held whole.
class Library {
 public:
  explicit Library(std::string bytes) : bytes_(std::move(bytes)) {}

  Elf64_Ehdr& header() { return *reinterpret_cast<Elf64_Ehdr*>(bytes_.data()); }
  std::span<Elf64_Phdr> segments() {
    return {reinterpret_cast<Elf64_Phdr*>(bytes_.data() + header().e_phoff), header().e_phnum};
  }
  std::span<Elf64_Shdr> sections() {
    return {reinterpret_cast<Elf64_Shdr*>(bytes_.data() + header().e_shoff), header().e_shnum};
  }
  std::string name_of(const Elf64_Shdr& section) {
    return bytes_.data() + sections()[header().e_shstrndx].sh_offset + section.sh_name;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

Elf64_Phdr& first_segment(Library& library) {
  for (Elf64_Phdr& segment : library.segments())
    if (segment.p_type == PT_LOAD) {
      HONE_CHECK(segment.p_offset == 0 && segment.p_vaddr == 0, "the first segment does not hold the headers");
      return segment;
    }
  HONE_CHECK(false, "a library without a loaded segment");
  return library.segments()[0];
}

using Placed = std::map<uint64_t, const DataBlob*>;  // by address

Placed place_blobs(Library& library, const std::vector<DataBlob>& blobs, uint64_t end) {
  Placed placed;
  for (Elf64_Shdr& section : library.sections())
    for (const DataBlob& blob : blobs)
      if (library.name_of(section) == "." + blob.symbol) {
        HONE_CHECK(section.sh_type == SHT_NOBITS && section.sh_size == blob.bytes.size() &&
                       section.sh_addr + section.sh_size <= end,
                   "section of '{}' lies elsewhere", blob.symbol);
        section.sh_type = SHT_PROGBITS;
        section.sh_offset = section.sh_addr;
        placed[section.sh_addr] = &blob;
      }
  HONE_CHECK(placed.size() == blobs.size(), "{} of {} blobs have a section", placed.size(), blobs.size());
  return placed;
}

// All that follows the headers in the file moves back by whole pages, so offsets and addresses stay congruent.
void move_contents(Library& library, uint64_t from, uint64_t shift, const Placed& placed) {
  for (Elf64_Phdr& segment : library.segments())
    if (segment.p_offset >= from) segment.p_offset += shift;
  for (Elf64_Shdr& section : library.sections())
    if (section.sh_type != SHT_NULL && section.sh_offset >= from && !placed.contains(section.sh_addr))
      section.sh_offset += shift;
  library.header().e_shoff += shift;  // last: sections are found through it
}

void write_at(std::ofstream& out, uint64_t offset, const void* data, uint64_t bytes) {
  out.seekp(static_cast<std::streamoff>(offset));
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}

}  // namespace

bool is_embedded(const DataBlob& blob) {
  return blob.alignment == kPage && !blob.bytes.empty();
}

Status embed_blobs(const std::string& linked, const std::vector<DataBlob>& blobs, const std::string& path) {
  std::ifstream in(linked, std::ios::binary);
  Library library(std::string(std::istreambuf_iterator<char>(in), {}));
  Elf64_Phdr& first = first_segment(library);
  const uint64_t headers = first.p_filesz, shift = to_page(first.p_memsz);
  const Placed placed = place_blobs(library, blobs, first.p_memsz);
  first.p_filesz = first.p_memsz;
  const uint64_t size = library.bytes().size();
  move_contents(library, headers, shift, placed);

  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  write_at(out, 0, library.bytes().data(), headers);
  for (const auto& [address, blob] : placed) write_at(out, address, blob->bytes.data(), blob->bytes.size());
  write_at(out, headers + shift, library.bytes().data() + headers, size - headers);
  out.close();
  if (!out) return error("cannot write '{}': {}", path, std::strerror(errno));
  std::error_code ignored;  // only a convention: libraries carry the permission to execute
  std::filesystem::permissions(path, std::filesystem::status(linked, ignored).permissions(), ignored);
  return Done{};
}

}  // namespace hone::codegen
