// Random models against a plain evaluation: memory plan, barriers, branches and aliases together.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "runtime/toy_model.h"

namespace hone::runtime {
namespace {

// Writes steps and, beside them, what they mean on plain vectors.
class Growth {
 public:
  explicit Growth(uint64_t seed) : rng_(seed) {
    x_ = model_.input("x");
    live_ = {x_};
    steps(model_.executable().steps, 2, rng_.between(1, 25));
    int64_t y = model_.output("y");
    model_.add(mix(pick(), pick(), y));
  }

  ToyModel& model() { return model_; }

  Floats expected(const Floats& x) {
    std::map<int64_t, Floats> values = {{x_, x}};
    evaluate(model_.executable().steps, values);
    return values.at(static_cast<int64_t>(model_.executable().buffers.size()) - 1);
  }

 private:
  int64_t pick() { return live_[static_cast<size_t>(rng_.below(static_cast<int64_t>(live_.size())))]; }

  StepSpec mix(int64_t a, int64_t b, int64_t to) {
    bool one_task = rng_.chance(0.4);
    return model_.kernel(one_task ? mix_all_kernel : mix_kernel, {a, b, to},
                         one_task ? constant_formula(1) : ToyModel::blocks(16));
  }

  void steps(std::vector<StepSpec>& into, int depth, int64_t count) {
    for (; count > 0; --count) {
      if (depth > 0 && rng_.chance(0.15)) {
        add_if(into, depth);
        continue;
      }
      int64_t to = model_.arena("t" + std::to_string(model_.executable().buffers.size()));
      into.push_back(mix(pick(), pick(), to));
      live_.push_back(rng_.chance(0.2) ? model_.alias("view", to) : to);
      if (live_.size() > 6) live_.erase(live_.begin());
    }
  }

  // Both bodies compute values of their own, then one that the rest may use.
  void add_if(std::vector<StepSpec>& into, int depth) {
    int64_t condition = model_.arena("c", constant_formula(1)), result = model_.arena("r");
    into.push_back(model_.kernel(positive_kernel, {pick(), condition}, constant_formula(1)));
    std::vector<StepSpec> bodies[2];
    for (auto& body : bodies) {
      std::vector<int64_t> outside = live_;
      steps(body, depth - 1, rng_.between(0, 4));
      body.push_back(mix(pick(), pick(), result));
      live_ = outside;
    }
    into.push_back(ToyModel::branch(condition, bodies[0], bodies[1]));
    live_.push_back(result);
  }

  int64_t root(int64_t buffer) {
    const auto& spec = model_.executable().buffers[static_cast<size_t>(buffer)];
    return spec.kind == BufferSpec::Kind::Alias ? root(spec.number) : buffer;
  }

  void evaluate(const std::vector<StepSpec>& list, std::map<int64_t, Floats>& values) {
    for (const StepSpec& step : list) {
      if (step.kind == StepSpec::Kind::If) {
        evaluate(step.bodies[values.at(step.buffers[0])[0] > 0 ? 0 : 1], values);
      } else if (step.buffers.size() == 2) {
        values[step.buffers[1]] = {values.at(root(step.buffers[0]))[0] > 0 ? 1.0f : 0.0f};
      } else {
        const Floats &a = values.at(root(step.buffers[0])), &b = values.at(root(step.buffers[1]));
        Floats c(a.size());
        for (size_t i = 0; i < c.size(); ++i) c[i] = 0.5f * a[i] + 0.25f * b[c.size() - 1 - i];
        values[step.buffers[2]] = c;
      }
    }
  }

  Rng rng_;
  ToyModel model_;
  int64_t x_ = 0;
  std::vector<int64_t> live_;
};

TEST(RandomModel, EveryThreadCountAgreesWithPlainEvaluation) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Growth growth(seed);
    Rng rng(seed + 1000);
    for (int threads : {1, 2, 3}) {
      auto session = growth.model().session(threads);
      for (int64_t n : {1, 40, 333}) {
        Floats x;
        for (int64_t i = 0; i < n; ++i) x.push_back(static_cast<float>(rng.between(-100, 100)));
        auto y = run_floats(*session, {x});
        ASSERT_TRUE(y.ok()) << y.problem().message;
        ASSERT_EQ(*y, growth.expected(x)) << n << " elements, " << threads << " threads";
      }
    }
  }
}

}  // namespace
}  // namespace hone::runtime
