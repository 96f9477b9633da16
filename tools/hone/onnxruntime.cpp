#include "hone/onnxruntime.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "hone/npy.h"
#include "hone/process.h"

namespace hone::tools {
namespace {

// Inputs are in<k>.npy of the folder, in the model's order; outputs become out<k>.npy, and done.json tells about them.
constexpr const char* kScript = R"(
import json, sys
import numpy as np
import onnxruntime as ort
model, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
ort.set_default_logger_severity(3)
session = ort.InferenceSession(model, providers=["CPUExecutionProvider"])
names = [i.name for i in session.get_inputs()]
if len(names) != count:
    sys.exit(f"onnxruntime wants the inputs {names}, Hone has {count}")
feeds = {name: np.load(f"{folder}/in{k}.npy") for k, name in enumerate(names)}
outputs = session.run(None, feeds)
for k, value in enumerate(outputs):
    if not isinstance(value, np.ndarray):
        sys.exit(f"output {k} is no tensor")
    np.save(f"{folder}/out{k}.npy", np.asarray(value, order="C"))
json.dump({"version": ort.__version__, "outputs": len(outputs)}, open(f"{folder}/done.json", "w"))
)";

// The last lines of a trace of Python say what happened.
std::string last_lines(const std::string& text, int lines) {
  size_t begin = text.find_last_not_of('\n');
  size_t end = begin == std::string::npos ? 0 : begin + 1;
  for (begin = end; begin > 0; --begin)
    if (text[begin - 1] == '\n' && begin != end && --lines == 0) break;
  return text.substr(begin, end - begin);
}

Error no_answer(const std::string& python, const std::string& said) {
  return error("onnxruntime did not answer ({}):\n{}\nHONE_PYTHON may name an interpreter with onnxruntime and numpy",
               python, last_lines(said, 6));
}

}  // namespace

Result<Reference> run_onnxruntime(const std::string& model, const std::vector<eval::Tensor>& inputs) {
  HONE_TRY(TemporaryFolder folder, TemporaryFolder::make());
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k].dtype == ir::DType::BF16 || ir::is_storage(inputs[k].dtype))
      return error("{0} inputs cannot be handed to onnxruntime: numpy has no {0}", ir::name_of(inputs[k].dtype));
    HONE_PASS(write_npy(folder.path() / fmt::format("in{}.npy", k), inputs[k]));
  }
  std::string python = python_path();
  HONE_TRY(Finished finished,
           run_process({python, "-c", kScript, model, folder.path().string(), std::to_string(inputs.size())}));
  std::ifstream file(folder.path() / "done.json");
  auto done = nlohmann::json::parse(file, nullptr, false);
  if (finished.exit_code != 0 || done.is_discarded()) return no_answer(python, finished.output);
  Reference reference;
  reference.name = "onnxruntime " + done.value("version", "");
  for (size_t k = 0; k < done.value("outputs", size_t{0}); ++k) {
    HONE_TRY(eval::Tensor output, read_npy(folder.path() / fmt::format("out{}.npy", k)));
    reference.outputs.push_back(std::move(output));
  }
  return reference;
}

Result<std::string> onnxruntime_version() {
  std::string python = python_path();
  HONE_TRY(Finished finished, run_process({python, "-c", "import numpy, onnxruntime; print(onnxruntime.__version__)"}));
  if (finished.exit_code != 0) return no_answer(python, finished.output);
  return fmt::format("{} ({})", last_lines(finished.output, 1), python);
}

}  // namespace hone::tools
