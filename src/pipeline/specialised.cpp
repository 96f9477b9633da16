#include "pipeline/specialised.h"

#include <algorithm>
#include <fstream>
#include <list>
#include <mutex>
#include <set>

#include "pipeline/face.h"
#include "pipeline/open.h"

namespace hone::pipeline {
namespace {

using runtime::InputTensor;
using runtime::OutputMemory;

constexpr size_t kRunnersKept = 16;

class Specialised : public runtime::Runner {
 public:
  Specialised(ModelSource source, Options options, const std::vector<std::string>& deciding, runtime::Executable face,
              int threads)
      : source_(std::move(source)),
        options_(std::move(options)),
        face_(std::move(face)),
        threads_(threads),
        deciding_(deciding.begin(), deciding.end()) {}

  const runtime::Executable& face() const override { return face_; }
  int threads() const override { return threads_; }
  // Any input may turn out to decide something once others are known.
  bool shapes_need_data(size_t) const override { return true; }

  Result<runtime::Shapes> output_shapes(std::span<const InputTensor> inputs) override {
    HONE_TRY(std::shared_ptr<runtime::Runner> runner, runner_for(inputs));
    return runner->output_shapes(inputs);
  }
  Result<std::vector<runtime::OutputTensor>> run(std::span<const InputTensor> inputs) override {
    HONE_TRY(std::shared_ptr<runtime::Runner> runner, runner_for(inputs));
    return runner->run(inputs);
  }
  Status run(std::span<const InputTensor> inputs, std::span<const OutputMemory> outputs) override {
    HONE_TRY(std::shared_ptr<runtime::Runner> runner, runner_for(inputs));
    return runner->run(inputs, outputs);
  }
  Result<std::vector<runtime::StepTime>> run_profiled(std::span<const InputTensor> inputs,
                                                      std::span<const OutputMemory> outputs) override {
    HONE_TRY(std::shared_ptr<runtime::Runner> runner, runner_for(inputs));
    return runner->run_profiled(inputs, outputs);
  }
  Result<int64_t> arena_bytes(std::span<const InputTensor> inputs) override {
    HONE_TRY(std::shared_ptr<runtime::Runner> runner, runner_for(inputs));
    return runner->arena_bytes(inputs);
  }

 private:
  using Values = std::map<std::string, eval::Tensor>;
  struct Kept {
    Values values;
    std::shared_ptr<runtime::Runner> runner;
  };

  static bool same(const Values& a, const Values& b) {
    auto equal = [](const auto& x, const auto& y) {
      return x.first == y.first && x.second.shape == y.second.shape && x.second.bytes == y.second.bytes;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
  }

  Result<Values> deciding_values(std::span<const InputTensor> inputs) const {
    Values values;
    for (size_t k = 0; k < inputs.size(); ++k) {
      const runtime::PortSpec& port = face_.inputs[k];
      if (!deciding_.contains(port.name)) continue;
      if (inputs[k].dtype != port.dtype)
        return error("input '{}' is of type {}; {} would work", port.name, inputs[k].dtype, port.dtype);
      eval::Tensor tensor = eval::zeros(*ir::dtype_named(port.dtype), {inputs[k].shape.begin(), inputs[k].shape.end()});
      if (!tensor.bytes.empty()) std::memcpy(tensor.bytes.data(), inputs[k].data, tensor.bytes.size());
      values.emplace(port.name, std::move(tensor));
    }
    return values;
  }

  // The first call with new values compiles, and the others wait for it.
  Result<std::shared_ptr<runtime::Runner>> runner_for(std::span<const InputTensor> inputs) {
    if (inputs.size() != face_.inputs.size())
      return error("model '{}' has {} inputs, got {}", face_.name, face_.inputs.size(), inputs.size());
    std::lock_guard lock(mutex_);
    while (true) {
      HONE_TRY(Values values, deciding_values(inputs));
      auto found =
          std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return same(kept.values, values); });
      if (found != kept_.end()) {
        kept_.splice(kept_.begin(), kept_, found);
        return kept_.front().runner;
      }
      HONE_TRY(import::Imported imported,
               import::import_or_ask(source_.bytes, source_.folder, import::ImportOptions{{}, values}));
      if (auto* undecided = std::get_if<import::Undecided>(&imported)) {
        HONE_PASS(know_more(*undecided));
        continue;
      }
      HONE_TRY(std::shared_ptr<runtime::Runner> runner,
               open_program(std::get<ir::Program>(std::move(imported)), options_));
      kept_.push_front({std::move(values), runner});
      if (kept_.size() > kRunnersKept) kept_.pop_back();
      return runner;
    }
  }

  // With the values of some inputs given, further ones turn out to decide.
  Status know_more(const import::Undecided& undecided) {
    for (const std::string& name : undecided.inputs)
      if (!deciding_.insert(name).second) return error("the value of input '{}' does not decide what it must", name);
    return Done{};
  }

  const ModelSource source_;
  const Options options_;
  const runtime::Executable face_;
  const int threads_;
  std::mutex mutex_;
  std::set<std::string> deciding_;
  std::list<Kept> kept_;  // latest used first
};

}  // namespace

Result<ModelSource> read_source(const std::filesystem::path& model) {
  std::ifstream file(model, std::ios::binary | std::ios::ate);
  if (!file) return error("'{}' cannot be read", model.string());
  ModelSource source;
  source.bytes.resize(static_cast<size_t>(file.tellg()));
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(source.bytes.data()), static_cast<std::streamsize>(source.bytes.size())))
    return error("'{}' cannot be read", model.string());
  source.folder = import::folder_of(model);
  return source;
}

Result<std::shared_ptr<runtime::Runner>> specialise(ModelSource source, const Options& options,
                                                    const import::Undecided& undecided) {
  runtime::Executable face = face_of(undecided.face);
  HONE_TRY(target::Target target, target_of(options));
  HONE_TRY(int threads, runtime::choose_threads(options.threads));
  face.isa = target::name_of(target.isa);
  return std::shared_ptr<runtime::Runner>(
      std::make_shared<Specialised>(std::move(source), options, undecided.inputs, std::move(face), threads));
}

}  // namespace hone::pipeline
