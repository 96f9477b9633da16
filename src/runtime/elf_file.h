// Reads exported data of a shared library from its file, without loading it: no code of the library runs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hone::runtime {

class ElfFile {
 public:
  // An error unless the file is a shared library for x86-64. Damaged files give errors here or from find.
  static Result<ElfFile> open(const std::string& path);

  struct Symbol {
    std::span<const std::byte> content;  // what the file holds from the symbol to the end of its segment
    uint64_t size = 0;                   // as the library states it
  };
  Result<Symbol> find(std::string_view name) const;
  std::span<const std::byte> content() const { return {mapped_.get(), bytes_}; }  // the whole file

 private:
  struct Table {
    uint64_t offset = 0, count = 0;
  };
  // The bytes [offset, offset + size), or an empty span if the file has not got them all.
  std::span<const std::byte> piece(uint64_t offset, uint64_t size) const;
  template <typename T>
  bool read(uint64_t offset, T& into) const;
  Status read_tables();
  Error damaged() const;

  std::string path_;
  std::shared_ptr<const std::byte> mapped_;
  size_t bytes_ = 0;
  Table segments_, symbols_;
  std::string_view names_;
};

}  // namespace hone::runtime
