// A part becomes a function of its own: LLVM shares the registers of a function out among everything that lives in it, and
// what lives around a loop nest must not push the nest's own values onto the stack.
#include <set>
#include <unordered_set>

#include "codegen/llvm/emit/emitter.h"

namespace hone::codegen {
namespace {

using ir::loop::Block;
using ir::loop::Expr;
using ir::loop::ExprKind;
using ir::loop::ExprNode;
using ir::loop::Statement;
using ir::loop::StmtKind;
using ir::loop::VectorType;

class Variables {
 public:
  explicit Variables(const Block& body) { visit(body); }

  std::map<std::string, VectorType> read;
  std::set<std::string> assigned;

 private:
  void visit(const Block& body) {
    for (const Statement& s : body) {
      for (const Expr& e : s.args) visit(*e);
      if (s.kind == StmtKind::Assign || s.kind == StmtKind::For) assigned.insert(s.variable);
      visit(s.body);
      visit(s.otherwise);
    }
  }

  void visit(const ExprNode& e) {
    if (!seen_.insert(&e).second) return;
    if (e.kind == ExprKind::Variable) read.emplace(e.name, e.type);
    for (const Expr& argument : e.args) visit(*argument);
  }

  std::unordered_set<const ExprNode*> seen_;
};

}  // namespace

void Emitter::part(const Statement& s) {
  Variables variables(s.body);
  Given given;
  for (const auto& [name, type] : variables.read)
    if (!variables.assigned.contains(name) && name != "task_begin" && name != "task_end") given.emplace(name, type);
  llvm::Function* callee = Emitter(module_, source_, isa_).run_part(s.body, given);
  std::vector<llvm::Value*> arguments;
  for (unsigned number = 0; number < 5; ++number) arguments.push_back(function_->getArg(number));
  for (const auto& [name, type] : given)
    arguments.push_back(b_.CreateLoad(llvm_type(b_.getContext(), type), slot(name, type), name));
  b_.CreateCall(callee, arguments);
}

llvm::Function* Emitter::run_part(const Block& body, const Given& given) {
  create_function(given);
  function_->setName(source_.name + ".part");
  function_->setLinkage(llvm::GlobalValue::InternalLinkage);
  function_->addFnAttr(llvm::Attribute::NoInline);
  make_alias_scopes();
  load_arguments();
  unsigned number = 5;
  for (const auto& [name, type] : given) assign(name, type, function_->getArg(number++));
  block(body);
  b_.CreateRetVoid();
  return function_;
}

}  // namespace hone::codegen
