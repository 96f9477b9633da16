#include "runtime/session.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

#include <array>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

#include "runtime/toy_model.h"

namespace hone::runtime {
namespace {

Floats counting(int64_t n, float from = 0) {
  Floats values(static_cast<size_t>(n));
  for (size_t i = 0; i < values.size(); ++i) values[i] = from + static_cast<float>(i);
  return values;
}

// y = scale(scale(x))
ToyModel chain() {
  ToyModel model;
  int64_t x = model.input("x"), t = model.arena("t"), y = model.output("y");
  model.add(model.kernel(scale_kernel, {x, t}, ToyModel::blocks(16)));
  model.add(model.kernel(scale_kernel, {t, y}, ToyModel::blocks(16)));
  return model;
}

Floats scaled_twice(Floats x) {
  for (float& v : x) v = 2 * (2 * v + 1) + 1;
  return x;
}

TEST(Session, RunsAnyShapeWithAnyNumberOfThreads) {
  for (int threads : {1, 2, 3, 5}) {
    auto session = chain().session(threads);
    EXPECT_EQ(session->threads(), threads);
    for (int64_t n : {0, 1, 15, 16, 17, 97, 1000}) {
      auto y = run_floats(*session, {counting(n)});
      ASSERT_TRUE(y.ok()) << y.problem().message;
      EXPECT_EQ(*y, scaled_twice(counting(n))) << n << " elements, " << threads << " threads";
    }
  }
}

TEST(Session, TakesUnalignedInputsAndCallersOutputs) {
  auto session = chain().session(2);
  std::vector<char> bytes(4 * 100 + 1);
  Floats x = counting(100), y(100);
  std::memcpy(bytes.data() + 1, x.data(), 400);
  std::vector<int64_t> shape = {100};
  InputTensor input{"f32", shape, bytes.data() + 1};
  OutputMemory output{y.data(), 400};
  ASSERT_TRUE(session->run({&input, 1}, {&output, 1}).ok());
  EXPECT_EQ(y, scaled_twice(x));
  EXPECT_EQ(session->output_shapes({&input, 1}).value(), Shapes{{100}});
  output.bytes = 399;
  auto small = session->run({&input, 1}, {&output, 1});
  ASSERT_FALSE(small.ok());
  EXPECT_EQ(small.problem().message, "output 'y' of shape [100] needs 400 bytes, got memory for 399");
}

ToyModel two_inputs() {
  ToyModel model;
  int64_t a = model.input("a"), b = model.input("b"), y = model.output("y");
  model.add(model.kernel(mix_kernel, {a, b, y}, ToyModel::blocks(16)));
  return model;
}

TEST(Session, TellsWhichInputIsWrongAndHow) {
  ToyModel model = two_inputs();
  model.executable().inputs[1].shape.push_back(constant_formula(1));
  model.executable().inputs[1].shape_text.push_back("1");
  model.executable().inputs[1].binds.push_back(-1);
  auto session = model.session(1);
  Floats data(8);
  auto message = [&](std::vector<InputTensor> inputs) {
    auto result = session->run(inputs);
    return result.ok() ? std::string("ran") : result.problem().message;
  };
  std::vector<int64_t> four = {4}, four_one = {4, 1}, four_two = {4, 2}, three_one = {3, 1}, negative = {-4};
  InputTensor a{"f32", four, data.data()}, b{"f32", four_one, data.data()};
  EXPECT_EQ(message({a, b}), "ran");
  EXPECT_EQ(message({a}), "model 'toy' takes 2 inputs, got 1");
  EXPECT_EQ(message({a, a}), "input 'b' must be f32[n, 1], got f32[4]: rank 1 instead of 2");
  EXPECT_EQ(message({{"i64", four, data.data()}, b}), "input 'a' must be f32[n], got i64[4]: another element type");
  EXPECT_EQ(message({a, {"f32", four_two, data.data()}}),
            "input 'b' must be f32[n, 1], got f32[4, 2]: dimension 1 must be 1 for n = 4");
  EXPECT_EQ(message({a, {"f32", three_one, data.data()}}),
            "input 'b' must be f32[n, 1], got f32[3, 1]: dimension 0 must be 4 for n = 4");
  EXPECT_EQ(message({{"f32", negative, data.data()}, b}),
            "input 'a' must be f32[n], got f32[-4]: dimension 0 is negative");
  EXPECT_EQ(message({{"f32", four, nullptr}, b}), "input 'a' must be f32[n], got f32[4]: no data");
  EXPECT_EQ(session->plans_kept(), 1u) << "inputs that do not fit leave no plan";
}

TEST(Session, ChecksSizesThatTheModelTakesToBeEqual) {
  ToyModel model = chain();
  model.executable().checks.push_back({symbol_formula(0), constant_formula(16), "n must equal 16 (Reshape_1)"});
  auto session = model.session(1);
  EXPECT_TRUE(run_floats(*session, {counting(16)}).ok());
  auto wrong = run_floats(*session, {counting(17)});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.problem().message.find(
                "does not fit these input sizes: n must equal 16 (Reshape_1), but they are 17 and 16"),
            std::string::npos)
      << wrong.problem().message;
}

TEST(Session, RefusesWhatTheHostCannotRun) {
  ToyModel model = chain();
  model.executable().isa = "avx512";
  auto made = model.try_session(1);
  if (!made.ok()) {
    EXPECT_NE(made.problem().message.find("was compiled for avx512"), std::string::npos);
  }
  EXPECT_FALSE(chain().try_session(-1).ok());
  EXPECT_FALSE(chain().try_session(100000).ok());
  ToyModel unknown = chain();
  unknown.add(ToyModel::library("no_such_function", {0, 1}, {}));
  EXPECT_NE(unknown.try_session(1).problem().message.find("'no_such_function'"), std::string::npos);
}

// if x[0] > 0 then y = scale(x) else y = mix(x, x)
ToyModel conditional() {
  ToyModel model;
  int64_t x = model.input("x"), c = model.arena("c", constant_formula(1)), y = model.output("y"), t = model.arena("t");
  model.add(model.kernel(positive_kernel, {x, c}, constant_formula(1)));
  StepSpec then = model.kernel(scale_kernel, {x, t}, ToyModel::blocks(16));
  StepSpec otherwise = model.kernel(mix_kernel, {x, x, t}, ToyModel::blocks(16));
  model.add(ToyModel::branch(c, {then}, {otherwise, ToyModel::branch(c, {then}, {})}));
  model.add(model.kernel(scale_kernel, {t, y}, ToyModel::blocks(16)));
  return model;
}

TEST(Session, TakesTheBranchOfTheCondition) {
  for (int threads : {1, 2, 4}) {
    auto session = conditional().session(threads);
    for (int round = 0; round < 50; ++round) {
      EXPECT_EQ(run_floats(*session, {counting(100, 1)}).value(), scaled_twice(counting(100, 1)));
      Floats x = counting(100, -3), expected;
      for (size_t i = 0; i < 100; ++i) expected.push_back(2 * (0.5f * x[i] + 0.25f * x[99 - i]) + 1);
      EXPECT_EQ(run_floats(*session, {x}).value(), expected);
    }
  }
}

TEST(Session, AliasesShareBytes) {
  ToyModel model;
  int64_t x = model.input("x"), y = model.output("y"), t = model.arena("t");
  int64_t x_view = model.alias("x view", x), t_view = model.alias("t view", t), y_view = model.alias("y view", y);
  int64_t y_view_view = model.alias("y view view", y_view);
  model.add(model.kernel(scale_kernel, {x_view, t}, ToyModel::blocks(16)));
  model.add(model.kernel(scale_kernel, {t_view, y_view_view}, ToyModel::blocks(16)));
  auto session = model.session(2);
  EXPECT_EQ(run_floats(*session, {counting(50)}).value(), scaled_twice(counting(50)));
}

TEST(Session, ReadsConstants) {
  ToyModel model;
  int64_t x = model.input("x"), y = model.output("y");
  model.constant("first", {1, 2, 3});
  int64_t w = model.constant("w", Floats(16, 8.0f));
  model.add(model.kernel(mix_kernel, {x, w, y}, ToyModel::blocks(16)));
  EXPECT_EQ(run_floats(*model.session(2), {Floats(16, 2.0f)}).value(), Floats(16, 3.0f));
}

TEST(Session, BuffersThatOutgrowTheirMemoryAreRefused) {
  ToyModel model = chain();
  model.executable().buffers[2].bytes = ToyModel::times(ToyModel::n(), 5);
  auto y = run_floats(*model.session(1), {counting(4)});
  ASSERT_FALSE(y.ok());
  EXPECT_EQ(y.problem().message, "buffer 'y' needs 20 bytes, but 'y' holds 16");
  ToyModel negative = chain();
  negative.executable().buffers[1].bytes = combine(FormulaOp::Sub, ToyModel::n(), constant_formula(9));
  EXPECT_EQ(run_floats(*negative.session(1), {counting(4)}).problem().message, "'t' would have the size -5");
}

TEST(Session, HugeShapesAreErrorsNotCrashes) {
  auto session = chain().session(1);
  for (int64_t n : {int64_t{1} << 45, INT64_MAX / 4, INT64_MAX}) {
    std::vector<int64_t> shape = {n};
    float x = 0;
    InputTensor input{"f32", shape, &x};
    EXPECT_FALSE(session->run({&input, 1}).ok());
  }
}

TEST(Session, ALibraryFunctionRunsAndMayFail) {
  for (int threads : {1, 3}) {
    ToyModel model;
    int64_t x = model.input("x"), t = model.arena("t"), y = model.output("y");
    Formula bytes = ToyModel::times(combine(FormulaOp::Min, ToyModel::n(), constant_formula(100)), 4);
    // Negative, and so refused by the function, when n exceeds 100.
    Formula checked =
        combine(FormulaOp::Sub, bytes,
                ToyModel::times(combine(FormulaOp::FloorDiv, ToyModel::n(), constant_formula(101)), 1000));
    model.add(model.kernel(scale_kernel, {x, t}, ToyModel::blocks(16)));
    model.add(ToyModel::library("copy", {t, y}, {checked}));
    model.add(model.kernel(scale_kernel, {t, y}, ToyModel::blocks(16)));
    auto session = model.session(threads);
    EXPECT_EQ(run_floats(*session, {counting(100)}).value(), scaled_twice(counting(100)));
    auto failed = run_floats(*session, {counting(101)});
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.problem().message, "library step: library function copy takes two buffers and their bytes");
    EXPECT_TRUE(run_floats(*session, {counting(10)}).ok());
  }
}

TEST(Session, ManyThreadsCallOneSession) {
  auto session = conditional().session(2);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 16; ++caller)
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 100; ++round) {
        Floats x = counting(50 + (caller * 7 + round) % 40, 1);
        auto y = run_floats(*session, {x});
        if (!y.ok() || *y != scaled_twice(x)) ++wrong;
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(session->contexts_made(), 16u);
  EXPECT_LE(session->plans_kept(), 64u);
}

TEST(Session, ATakenPoolGivesTheSameResult) {
  auto session = chain().session(4);
  Floats free_result = run_floats(*session, {counting(1000)}).value();
  struct Inner {
    Session* session;
    Floats result;
  } inner{session.get(), {}};
  auto call_inside = [](void* context, int worker) {
    auto* i = static_cast<Inner*>(context);
    if (worker == 0) i->result = run_floats(*i->session, {counting(1000)}).value();
  };
  ASSERT_TRUE(Pool::shared(4)->try_run(call_inside, &inner));
  EXPECT_EQ(inner.result, free_result);
}

std::array<std::atomic<int>, 64> visits;

// y = x + 1, one element a task, the first of which takes long.
void visited_kernel(void* const* buffers, const int64_t*, int64_t begin, int64_t end, void*) {
  for (int64_t task = begin; task < end; ++task) {
    if (task == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++visits[static_cast<size_t>(task)];
    static_cast<float*>(buffers[1])[task] = static_cast<const float*>(buffers[0])[task] + 1;
  }
}

TEST(Session, EveryTaskRunsOnceWhoeverIsSlow) {
  for (int threads : {2, 3, 16, 17}) {
    ToyModel model;
    int64_t last = model.input("x");
    for (int k = 0; k < 4; ++k) {
      int64_t next = k == 3 ? model.output("y") : model.arena("t" + std::to_string(k));
      model.add(model.kernel(visited_kernel, {last, next}, ToyModel::blocks(1)));
      last = next;
    }
    auto session = model.session(threads);
    for (int64_t n : {1, 3, 4, 5, 31, 64}) {
      for (std::atomic<int>& count : visits) count = 0;
      Floats x = counting(n), y = run_floats(*session, {x}).value();
      for (int64_t task = 0; task < n; ++task) {
        EXPECT_EQ(visits[static_cast<size_t>(task)], 4)
            << "task " << task << " of " << n << ", " << threads << " threads";
        EXPECT_EQ(y[static_cast<size_t>(task)], x[static_cast<size_t>(task)] + 4);
      }
    }
  }
}

TEST(Session, RunsInAForkedChild) {
  auto session = chain().session(3);
  ASSERT_TRUE(run_floats(*session, {counting(100)}).ok());
  std::atomic<bool> stop = false;
  std::thread busy([&] {
    while (!stop) (void)run_floats(*session, {counting(300)}).ok();
  });
  for (int round = 0; round < 5; ++round) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(20);
      bool right = true;
      for (int64_t n : {100, 200, 300})
        right &= run_floats(*session, {counting(n)}).value() == scaled_twice(counting(n));
      _exit(right ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  stop = true;
  busy.join();
}

TEST(Session, ProfileListsWhatRan) {
  ToyModel model = conditional();
  model.executable().steps[2].flops = ToyModel::times(ToyModel::n(), 2);
  for (int threads : {1, 2}) {
    auto session = model.session(threads);
    Floats x = counting(100, 1), y(100);
    std::vector<int64_t> shape = {100};
    InputTensor input{"f32", shape, x.data()};
    OutputMemory output{y.data(), 400};
    auto times = session->run_profiled({&input, 1}, {&output, 1});
    ASSERT_TRUE(times.ok());
    EXPECT_EQ(y, scaled_twice(x));
    ASSERT_EQ(times->size(), 3u);
    EXPECT_EQ(times->at(0).function, "kernel_0");
    EXPECT_EQ(times->at(1).function, "kernel_1");
    EXPECT_EQ(times->at(2).label, "step 3");
    EXPECT_EQ(times->at(2).flops, 200);
    for (const StepTime& time : *times) EXPECT_GE(time.seconds, 0);
  }
}

void halve_kernel(void* const* buffers, const int64_t* sizes, int64_t begin, int64_t end, void*) {
  auto* x = static_cast<const float*>(buffers[0]);
  auto* y = static_cast<float*>(buffers[1]);
  auto [from, to] = elements(sizes, begin, end);
  for (int64_t i = from; i < to; ++i) y[i] = x[i] * 0.5f;
}

TEST(Session, KeepsDenormalsWhateverTheCallerSet) {
  ToyModel model;
  int64_t x = model.input("x"), y = model.output("y");
  model.add(model.kernel(halve_kernel, {x, y}, ToyModel::blocks(16)));
  auto session = model.session(4);
  float smallest_normal = std::numeric_limits<float>::min();
  unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero
  auto result = run_floats(*session, {Floats(100, smallest_normal)});
  unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(after & 0x8040, 0x8040u);
  EXPECT_EQ(result.value(), Floats(100, smallest_normal / 2));
}

}  // namespace
}  // namespace hone::runtime
