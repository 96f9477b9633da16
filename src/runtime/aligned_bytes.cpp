#include "runtime/aligned_bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace hone::runtime {

namespace {

constexpr size_t alignment = 64;
constexpr size_t huge_page = size_t{2} << 20;

size_t physical_memory() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

Result<AlignedBytes> AlignedBytes::make(size_t bytes) {
  AlignedBytes made;
  if (bytes == 0) return made;
  size_t unit = bytes >= 2 * huge_page ? huge_page : alignment;
  // The system would promise more than it has, and end the process when the promise is called in.
  if (bytes > physical_memory())
    return error("out of memory: tensors would take {} bytes, the machine has {}", bytes, physical_memory());
  size_t rounded = (bytes + unit - 1) / unit * unit;
  made.data_.reset(static_cast<std::byte*>(std::aligned_alloc(unit, rounded)));
  if (!made.data_) return error("out of memory: the system gave no {} bytes for tensors", bytes);
  // Only a wish: without huge pages the memory is as good, just slower.
  if (unit == huge_page) (void)madvise(made.data_.get(), rounded, MADV_HUGEPAGE);
  made.size_ = bytes;
  return made;
}

void AlignedBytes::Free::operator()(std::byte* data) const {
  std::free(data);
}

}  // namespace hone::runtime
