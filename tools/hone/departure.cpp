#include "hone/departure.h"

#include <algorithm>

#include "hone/call.h"
#include "hone/onnxruntime.h"

namespace hone::tools {

Result<std::vector<Departure::Verdict>> Departure::outputs_of(const std::filesystem::path& model) const {
  ModelOptions subject = model_;
  subject.path = model.string();
  HONE_TRY(LoadedModel loaded, load_model(subject));
  std::vector<eval::Tensor> inputs;
  for (const runtime::PortSpec& port : loaded.runner->face().inputs) inputs.push_back(inputs_.at(port.name));
  HONE_TRY(Call call, Call::make(loaded.runner, inputs));
  HONE_PASS(call.run());
  std::vector<eval::Tensor> outputs = call.outputs();
  HONE_TRY(Reference reference, run_onnxruntime(model.string(), inputs));
  if (outputs.size() != reference.outputs.size())
    return error("Hone has {} outputs, {} has {}", outputs.size(), reference.name, reference.outputs.size());
  std::vector<Verdict> verdicts;
  for (size_t k = 0; k < outputs.size(); ++k) {
    Verdict verdict{loaded.runner->face().outputs[k].name, true, ""};
    auto difference = compare(outputs[k], reference.outputs[k], tolerance_);
    if (difference) {
      verdict.departs = difference->outside > 0;
      verdict.detail = fmt::format("largest difference {:.3g}, {} of {} elements outside the tolerance",
                                   difference->absolute, difference->outside, difference->elements);
    } else {
      verdict.detail = difference.problem().message;
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

Result<std::vector<eval::Tensor>> Departure::reference_of(const std::filesystem::path& model) const {
  HONE_TRY(std::vector<std::string> names, inputs_of(model));
  std::vector<eval::Tensor> inputs;
  for (const std::string& name : names) inputs.push_back(inputs_.at(name));
  HONE_TRY(Reference reference, run_onnxruntime(model.string(), inputs));
  return reference.outputs;
}

Result<bool> Departure::departs(const std::filesystem::path& model) const {
  HONE_TRY(std::vector<Verdict> verdicts, outputs_of(model));
  return std::any_of(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) { return verdict.departs; });
}

Result<std::optional<size_t>> Departure::first_layer(const std::vector<Layer>& layers,
                                                     const std::filesystem::path& folder) const {
  size_t agreed = 0, departed = layers.size();
  while (agreed < departed) {
    size_t middle = (agreed + departed) / 2;
    HONE_PASS(write_with_outputs(model_.path, {layers[middle].tensor}, folder / "cut.onnx"));
    HONE_TRY(bool bad, departs(folder / "cut.onnx"));
    (bad ? departed : agreed) = bad ? middle : middle + 1;
  }
  if (departed == layers.size()) return std::optional<size_t>();
  return std::optional(departed);
}

}  // namespace hone::tools
