#include "fuse/emit/openings.h"

#include <algorithm>

namespace hone::fuse {
namespace {

using ir::Index;
using ir::OpKind;
using partition::Cluster;

Opening by_one(const std::string& axis) {
  return {true, axis, 1};
}
Opening by_tile(const std::string& axis) {
  return {true, axis, Index::symbol("T_" + axis)};
}

bool begins_with(const std::string& axis, char letter) {
  return axis[0] == letter;
}

bool divides(const Index& index, const std::string& axis) {
  auto in_atom = [&](const ir::AtomPtr& atom) {
    bool division = atom->kind == ir::IndexAtom::Kind::FloorDiv || atom->kind == ir::IndexAtom::Kind::Mod;
    return division && std::any_of(atom->args.begin(), atom->args.end(),
                                   [&](const Index& argument) { return argument.uses_axis(axis); });
  };
  return std::any_of(index.terms().begin(), index.terms().end(), [&](const ir::IndexTerm& term) {
    return std::any_of(term.factors.begin(), term.factors.end(), in_atom);
  });
}

// The axis is what a split has left of a division: points that are taken one by one make it a number.
bool is_phase(const Draft& draft, const ir::Axis& axis) {
  if (!axis.extent.constant()) return false;
  for (const Step& step : draft.steps)
    for (const Read& read : step.reads)
      for (const Index& index : read.index)
        if (divides(index, axis.name)) return true;
  return false;
}

// Images: batch, then rows of pixels, then channels; the innermost line of pixels stays whole.
std::vector<Opening> open_images(const Draft& draft) {
  std::vector<Opening> batch, pixels, channels;
  std::vector<std::string> spatial;
  for (const ir::Axis& axis : draft.rows) {
    if (begins_with(axis.name, 'n') || (draft.anchor == OpKind::ConvTranspose && is_phase(draft, axis)))
      batch.push_back(by_one(axis.name));
    else if (begins_with(axis.name, 'o') || begins_with(axis.name, 'c'))
      channels.push_back(by_tile(axis.name));
    else
      spatial.push_back(axis.name);
  }
  if (spatial.size() == 1) pixels.push_back(by_tile(spatial[0]));
  for (size_t k = 0; k + 1 < spatial.size(); ++k)
    pixels.push_back(k + 2 == spatial.size() ? by_tile(spatial[k]) : by_one(spatial[k]));
  std::vector<Opening> all = batch;
  all.insert(all.end(), pixels.begin(), pixels.end());
  // Of split channels (groups) only the inner ones are tiled.
  for (size_t k = 0; k < channels.size(); ++k) {
    if (k + 1 < channels.size()) channels[k].step = 1;
    all.push_back(channels[k]);
  }
  return all;
}

// Products of matrices: batches one by one, then tiles of rows and of columns.
std::vector<Opening> open_matrices(const Draft& draft) {
  std::vector<Opening> all;
  for (size_t k = 0; k < draft.rows.size(); ++k) {
    const std::string& axis = draft.rows[k].name;
    bool tiled = begins_with(axis, 'n') ||
                 (begins_with(axis, 'm') && (k + 1 == draft.rows.size() || !begins_with(draft.rows[k + 1].name, 'm')));
    all.push_back(tiled ? by_tile(axis) : by_one(axis));
  }
  return all;
}

std::vector<Opening> open_last(const Draft& draft) {
  std::vector<Opening> all;
  for (size_t k = 0; k < draft.rows.size(); ++k) {
    const std::string& axis = draft.rows[k].name;
    all.push_back(k + 1 == draft.rows.size() ? by_tile(axis) : by_one(axis));
  }
  return all;
}

// The innermost axes stay whole, so that a task is a run of memory.
std::vector<Opening> open_elements(const Draft& draft) {
  std::vector<Opening> all;
  size_t opened = draft.rows.size() == 1 ? 1 : std::min<size_t>(draft.rows.size() - 1, 2);
  for (size_t k = 0; k < opened && k < draft.rows.size(); ++k) all.push_back(by_tile(draft.rows[k].name));
  return all;
}

bool uses_any(const Index& index, const std::vector<ir::Axis>& axes) {
  return std::any_of(axes.begin(), axes.end(), [&](const ir::Axis& axis) { return index.uses_axis(axis.name); });
}

// Whether the columns are the innermost dimension of what is reduced.
bool columns_are_innermost(const Draft& draft) {
  for (const Step& step : draft.steps)
    for (const Read& read : step.reads) {
      auto along = [&](const Index& index) { return uses_any(index, draft.cols); };
      if (read.inside || std::none_of(read.index.begin(), read.index.end(), along)) continue;
      for (size_t d = read.index.size(); d-- > 0;)
        if (!read.index[d].axes().empty()) return along(read.index[d]);
    }
  return true;
}

std::vector<Opening> open(const Draft& draft) {
  switch (draft.kind) {
    case Cluster::Kind::Elementwise:
      return draft.rows.empty() ? std::vector<Opening>() : open_elements(draft);
    case Cluster::Kind::Rows:
      return open_last(draft);
    case Cluster::Kind::Contraction:
      break;
  }
  switch (draft.anchor) {
    case OpKind::Conv:
    case OpKind::ConvTranspose:
    case OpKind::MaxPool:
    case OpKind::AveragePool:
      return open_images(draft);
    case OpKind::MatMul:
    case OpKind::Gemm:
      return open_matrices(draft);
    default:
      return open_last(draft);
  }
}

}  // namespace

Openings openings_of(const Draft& draft, const Phases& phases) {
  Openings result;
  result.nests = open(draft);
  // With tiles over the columns, a few rows at a time keep them in the nearest cache.
  bool few_rows =
      draft.kind == Cluster::Kind::Rows && phases.count > 1 && !draft.rows.empty() && columns_are_innermost(draft);
  if (few_rows) {
    const std::string& row = draft.rows.back().name;
    result.nests.push_back({false, row, Index::symbol(fmt::format("T_{}_inner", row))});
  }
  for (const ir::Axis& axis : draft.rows) {
    bool single = std::any_of(result.nests.begin(), result.nests.end(), [&](const Opening& nest) {
      return nest.grid && nest.axis == axis.name && nest.step.is(1);
    });
    if (!single) result.tiled.push_back(axis.name);
  }
  return result;
}

}  // namespace hone::fuse
