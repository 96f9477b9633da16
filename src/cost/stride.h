// What every part of cost asks about axes, accesses and groups; above all how an access moves when one axis moves.
#pragma once

#include "cost/use.h"

namespace hone::cost {

enum class Stride { Invariant, Contiguous, Alternate, Strided, Packable };  // Alternate: every other element

// Packable: a weight whose layout is still open, so it can be made contiguous along the axis.
Stride stride_of(const ir::Kernel& kernel, const Use& use, int place, const std::vector<ir::Index>& index,
                 const std::string& axis);

// What the offset of an element grows by from one point of the axis to the next, as the buffer lies; nothing if that depends on the point.
std::optional<ir::Index> offset_factor(const Use& use, const ir::Buffer& buffer, const std::vector<ir::Index>& index,
                                       const std::string& axis);

// Elements of a buffer between neighbouring points of the axis, as the buffer lies; nothing if they are not equally far apart, or if a size
// of 0, or a guess, makes neighbours of them.
std::optional<int64_t> step_of(const Use& use, const ir::Buffer& buffer, const std::vector<ir::Index>& index,
                               const std::string& axis);

// Lines that lie a multiple of a way of the nearest cache apart, a page on every processor, take each other's place in it: it holds one in
// each way.
bool collide(int64_t bytes_apart);
int64_t ways_of_nearest_cache(const target::Target& target);

// Points of a loop's axis that one pass takes at most: enough to make starting one cheap.
constexpr int64_t kPassPoints = 128;

// Chains of a reduction that run beside each other: enough to cover what each waits for, few enough for the registers.
constexpr int64_t kChains = 4;

int64_t extent_of(const ir::Kernel& kernel, const Use& use, const std::string& axis);

// Its place in the kernel's list of axes.
size_t axis_number(const ir::Kernel& kernel, const std::string& axis);

int64_t elements_of(const ir::Buffer& buffer, const Use& use);
int64_t bytes_of(const ir::Buffer& buffer, const Use& use);
bool has_certain_size(const ir::Buffer& buffer, const Use& use);
// Whether the last-level cache, of which it may have half, does not hold it from one call to the next.
bool comes_from_memory(const ir::Buffer& buffer, const Use& use, const target::Target& target);

// False for a size that is guessed: other sizes will run through the same code.
bool is_certain(const ir::Kernel& kernel, const Use& use, const std::string& axis);

// Points of the axis in a register tile: a piece that is a multiple of it wastes nothing.
int64_t grain_of(const ir::GroupPlan& plan, const std::string& axis);

// What one point of the axis takes of the tiles along it, whose other axes have `steps` or else their extents.
int64_t tile_bytes_of_point(const ir::Kernel& kernel, const Use& use, const std::string& axis,
                            const std::map<std::string, int64_t>& steps = {});

// Whether the group runs over the axis in parallel.
bool is_parallel(const ir::Group& group, const std::string& axis);

// Whether the index moves with an axis of the reduction and with another at once: a window slides over this dimension.
bool slides(const ir::Index& index, const ir::Group& group);

// A reduction whose body multiplies: the inner statements of a contraction.
bool is_contraction(const ir::Group& group);

// A function of many instructions, whose steps wait for each other.
bool takes_many_cycles(ir::ScalarOp op);

}  // namespace hone::cost
