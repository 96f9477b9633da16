#include "pipeline/specialised.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "pipeline/choosing.h"
#include "pipeline/face.h"
#include "pipeline/open.h"

namespace hone::pipeline {
namespace {

using runtime::InputTensor;

class Specialised : public Choosing {
 public:
  Specialised(std::shared_ptr<const ModelSource> source, Options options, const import::Undecided& undecided,
              runtime::Executable face, int threads)
      : source_(std::move(source)),
        options_(std::move(options)),
        face_(std::move(face)),
        threads_(threads),
        deciding_(undecided.inputs.begin(), undecided.inputs.end()) {
    for (const import::OpenSize& size : undecided.sizes) deciding_sizes_.emplace(size.symbol, DecidingSize{size});
  }

  const runtime::Executable& face() const override { return face_; }
  int threads() const override { return threads_; }
  // Any input may turn out to decide something once others are known.
  bool shapes_need_data(size_t) const override { return true; }

 protected:
  // The first call with new values compiles, and the others wait for it.
  Result<std::shared_ptr<runtime::Runner>> runner_for(std::span<const InputTensor> inputs) override {
    if (inputs.size() != face_.inputs.size())
      return error("model '{}' has {} inputs, got {}", face_.name, face_.inputs.size(), inputs.size());
    std::lock_guard lock(mutex_);
    while (true) {
      HONE_TRY(import::ImportOptions given, deciding_facts(inputs));
      if (std::shared_ptr<runtime::Runner> kept = runners_.find(given)) return kept;
      HONE_TRY(import::Imported imported, source_->import(given));
      if (auto* undecided = std::get_if<import::Undecided>(&imported)) {
        HONE_PASS(know_more(*undecided));
        continue;
      }
      HONE_TRY(std::shared_ptr<runtime::Runner> runner,
               open_decided(source_, given, std::get<import::Decided>(std::move(imported)), options_));
      runners_.keep(std::move(given), runner);
      return runner;
    }
  }

 private:
  using Values = std::map<std::string, eval::Tensor>;
  struct DecidingSize {
    import::OpenSize place;
    bool as_number = false;  // it does not suffice to know whether it is 1
  };

  Result<import::ImportOptions> deciding_facts(std::span<const InputTensor> inputs) const {
    import::ImportOptions facts = import_options(options_);
    HONE_TRY(Values values, deciding_values(inputs));
    facts.values.merge(values);
    for (const auto& [symbol, size] : deciding_sizes_) {
      auto named = [&](const runtime::PortSpec& port) { return port.name == size.place.input; };
      size_t k =
          static_cast<size_t>(std::find_if(face_.inputs.begin(), face_.inputs.end(), named) - face_.inputs.begin());
      std::span<const int64_t> shape = inputs[k].shape;
      if (shape.size() != face_.inputs[k].shape.size())
        return error("input '{}' has rank {}; {} would work", size.place.input, shape.size(),
                     face_.inputs[k].shape.size());
      int64_t number = shape[size.place.axis];
      if (number == 1 || size.as_number)
        facts.sizes.emplace(symbol, number);
      else
        facts.not_one.insert(symbol);
    }
    return facts;
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

  // With some facts given, further inputs and sizes turn out to decide.
  Status know_more(const import::Undecided& undecided) {
    for (const std::string& name : undecided.inputs)
      if (!deciding_.insert(name).second) return error("the value of input '{}' does not decide what it must", name);
    for (const import::OpenSize& size : undecided.sizes) {
      auto [known, added] = deciding_sizes_.emplace(size.symbol, DecidingSize{size});
      if (!added && std::exchange(known->second.as_number, true))
        return error("size '{}' does not decide what it must", size.symbol);
    }
    return Done{};
  }

  const std::shared_ptr<const ModelSource> source_;
  const Options options_;
  const runtime::Executable face_;
  const int threads_;
  std::mutex mutex_;
  std::set<std::string> deciding_;
  std::map<std::string, DecidingSize> deciding_sizes_;
  LatestRunners runners_;
};

}  // namespace

Result<std::shared_ptr<runtime::Runner>> specialise(std::shared_ptr<const ModelSource> source, const Options& options,
                                                    const import::Undecided& undecided) {
  runtime::Executable face = face_of(undecided.face);
  HONE_TRY(target::Target target, target_of(options));
  HONE_TRY(int threads, runtime::choose_threads(options.threads));
  face.isa = target::name_of(target.isa);
  return std::shared_ptr<runtime::Runner>(
      std::make_shared<Specialised>(std::move(source), options, undecided, std::move(face), threads));
}

}  // namespace hone::pipeline
