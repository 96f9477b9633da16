// One statement of a group: accesses written in place become entries of Stmt::accesses, registers become known.
#pragma once

#include <set>

#include "ir/mugraph/kernel.h"
#include "ir/text/scalar_text.h"

namespace hone::ir::text {

class StatementParser {
 public:
  // Adds the registers that statements define to the kernel; buffers, axes and tiles must be there already.
  StatementParser(Lexer& lexer, Kernel& kernel) : lexer_(lexer), kernel_(kernel) {}

  // Registers are visible in one group only.
  void open_group() { visible_.clear(); }
  Result<Stmt> statement();
  // A scalar without accesses, for a place of this type.
  Result<Scalar> initial_value(DType type);

  bool is_axis(const std::string& name) const;

 private:
  Status result_of(Stmt& statement, std::optional<DType>& type, const Token& name);
  Status add_register(const std::string& name, DType type, const Token& token);
  Combine combine();
  Result<Border> border();
  Result<std::optional<int>> access();  // its number in the open statement; nothing if no access stands here
  Result<std::optional<Index>> read();
  int numbered(Access access);
  IndexScope index_scope();
  ScalarScope scalar_scope();

  Lexer& lexer_;
  Kernel& kernel_;
  std::set<std::string> visible_;
  std::vector<Access> accesses_;
};

}  // namespace hone::ir::text
