#include "pipeline/broadcasting.h"

#include <algorithm>
#include <mutex>

#include "pipeline/choosing.h"
#include "pipeline/open.h"

namespace hone::pipeline {
namespace {

using runtime::InputTensor;
using runtime::Runner;

// The shapes that a program asks of its inputs, as far as a dimension is a number or a symbol.
class AskedShapes {
 public:
  explicit AskedShapes(const ir::Program& program) {
    std::map<std::string, size_t> numbers;
    for (ir::ValueId id : program.inputs) {
      ranks_.push_back(program.type(id).shape.size());
      for (size_t d = 0; d < ranks_.back(); ++d) {
        const ir::Index& size = program.type(id).shape[d];
        std::vector<std::string> names = size.symbols();
        Dimension dimension{ranks_.size() - 1, d, size.constant(), 0};
        if (!dimension.number) {
          if (names.size() != 1 || !(size == ir::Index::symbol(names[0]))) continue;
          dimension.symbol = numbers.emplace(names[0], numbers.size()).first->second;
        }
        dimensions_.push_back(dimension);
      }
    }
    symbols_ = numbers.size();
  }

  bool fit(std::span<const InputTensor> inputs) const {
    if (inputs.size() != ranks_.size()) return false;
    for (size_t k = 0; k < inputs.size(); ++k)
      if (inputs[k].shape.size() != ranks_[k]) return false;
    std::vector<std::optional<int64_t>> met(symbols_);
    for (const Dimension& dimension : dimensions_) {
      int64_t size = inputs[dimension.input].shape[dimension.axis];
      int64_t asked = dimension.number ? *dimension.number : met[dimension.symbol].value_or(size);
      if (size != asked) return false;
      if (!dimension.number) met[dimension.symbol] = size;
    }
    return true;
  }

 private:
  struct Dimension {
    size_t input, axis;
    std::optional<int64_t> number;
    size_t symbol;  // where it is no number
  };
  std::vector<size_t> ranks_;
  std::vector<Dimension> dimensions_;
  size_t symbols_ = 0;
};

class Broadcasting : public Choosing {
 public:
  Broadcasting(std::shared_ptr<const ModelSource> source, import::ImportOptions given, const Options& options,
               const std::vector<import::OpenSize>& sizes, AskedShapes asked, std::shared_ptr<Runner> usual)
      : source_(std::move(source)),
        given_(std::move(given)),
        options_(options),
        asked_(std::move(asked)),
        usual_(std::move(usual)) {
    const std::vector<runtime::PortSpec>& ports = usual_->face().inputs;
    for (const import::OpenSize& size : sizes) {
      auto named = [&](const runtime::PortSpec& port) { return port.name == size.input; };
      auto port = std::find_if(ports.begin(), ports.end(), named);
      sizes_.push_back({size.symbol, static_cast<size_t>(port - ports.begin()), size.axis});
    }
  }

  const runtime::Executable& face() const override { return usual_->face(); }
  int threads() const override { return usual_->threads(); }
  bool shapes_need_data(size_t input) const override { return usual_->shapes_need_data(input); }

 protected:
  // Where nothing else fits either, the usual program tells what it asks for.
  Result<std::shared_ptr<Runner>> runner_for(std::span<const InputTensor> inputs) override {
    auto one = [&](const Size& size) { return is_one(size, inputs); };
    if (std::none_of(sizes_.begin(), sizes_.end(), one) || asked_.fit(inputs)) return usual_;
    HONE_TRY(std::shared_ptr<Runner> other, runner_with_ones(inputs));
    return other ? other : usual_;
  }

 private:
  struct Size {
    std::string symbol;
    size_t input, axis;
  };

  static bool is_one(const Size& size, std::span<const InputTensor> inputs) {
    return size.input < inputs.size() && size.axis < inputs[size.input].shape.size() &&
           inputs[size.input].shape[size.axis] == 1;
  }

  // Null: no program with the sizes given that are 1 fits the inputs.
  Result<std::shared_ptr<Runner>> runner_with_ones(std::span<const InputTensor> inputs) {
    import::ImportOptions given = given_;
    for (const Size& size : sizes_)
      if (is_one(size, inputs)) given.sizes[size.symbol] = 1;
    std::lock_guard lock(mutex_);
    if (std::shared_ptr<Runner> kept = others_.find(given)) return kept;
    auto imported = source_->import(given);
    auto* decided = imported ? std::get_if<import::Decided>(&*imported) : nullptr;
    if (!decided || !AskedShapes(decided->program).fit(inputs)) return std::shared_ptr<Runner>();
    HONE_TRY(std::shared_ptr<Runner> runner, open_program(std::move(decided->program), options_));
    others_.keep(std::move(given), runner);
    return runner;
  }

  const std::shared_ptr<const ModelSource> source_;
  const import::ImportOptions given_;
  const Options options_;
  const AskedShapes asked_;
  const std::shared_ptr<Runner> usual_;
  std::vector<Size> sizes_;
  std::mutex mutex_;
  LatestRunners others_;
};

}  // namespace

Result<std::shared_ptr<Runner>> open_broadcasting(std::shared_ptr<const ModelSource> source,
                                                  import::ImportOptions given, import::Decided decided,
                                                  const Options& options) {
  AskedShapes asked(decided.program);
  HONE_TRY(std::shared_ptr<Runner> usual, open_program(std::move(decided.program), options));
  return std::shared_ptr<Runner>(std::make_shared<Broadcasting>(std::move(source), std::move(given), options,
                                                                decided.broadcast, std::move(asked), std::move(usual)));
}

}  // namespace hone::pipeline
