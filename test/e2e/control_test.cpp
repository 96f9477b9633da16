// Loops, scans and branches, compiled, against the interpreter.
#include <gtest/gtest.h>

#include <cmath>

#include "eval/interpreter.h"
#include "pipeline/compile.h"

namespace hone::e2e {
namespace {

Result<std::vector<runtime::OutputTensor>> run(const ir::Program& program, const std::vector<eval::Tensor>& inputs,
                                               int threads) {
  pipeline::Options options;
  options.threads = threads;
  HONE_TRY(auto model, pipeline::compile_program(program, options));
  HONE_TRY(auto session, pipeline::load(model, options));
  std::vector<runtime::InputTensor> feeds;
  for (const eval::Tensor& input : inputs) feeds.push_back({ir::name_of(input.dtype), input.shape, input.bytes.data()});
  return session->run(feeds);
}

ir::Program parsed(const char* text) {
  auto program = ir::parse_program(text);
  EXPECT_TRUE(program.ok()) << program.problem().message;
  if (!program.ok()) return {};
  EXPECT_TRUE(ir::validate(*program).ok()) << ir::validate(*program).problem().message;
  return *program;
}

eval::Tensor some(std::vector<int64_t> shape) {
  std::vector<double> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(static_cast<double>((i * 37) % 17) / 8 - 1);
  return eval::filled(ir::DType::F32, std::move(shape), values);
}

void expect_same(const ir::Program& program, const std::vector<eval::Tensor>& inputs) {
  auto want = eval::evaluate(program, inputs);
  ASSERT_TRUE(want.ok()) << want.problem().message;
  for (int threads : {1, 2}) {
    auto got = run(program, inputs, threads);
    ASSERT_TRUE(got.ok()) << got.problem().message;
    for (size_t k = 0; k < want->size(); ++k) {
      ASSERT_EQ((*got)[k].shape, (*want)[k].shape);
      const float* values = reinterpret_cast<const float*>((*got)[k].data.data());
      for (int64_t i = 0; i < eval::count_of((*want)[k].shape); ++i)
        ASSERT_NEAR(values[i], eval::element((*want)[k], i), 1e-4) << "output " << k << ", element " << i;
    }
  }
}

constexpr const char* kLoop = R"(program p(rounds: i64[], x: f32[n, 4], w: f32[4, 4]) -> (last, all) {
  const go: bool[] = {true}
  first: f32[n, 4] = relu(x)
  last: f32[n, 4], all: f32[3, n, 4] = loop(rounds, go, first, w) {carried = 1} program round(i: i64[], on: bool[], y: f32[n, 4], v: f32[4, 4]) -> (same, next, slice) {
    same: bool[] = identity(on)
    m: f32[n, 4] = matmul(y, v)
    next: f32[n, 4] = tanh(m)
    f: f32[] = cast(i) {to = "f32"}
    slice: f32[n, 4] = add(next, f)
  }
})";

TEST(Control, LoopsRunCompiled) {
  ir::Program program = parsed(kLoop);
  for (double rounds : {0.0, 1.0, 3.0}) {
    auto count = eval::filled(ir::DType::I64, {}, {rounds});
    if (rounds == 3) expect_same(program, {count, some({5, 4}), some({4, 4})});
    ir::Program carried = program;
    carried.outputs.pop_back();
    expect_same(carried, {count, some({5, 4}), some({4, 4})});
  }
}

constexpr const char* kScan = R"(program p(h: f32[b, 4], x: f32[t, b, 4], w: f32[4, 4]) -> (last, all) {
  last: f32[b, 4], all: f32[b, t, 4] = scan(h, x, w) {states = 1, axes = [0], reverse = [1], out_axes = [1], out_reverse = [1]} program step(s: f32[b, 4], e: f32[b, 4], v: f32[4, 4]) -> (next, next) {
    m: f32[b, 4] = matmul(s, v)
    a: f32[b, 4] = add(m, e)
    next: f32[b, 4] = tanh(a)
  }
})";

TEST(Control, ScansRunCompiled) {
  for (int64_t steps : {1, 2, 7}) expect_same(parsed(kScan), {some({3, 4}), some({steps, 3, 4}), some({4, 4})});
}

constexpr const char* kBranches = R"(program p(flag: bool[], x: f32[n], y: f32[m]) -> (r) {
  r: f32[n] = if(flag, x, y) program then(a: f32[n], b: f32[m]) -> (s) {
    c: f32[n] = reshape(b)
    s: f32[n] = add(a, c)
  } program else(a: f32[n], b: f32[m]) -> (s) {
    s: f32[n] = neg(a)
  }
})";

TEST(Control, SizesOfABranchAreCheckedWhereItIsTaken) {
  ir::Program program = parsed(kBranches);
  auto flag = [](double value) { return eval::filled(ir::DType::Bool, {}, {value}); };
  EXPECT_TRUE(run(program, {flag(1), some({5}), some({5})}, 1).ok());
  EXPECT_TRUE(run(program, {flag(0), some({5}), some({3})}, 1).ok());
  auto wrong = run(program, {flag(1), some({5}), some({3})}, 1);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.problem().message.find("m must equal n"), std::string::npos) << wrong.problem().message;
}

}  // namespace
}  // namespace hone::e2e
