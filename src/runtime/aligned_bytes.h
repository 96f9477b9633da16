// Memory for tensors: 64-byte aligned, large pieces on huge pages where the system has them. Its content is unspecified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/result.h"

namespace hone::runtime {

class AlignedBytes {
 public:
  AlignedBytes() = default;
  static Result<AlignedBytes> make(size_t bytes);  // an error if the system has not got as much

  std::byte* data() const { return data_.get(); }
  size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* data) const;
  };
  std::unique_ptr<std::byte, Free> data_;
  size_t size_ = 0;
};

}  // namespace hone::runtime
