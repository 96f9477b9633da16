// Words of the text form of Loop IR.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"

namespace hone::ir::loop {

struct Token {
  enum class Kind { Name, Number, Symbol, End };
  Kind kind = Kind::End;
  std::string_view text{};
  int line = 0;
};

// The last token is End. Views into `text`.
Result<std::vector<Token>> tokens_of(std::string_view text);

}  // namespace hone::ir::loop
