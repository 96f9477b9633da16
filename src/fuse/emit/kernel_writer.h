// A kernel while it is written: places are handed out in any order and numbered at the end.
#pragma once

#include "fuse/draft.h"
#include "ir/mugraph/kernel.h"

namespace hone::fuse {

class KernelWriter {
 public:
  int add_buffer(std::string name, const ir::TensorType& type, bool output);
  int add_tile(std::string name, ir::DType type, std::vector<std::string> axes);
  int add_register(std::string name, ir::DType type);
  void add_axis(const ir::Axis& axis);  // once is enough

  ir::Ranges ranges() const { return partition::ranges_of(kernel_.axes); }
  std::string name_of(int place) const;
  size_t registers() const { return kernel_.registers.size(); }
  size_t tiles() const { return kernel_.tiles.size(); }
  ir::Stmt statement(int place, std::vector<ir::Index> at, ir::Combine combine, std::vector<ir::Access> accesses,
                     ir::Scalar body) const;

  ir::Kernel finish(std::string name, std::vector<ir::Node> body);

 private:
  ir::Kernel kernel_;
};

// Puts nodes into a nest.
ir::Node nested(bool grid, const std::string& axis, const ir::Index& step, std::vector<ir::Node> body,
                std::vector<ir::State> states = {});

}  // namespace hone::fuse
