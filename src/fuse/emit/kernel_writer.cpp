#include "fuse/emit/kernel_writer.h"

#include <algorithm>

namespace hone::fuse {
namespace {

// Until all are known, buffers, tiles and registers are numbered in ranges of their own.
constexpr int kTiles = 1 << 20;
constexpr int kRegisters = 1 << 21;

void renumber(std::vector<ir::Node>& nodes, int buffers, int tiles) {
  auto change = [&](std::vector<ir::Stmt>& statements) {
    for (ir::Stmt& statement : statements)
      for (ir::Access& access : statement.accesses) {
        if (access.operand >= kRegisters)
          access.operand += buffers + tiles - kRegisters;
        else if (access.operand >= kTiles)
          access.operand += buffers - kTiles;
      }
  };
  for (ir::Node& node : nodes) {
    if (ir::Group* group = std::get_if<ir::Group>(&node)) {
      change(group->inner);
      change(group->outer);
      continue;
    }
    auto nest = std::make_shared<ir::Nest>(*std::get<std::shared_ptr<const ir::Nest>>(node));
    renumber(nest->body, buffers, tiles);
    node = std::shared_ptr<const ir::Nest>(std::move(nest));
  }
}

}  // namespace

int KernelWriter::add_buffer(std::string name, const ir::TensorType& type, bool output) {
  kernel_.buffers.push_back({std::move(name), type.dtype, type.shape, output});
  return static_cast<int>(kernel_.buffers.size()) - 1;
}

int KernelWriter::add_tile(std::string name, ir::DType type, std::vector<std::string> axes) {
  kernel_.tiles.push_back({std::move(name), type, std::move(axes), std::nullopt});
  return kTiles + static_cast<int>(kernel_.tiles.size()) - 1;
}

int KernelWriter::add_register(std::string name, ir::DType type) {
  kernel_.registers.push_back(std::move(name));
  kernel_.register_types.push_back(type);
  return kRegisters + static_cast<int>(kernel_.registers.size()) - 1;
}

void KernelWriter::add_axis(const ir::Axis& axis) {
  for (const ir::Axis& known : kernel_.axes) {
    if (known.name != axis.name) continue;
    HONE_CHECK(known.extent == axis.extent, "axis {} has extents {} and {}", axis.name, known.extent.text(),
               axis.extent.text());
    return;
  }
  kernel_.axes.push_back(axis);
}

std::string KernelWriter::name_of(int place) const {
  if (place >= kRegisters) return kernel_.registers[static_cast<size_t>(place - kRegisters)];
  if (place >= kTiles) return kernel_.tiles[static_cast<size_t>(place - kTiles)].name;
  return kernel_.buffers[static_cast<size_t>(place)].name;
}

ir::Stmt KernelWriter::statement(int place, std::vector<ir::Index> at, ir::Combine combine,
                                 std::vector<ir::Access> accesses, ir::Scalar body) const {
  return {name_of(place), std::move(at), combine, std::move(accesses), std::move(body)};
}

ir::Kernel KernelWriter::finish(std::string name, std::vector<ir::Node> body) {
  kernel_.name = std::move(name);
  renumber(body, static_cast<int>(kernel_.buffers.size()), static_cast<int>(kernel_.tiles.size()));
  kernel_.body = std::move(body);
  return std::move(kernel_);
}

ir::Node nested(bool grid, const std::string& axis, const ir::Index& step, std::vector<ir::Node> body,
                std::vector<ir::State> states) {
  auto nest = std::make_shared<ir::Nest>();
  nest->grid = grid;
  nest->axis = axis;
  nest->step = step;
  nest->states = std::move(states);
  nest->body = std::move(body);
  return std::shared_ptr<const ir::Nest>(std::move(nest));
}

}  // namespace hone::fuse
