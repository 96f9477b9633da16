#include "base/knobs.h"
#include "pipeline/compile.h"

namespace hone::pipeline {

size_t CompiledModel::code_bytes() const {
  size_t bytes = 0;
  for (const auto& object : objects) bytes += object.size();
  return bytes;
}

Result<std::shared_ptr<runtime::Session>> load(CompiledModel model, const Options& options) {
  codegen::JitOptions jit;
  jit.perf_map = knob(Knob::PerfMap) == "1";
  HONE_TRY(std::shared_ptr<codegen::JitModule> code,
           codegen::JitModule::load({model.objects.begin(), model.objects.end()}, jit));
  runtime::Code functions;
  for (const std::string& name : model.executable.functions) {
    functions.functions.push_back(code->find(name));
    HONE_CHECK(functions.functions.back() != nullptr, "the object has no function {}", name);
  }
  functions.owner = code;
  runtime::Weights weights{model.weights->data(), model.weights->size(), model.weights};
  return runtime::Session::create(std::move(model.executable), std::move(functions), std::move(weights),
                                  options.threads);
}

}  // namespace hone::pipeline
