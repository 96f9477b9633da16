/* What generated code and runtime agree on. Plain C: generated code knows nothing else of Hone. */
#ifndef HONE_ABI_KERNEL_H
#define HONE_ABI_KERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* buffers: one pointer per buffer of the kernel, in its order. sizes: one number per symbol of the kernel, in its order.
 * Runs tasks [begin, end) of the flattened grid. scratch: this worker's own, 64-byte aligned, of the size that the
 * kernel asked for. Reads and writes nothing else, keeps nothing between calls. */
typedef void (*hone_kernel_fn)(void* const* buffers, const int64_t* sizes, int64_t begin, int64_t end, void* scratch);

#ifdef __cplusplus
}
#endif

#endif
