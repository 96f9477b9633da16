// Little-endian bytes of stored artefacts. The reader is for hostile input: after the first fault it stays failed and
// gives zeros, so that code reads straight on and asks once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace hone::runtime {

class ByteWriter {
 public:
  void number(uint64_t value) { raw(&value, sizeof(value)); }
  void text(std::string_view value) {
    number(value.size());
    raw(value.data(), value.size());
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void raw(const void* data, size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  ByteReader(const std::byte* data, size_t size) : at_(data), left_(size) {}

  uint64_t number() {
    uint64_t value = 0;
    if (left_ < sizeof(value)) return fail();
    std::memcpy(&value, at_, sizeof(value));
    advance(sizeof(value));
    return value;
  }
  std::string text() {
    uint64_t size = number();
    if (size > left_) return std::string(fail(), ' ');
    std::string value(reinterpret_cast<const char*>(at_), size);
    advance(size);
    return value;
  }
  // A count of things that take at least `least_bytes` each: never more than what is left can hold.
  size_t count(size_t least_bytes) {
    uint64_t value = number();
    return value > left_ / least_bytes ? fail() : value;
  }

  bool failed() const { return failed_; }
  size_t left() const { return left_; }
  size_t fail() {
    failed_ = true;
    left_ = 0;
    return 0;
  }

 private:
  void advance(size_t size) {
    at_ += size;
    left_ -= size;
  }
  const std::byte* at_;
  size_t left_;
  bool failed_ = false;
};

}  // namespace hone::runtime
