// All reasons for which a model is refused, gathered so that the user sees them at once.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/result.h"

namespace hone::import {

class Refusals {
 public:
  // `undecided`: knowing the values of some inputs would answer it.
  void add(const std::string& op_type, const std::string& node, const std::string& reason, bool undecided = false);
  bool any() const { return !entries_.empty(); }
  bool all_undecided() const;
  // One line per operator and reason, in the order of first appearance, with a few node names and their number.
  Error summary(int opset) const;

 private:
  struct Entry {
    std::string op_type, reason;
    std::vector<std::string> nodes;  // the first few
    int count = 0;
    bool undecided = false;
  };
  std::vector<Entry> entries_;
  std::map<std::tuple<std::string, std::string, bool>, size_t> places_;  // by operator, reason and undecided
};

}  // namespace hone::import
