// Draft → statements: phases become groups, steps become statements. Sizes are still those of the call; sizes.h makes
// them arguments.
#pragma once

#include "fuse/emit/kernel_writer.h"

namespace hone::fuse {

// Where the elements of a value lie: a buffer or tile, and the place's index for an index of the value.
struct Home {
  int place = 0;
  std::function<std::vector<ir::Index>(const std::vector<ir::Index>&)> index;
};

struct Homes {
  std::map<ir::ValueId, Home> reads, writes;
};

// A home that is indexed like the value.
Home whole(int place);

// The groups of a draft, one per phase; `tiled` names the row axes of its own tiles.
std::vector<ir::Node> emit_groups(const Draft& draft, const Homes& homes, const std::vector<std::string>& tiled,
                                  KernelWriter& writer);

// Gives everything that the draft reads or writes a buffer; the value that each buffer stands for.
std::vector<ir::ValueId> add_buffers(const Draft& draft, const ir::Program& program, KernelWriter& writer,
                                     Homes& homes);

struct Emitted {
  ir::Kernel kernel;
  std::vector<ir::ValueId> buffers;  // the value that each buffer stands for
};

// A kernel of one draft, with its axes opened.
Emitted emit(const Draft& draft, const ir::Program& program);

}  // namespace hone::fuse
