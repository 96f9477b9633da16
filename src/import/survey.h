// Which operators a model uses, told before anything is compiled. Whether a known operator is taken in the form that
// the model has it is for import_model to say.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace hone::import {

struct OperatorUse {
  std::string name;  // "Conv"; operators of other domains are "domain.Name"
  int count = 0;     // nodes, those of inner graphs included
  bool known = false;
};

struct Survey {
  int64_t opset = 0;
  std::string producer;
  std::vector<OperatorUse> operators;  // by name
};

Result<Survey> survey_model(const std::filesystem::path& file);

}  // namespace hone::import
