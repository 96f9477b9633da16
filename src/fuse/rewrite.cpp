#include "fuse/rewrite.h"

namespace hone::fuse {
namespace {

using Rewrite = std::function<ir::Index(const ir::Index&, const Spot&)>;

void rewrite_statement(const ir::Kernel& kernel, ir::Stmt& statement, const Rewrite& by) {
  for (ir::Access& access : statement.accesses)
    for (size_t d = 0; d < access.index.size(); ++d) {
      bool bordered = access.border.rule != ir::Border::Rule::None;
      access.index[d] = by(access.index[d], {Spot::Kind::Access, access.operand, static_cast<int>(d), bordered});
    }
  int place = kernel.place_of(statement.result);
  for (size_t d = 0; d < statement.at.size(); ++d)
    statement.at[d] = by(statement.at[d], {Spot::Kind::Target, place, static_cast<int>(d), false});
  statement.body =
      ir::replace_indices(statement.body, [&](const ir::Index& index) { return by(index, {Spot::Kind::Value}); });
}

void rewrite_nodes(const ir::Kernel& kernel, std::vector<ir::Node>& nodes, const Rewrite& by) {
  for (ir::Node& node : nodes) {
    if (ir::Group* group = std::get_if<ir::Group>(&node)) {
      for (ir::Stmt& statement : group->inner) rewrite_statement(kernel, statement, by);
      for (ir::Stmt& statement : group->outer) rewrite_statement(kernel, statement, by);
      continue;
    }
    auto nest = std::make_shared<ir::Nest>(*std::get<std::shared_ptr<const ir::Nest>>(node));
    rewrite_nodes(kernel, nest->body, by);
    node = std::shared_ptr<const ir::Nest>(std::move(nest));
  }
}

}  // namespace

void rewrite_indices(ir::Kernel& kernel, const Rewrite& by) {
  rewrite_nodes(kernel, kernel.body, by);
}

}  // namespace hone::fuse
