#include "ir/program/meaning.h"
#include "pipeline/assemble.h"

namespace hone::pipeline {
namespace {

using ir::Index;

// Import makes sizes equal where it can. Where it leaves that open, an operand may turn out smaller than what is read
// of it: an equation is added that holds just for the sizes with which it is not.
class ReadChecks {
 public:
  ReadChecks(std::vector<EqualSizes>& sizes, const std::optional<EqualSizes::Branch>& branch)
      : sizes_(sizes), branch_(branch) {}

  // `node` is the op that a body stands for; empty for the program itself, whose ops have names of their own.
  void look_at(const ir::Program& program, const std::string& node) {
    for (const ir::Op& op : program.ops) look_at(program, op, node.empty() ? op.name : node);
  }

 private:
  void look_at(const ir::Program& program, const ir::Op& op, const std::string& node) {
    switch (ir::meaning_kind(op.kind)) {
      case ir::MeaningKind::Indexed:
        return look_at_accesses(program, op, node);
      case ir::MeaningKind::View:
        // The counts of a Reshape are compared as a whole.
        if (op.kind != ir::OpKind::Reshape) look_at_pieces(program, op, node);
        return;
      case ir::MeaningKind::Composite:
        return look_at(ir::composite_body(program, op), node);
      case ir::MeaningKind::Scan:
        return look_at(ir::scan_meaning(program, op).step, node);
      case ir::MeaningKind::Library:
      case ir::MeaningKind::Control:
      case ir::MeaningKind::Trim:
        return;
    }
  }

  void look_at_accesses(const ir::Program& program, const ir::Op& op, const std::string& node) {
    ir::Indexed meaning = ir::indexed_meaning(program, op);
    Extents extents;
    for (const ir::Axis& axis : meaning.axes) extents.emplace(axis.name, axis.extent);
    for (const ir::Axis& axis : meaning.reduce) extents.emplace(axis.name, axis.extent);
    Index points = 1;
    for (const ir::Axis& axis : meaning.axes) points = points * axis.extent;
    auto look = [&](const ir::Access& access) {
      const ir::Shape& shape = program.type(op.inputs[static_cast<size_t>(access.operand)]).shape;
      for (size_t d = 0; d < shape.size(); ++d) {
        if (access.border.rule == ir::Border::Rule::Fill) continue;
        bool brought_inside = access.border.rule != ir::Border::Rule::None || access.index[d].uses_read();
        if (brought_inside)
          need_any(shape[d], points, node);
        else
          need(access.index[d], extents, shape[d], node);
      }
    };
    for (const ir::Access& access : meaning.accesses) look(access);
    for (const ir::Access& access : meaning.after) look(access);
  }

  void look_at_pieces(const ir::Program& program, const ir::Op& op, const std::string& node) {
    ir::View view = ir::view_meaning(program, op);
    const ir::Shape& result = program.type(op.outputs[0]).shape;
    Extents extents;
    for (size_t i = 0; i < result.size(); ++i)
      if (view.pieces.size() == 1 || static_cast<int>(i) != view.axis)
        extents.emplace(fmt::format("d{}", i), result[i]);
    for (const ir::ViewPiece& piece : view.pieces) {
      const ir::Shape& shape = program.type(op.inputs[static_cast<size_t>(piece.operand)]).shape;
      for (size_t d = 0; d < shape.size(); ++d) need(piece.map[d], extents, shape[d], node);
    }
  }

  using Extents = std::map<std::string, Index>;

  // An index is looked at if it is an axis, or an axis of an operand that is broadcast if its size turns out to be 1.
  // Others are shown to stay inside where they are made, or have a border.
  void need(const Index& index, const Extents& extents, const Index& size, const std::string& node) {
    for (const auto& [name, extent] : extents) {
      if (index == Index::axis(name) && !ir::provably_at_most(extent, size))
        sizes_.push_back({ir::min(extent, size), extent, node, branch_});
      if (!size.constant() && index == ir::min(Index::axis(name), size - 1))
        sizes_.push_back({(size - 1) * (size - extent), 0, node, branch_});
    }
  }

  // An index that is brought inside by the size needs a size other than 0, unless nothing is computed.
  void need_any(const Index& size, const Index& points, const std::string& node) {
    if (ir::provably_at_most(1, size)) return;
    sizes_.push_back({ir::min(ir::min(size, points), 1), ir::min(points, 1),
                      node + ": an index needs elements to choose from", branch_});
  }

  std::vector<EqualSizes>& sizes_;
  const std::optional<EqualSizes::Branch>& branch_;
};

using runtime::StepSpec;

void collect(const ir::Program& program, const std::optional<EqualSizes::Branch>& branch,
             std::vector<EqualSizes>& sizes) {
  for (const ir::Op& op : program.ops) {
    for (size_t k = 0; k < op.bodies.size(); ++k) {
      bool is_if = op.kind == ir::OpKind::If;
      collect(op.bodies[k], is_if ? EqualSizes::Branch{op.name, k} : branch, sizes);
    }
    if (op.kind != ir::OpKind::Reshape) continue;
    ir::Index left = ir::product(program.type(op.inputs[0]).shape),
              right = ir::product(program.type(op.outputs[0]).shape);
    if (!(left == right)) sizes.push_back({left, right, op.name, branch});
  }
  ReadChecks(sizes, branch).look_at(program, "");
}

void find_ifs(std::vector<StepSpec>& steps, const std::string& label, std::vector<StepSpec*>& found) {
  for (StepSpec& step : steps) {
    if (step.kind == StepSpec::Kind::If && step.label == label) found.push_back(&step);
    for (auto& body : step.bodies) find_ifs(body, label, found);
  }
}

StepSpec check_step(const runtime::SizeCheck& check) {
  StepSpec step;
  step.kind = StepSpec::Kind::Check;
  step.label = check.what;
  step.sizes = {check.left, check.right};
  return step;
}

}  // namespace

std::vector<EqualSizes> sizes_to_check(const ir::Program& program) {
  std::vector<EqualSizes> sizes;
  collect(program, std::nullopt, sizes);
  return sizes;
}

void add_size_checks(const std::vector<EqualSizes>& sizes, const SizeFormulas& formulas,
                     runtime::Executable& executable) {
  for (const EqualSizes& equal : sizes) {
    if (!formulas.knows_symbols_of(equal.left) || !formulas.knows_symbols_of(equal.right)) continue;
    runtime::SizeCheck check{formulas.of(equal.left), formulas.of(equal.right),
                             fmt::format("{} must equal {} ({})", equal.left.text(), equal.right.text(), equal.node)};
    std::vector<StepSpec*> ifs;
    if (equal.branch) find_ifs(executable.steps, equal.branch->node, ifs);
    if (ifs.size() != 1) {
      executable.checks.push_back(std::move(check));
      continue;
    }
    auto& body = ifs[0]->bodies[equal.branch->body];
    body.insert(body.begin(), check_step(check));
  }
}

}  // namespace hone::pipeline
