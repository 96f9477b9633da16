#include <algorithm>

#include "pipeline/assemble.h"
#include "pipeline/index_formula.h"

namespace hone::pipeline {

std::vector<EqualSizes> sizes_to_check(const ir::Program& program) {
  std::vector<EqualSizes> sizes;
  for (const ir::Op& op : program.ops) {
    if (op.kind != ir::OpKind::Reshape) continue;
    ir::Index left = ir::product(program.type(op.inputs[0]).shape),
              right = ir::product(program.type(op.outputs[0]).shape);
    if (!(left == right)) sizes.push_back({left, right, op.name});
  }
  return sizes;
}

std::vector<runtime::SizeCheck> size_checks(const std::vector<EqualSizes>& sizes,
                                            const std::vector<std::string>& symbols) {
  std::vector<runtime::SizeCheck> checks;
  for (const EqualSizes& equal : sizes) {
    auto known = [&](const std::string& name) {
      return std::find(symbols.begin(), symbols.end(), name) != symbols.end();
    };
    std::vector<std::string> names = equal.left.symbols();
    for (const std::string& name : equal.right.symbols()) names.push_back(name);
    if (!std::all_of(names.begin(), names.end(), known)) continue;
    checks.push_back({formula_of(equal.left, symbols), formula_of(equal.right, symbols),
                      fmt::format("{} must equal {} ({})", equal.left.text(), equal.right.text(), equal.node)});
  }
  return checks;
}

}  // namespace hone::pipeline
