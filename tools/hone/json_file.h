// Reports for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"

namespace hone::tools {

// Texts of a model that are not UTF-8 are written with replacement characters.
std::string json_text(const nlohmann::ordered_json& value);
Status write_json(const std::string& file, const nlohmann::ordered_json& value);

}  // namespace hone::tools
