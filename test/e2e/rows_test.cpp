// Norms and softmax, several rows at a time: every number of rows that is left over, and rows of numbers that are none.
#include <cmath>
#include <limits>

#include "e2e/compare.h"

namespace hone::e2e {
namespace {

constexpr const char* kRows = R"(program p(x: f32[m, n], w: f32[n]) -> (shares, logs, normed) {
  shares: f32[m, n] = softmax(x) {axis = 1}
  logs: f32[m, n] = log_softmax(x) {axis = 1}
  normed: f32[m, n] = layer_normalization(x, w) {axis = 1, epsilon = 0.00001}
})";

eval::Tensor some(const std::vector<int64_t>& shape) {
  std::vector<double> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(static_cast<double>((i * 37) % 101) / 40 - 1.2);
  return eval::filled(ir::DType::F32, shape, values);
}

void expect_near(const eval::Tensor& want, const runtime::OutputTensor& got, const std::string& what) {
  ASSERT_EQ(got.shape, want.shape);
  const float* values = reinterpret_cast<const float*>(got.data.data());
  for (int64_t i = 0; i < eval::count_of(want.shape); ++i) {
    double expected = eval::element(want, i);
    bool same = values[i] == expected || (std::isnan(values[i]) && std::isnan(expected)) ||
                std::abs(values[i] - expected) <= 2e-5 * (1 + std::abs(expected));
    ASSERT_TRUE(same) << what << ", element " << i << ": " << values[i] << " for " << expected;
  }
}

// Each set of inputs on one compilation for every instruction set.
void expect_rows(const std::vector<eval::Tensor>& inputs_x) {
  auto program = ir::parse_program(kRows);
  ASSERT_TRUE(program.ok()) << program.problem().message;
  for (const std::string& isa : instruction_sets()) {
    pipeline::Options options;
    options.isa = isa;
    options.threads = 2;
    auto model = pipeline::compile_program(*program, options);
    ASSERT_TRUE(model.ok()) << model.problem().message;
    auto session = pipeline::load(*model, options);
    ASSERT_TRUE(session.ok()) << session.problem().message;
    for (const eval::Tensor& x : inputs_x) {
      std::vector<eval::Tensor> inputs = {x, some({x.shape[1]})};
      auto want = eval::evaluate(*program, inputs);
      ASSERT_TRUE(want.ok()) << want.problem().message;
      auto got = (*session)->run(feeds_of(inputs));
      ASSERT_TRUE(got.ok()) << got.problem().message;
      for (size_t k = 0; k < want->size(); ++k)
        expect_near((*want)[k], (*got)[k], fmt::format("{}, {} x {}, output {}", isa, x.shape[0], x.shape[1], k));
    }
  }
}

TEST(Rows, FetchedAheadBecauseTheyComeFromAfar) {
  expect_rows({some({1030, 521})});
}

TEST(Rows, EveryNumberOfRowsAndColumnsLeftOver) {
  std::vector<eval::Tensor> inputs;
  for (int64_t m : {0, 1, 2, 3, 4, 5, 6, 7, 13})
    for (int64_t n : {1, 7, 8, 9, 67}) inputs.push_back(some({m, n}));
  expect_rows(inputs);
}

TEST(Rows, NumbersThatAreNoneStayInTheirRow) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
  constexpr int64_t kColumns = 19;
  std::vector<double> values(9 * kColumns, 0.25);
  auto set = [&](int64_t row, int64_t column, double value) {
    values[static_cast<size_t>(row * kColumns + column)] = value;
  };
  set(0, 3, kNan), set(2, 0, kNan), set(3, 18, kNan), set(4, 5, -kInf), set(6, 7, kInf), set(6, 8, kNan);
  for (int64_t column = 0; column < kColumns; ++column) set(5, column, -kInf), set(8, column, kNan);
  expect_rows({eval::filled(ir::DType::F32, {9, kColumns}, values)});
}

}  // namespace
}  // namespace hone::e2e
