// Index over the model's symbols → formula that the runtime evaluates.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/index.h"
#include "runtime/formula.h"

namespace hone::pipeline {

class SizeFormulas {
 public:
  // `meanings`: what a symbol of an Index is in terms of the numbers that are bound to the symbols; others are their own.
  explicit SizeFormulas(const std::vector<std::string>& symbols, std::map<std::string, ir::Index> meanings = {});

  runtime::Formula of(const ir::Index& index) const;
  bool knows_symbols_of(const ir::Index& index) const;
  int64_t number_of(const std::string& symbol) const;

 private:
  runtime::Formula plain(const ir::Index& index) const;
  runtime::Formula atom(const ir::IndexAtom& atom) const;

  std::unordered_map<std::string, int64_t> numbers_;
  std::map<std::string, ir::Index> meanings_;
};

}  // namespace hone::pipeline
