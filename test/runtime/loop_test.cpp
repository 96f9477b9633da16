#include <gtest/gtest.h>

#include "runtime/toy_model.h"

namespace hone::runtime {
namespace {

// The bytes of a number, as a constant of floats.
Floats bytes_of(int64_t number) {
  Floats floats(2);
  std::memcpy(floats.data(), &number, sizeof number);
  return floats;
}

void store_kernel(void* const* buffers, const int64_t* sizes, int64_t, int64_t, void*) {
  std::memcpy(buffers[1], buffers[0], static_cast<size_t>(sizes[0]) * 4);
}

struct Loop {
  ToyModel model;
  int64_t y = 0, stack = -1;

  // x → 2 x + 1 for as long as x[0] > 0, at most `rounds` times; the results of all rounds are stacked.
  Loop(int64_t rounds, int64_t most_stacked) {
    int64_t x = model.input("x");
    int64_t count = model.constant("rounds", bytes_of(rounds)), round = model.arena("round", constant_formula(8));
    int64_t go = model.arena("go", constant_formula(1)), first = model.constant("first", bytes_of(1));
    int64_t on = model.arena("on", constant_formula(1)), value = model.arena("value"), next = model.arena("next");
    stack = model.arena("stack", ToyModel::times(ToyModel::n(), 4 * most_stacked));
    int64_t unrelated = model.arena("unrelated");
    y = model.output("y");
    std::vector<StepSpec> body;
    body.push_back(model.kernel(scale_kernel, {value, unrelated}, ToyModel::blocks(16)));
    body.push_back(model.kernel(store_kernel, {unrelated, next}, constant_formula(1)));
    body.push_back(model.kernel(positive_kernel, {next, on}, constant_formula(1)));
    model.add(ToyModel::loop({count, round, go, first, on, value, x, next, stack, next}, 2, body));
    model.add(model.kernel(mix_kernel, {value, stack, y}, ToyModel::blocks(16)));
  }
};

TEST(Loop, RunsItsBodyAgainAndAgain) {
  for (int threads : {1, 2, 3})
    for (int64_t rounds : {1, 2, 5})
      for (float sign : {1.0F, -1.0F}) {
        Loop loop(rounds, 3);
        auto session = loop.model.session(threads);
        for (int64_t n : {1, 40, 333}) {
          Floats x, value, first;
          for (int64_t i = 0; i < n; ++i) x.push_back(sign * static_cast<float>(i + 2));
          value = x;
          for (int64_t round = 0; round < rounds; ++round) {
            for (float& v : value) v = 2 * v + 1;
            if (round == 0) first = value;
            if (value[0] <= 0) break;
          }
          auto y = run_floats(*session, {x});
          ASSERT_TRUE(y.ok()) << y.problem().message;
          for (int64_t i = 0; i < n; ++i) {
            size_t at = static_cast<size_t>(i);
            ASSERT_EQ((*y)[at], 0.5F * value[at] + 0.25F * first[static_cast<size_t>(n - 1 - i)])
                << rounds << " rounds";
          }
        }
      }
}

TEST(Check, EndsTheRunWhereItIsReached) {
  ToyModel model;
  int64_t x = model.input("x"), flag = model.arena("flag", constant_formula(1)), y = model.output("y");
  StepSpec check;
  check.kind = StepSpec::Kind::Check;
  check.label = "n must equal 3";
  check.sizes = {ToyModel::n(), constant_formula(3)};
  StepSpec store = model.kernel(scale_kernel, {x, y}, ToyModel::blocks(16));
  model.add(model.kernel(positive_kernel, {x, flag}, constant_formula(1)));
  model.add(ToyModel::branch(flag, {check, store}, {store}));
  for (int threads : {1, 2}) {
    auto session = model.session(threads);
    EXPECT_TRUE(run_floats(*session, {{1, 2, 3}}).ok());
    EXPECT_TRUE(run_floats(*session, {Floats(40, -1)}).ok());
    auto wrong = run_floats(*session, {Floats(40, 1)});
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.problem().message, "n must equal 3, but they are 40 and 3");
  }
}

}  // namespace
}  // namespace hone::runtime
