// One function of Loop IR as one function of an LLVM module, with the C interface of abi/kernel.h.
#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/llvm/emit/arithmetic.h"

namespace hone::codegen {

class Emitter {
 public:
  Emitter(llvm::Module& module, const ir::loop::Function& function, const Isa& isa);
  void run();

 private:
  // Variables that a part reads and does not assign, by name.
  using Given = std::map<std::string, ir::loop::VectorType>;

  void create_function(const Given& given);
  llvm::Function* run_part(const ir::loop::Block& body, const Given& given);
  void load_arguments();
  void make_alias_scopes();

  void block(const ir::loop::Block& statements);
  void statement(const ir::loop::Statement& s);
  void assign(const std::string& name, ir::loop::VectorType type, llvm::Value* value);
  void store(const ir::loop::Statement& s);
  void stream(const ir::loop::Statement& s, llvm::Value* where, llvm::Value* value);
  void loop(const ir::loop::Statement& s);
  void branch(const ir::loop::Statement& s);
  void part(const ir::loop::Statement& s);
  void prefetch(const ir::loop::Statement& s);

  llvm::Value* expr(const ir::loop::Expr& e);
  llvm::Value* compute(const ir::loop::ExprNode& e);
  llvm::Value* operand(const ir::loop::Expr& e);
  llvm::Value* variable(const ir::loop::ExprNode& e);
  llvm::Value* load(const ir::loop::ExprNode& e);
  llvm::Value* gather(const ir::loop::ExprNode& e);
  bool goes_alone(int lanes) const;
  llvm::Value* every_lane(int lanes);

  llvm::AllocaInst* slot(const std::string& name, ir::loop::VectorType type);
  llvm::Value* address(int buffer, llvm::Value* offset);
  llvm::Type* memory_type(int buffer, int lanes);
  llvm::Align alignment(int buffer) const;
  // Bool is a byte in memory.
  llvm::Value* from_memory(int buffer, llvm::Value* value);
  llvm::Value* to_memory(int buffer, llvm::Value* value);
  void mark(llvm::Instruction* access, int buffer);
  ir::DType dtype(int buffer) const { return source_.buffers[static_cast<size_t>(buffer)].dtype; }

  llvm::Module& module_;
  const ir::loop::Function& source_;
  const Isa& isa_;
  Builder b_;
  Arithmetic arithmetic_;
  llvm::Function* function_ = nullptr;
  llvm::BasicBlock* entry_ = nullptr;
  std::vector<llvm::Value*> buffers_, sizes_;
  std::vector<llvm::MDNode*> own_scope_, other_scopes_;
  std::map<std::string, llvm::AllocaInst*> variables_;
  std::unordered_map<llvm::Constant*, llvm::GlobalVariable*> constants_;
  std::map<int, llvm::Value*> every_lane_;  // masks of the function, by their number of lanes
  // Values of the current statement: a shared operand is computed once.
  std::unordered_map<const ir::loop::ExprNode*, llvm::Value*> values_;
};

}  // namespace hone::codegen
