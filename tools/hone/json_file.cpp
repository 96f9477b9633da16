#include "hone/json_file.h"

#include <fstream>

namespace hone::tools {

std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Status write_json(const std::string& file, const nlohmann::ordered_json& value) {
  std::ofstream out(file);
  out << json_text(value);
  if (!out.flush()) return error("'{}' cannot be written", file);
  return Done{};
}

}  // namespace hone::tools
