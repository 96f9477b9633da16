#include "eval/sizes.h"

#include "eval/tensor.h"

namespace hone::eval {
namespace {

bool all_known(const ir::Index& dimension, const Sizes& sizes) {
  for (const std::string& symbol : dimension.symbols())
    if (!sizes.count(symbol)) return false;
  return true;
}

// dimension == actual, solved for its only unknown symbol. Nothing if it is not linear in just one.
std::optional<std::pair<std::string, int64_t>> solve(const ir::Index& dimension, int64_t actual, const Sizes& sizes) {
  std::optional<std::string> unknown;
  for (const std::string& symbol : dimension.symbols()) {
    if (sizes.count(symbol)) continue;
    if (unknown) return std::nullopt;
    unknown = symbol;
  }
  if (!unknown) return std::nullopt;
  auto linear = dimension.substitute({{*unknown, ir::Index::axis(*unknown)}}).linear_in(*unknown);
  if (!linear) return std::nullopt;
  int64_t slope = size_of(linear->first, sizes), rest = actual - size_of(linear->second, sizes);
  if (slope == 0 || rest % slope != 0) return std::nullopt;
  return std::pair{*unknown, rest / slope};
}

}  // namespace

int64_t size_of(const ir::Index& dimension, const Sizes& sizes) {
  if (auto constant = dimension.constant()) return *constant;
  return dimension.evaluate([&](const std::string& name) {
    auto found = sizes.find(name);
    HONE_CHECK(found != sizes.end(), "size {} has no value", name);
    return found->second;
  });
}

std::vector<int64_t> shape_of(const ir::Shape& shape, const Sizes& sizes) {
  std::vector<int64_t> result;
  for (const ir::Index& dimension : shape) result.push_back(size_of(dimension, sizes));
  return result;
}

Status bind_sizes(const std::string& what, const ir::Shape& type, const std::vector<int64_t>& actual, Sizes& sizes) {
  if (type.size() != actual.size())
    return error("{} has shape {}, its rank must be {}", what, text_of(actual), type.size());
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < type.size(); ++i)
      if (auto solved = solve(type[i], actual[i], sizes)) {
        sizes.insert(*solved);
        again = true;
      }
  }
  for (size_t i = 0; i < type.size(); ++i)
    if (all_known(type[i], sizes) && size_of(type[i], sizes) != actual[i])
      return error("{} has shape {}; dimension {} must be {} = {}", what, text_of(actual), i, type[i].text(),
                   size_of(type[i], sizes));
  return Done{};
}

}  // namespace hone::eval
