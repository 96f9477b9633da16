// Compiled code against the reference interpreter, on random programs, at every instruction set of the machine, on one and
// two threads. HONE_SOAK=1 runs 5,000 of them instead of 150.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "e2e/random_program.h"
#include "eval/interpreter.h"
#include "pipeline/compile.h"
#include "target/target.h"

namespace hone::e2e {
namespace {

std::vector<eval::Tensor> inputs_of(const ir::Program& program, Numbers numbers, uint64_t seed) {
  Rng rng(seed * 31 + 1);
  std::vector<eval::Tensor> inputs;
  for (ir::ValueId id : program.inputs) {
    std::vector<int64_t> shape;
    for (const ir::Index& extent : program.type(id).shape) shape.push_back(*extent.constant());
    std::vector<double> values;
    for (int64_t i = 0; i < eval::count_of(shape); ++i)
      values.push_back(numbers == Numbers::Exact ? static_cast<double>(rng.between(-4, 4)) : rng.unit() * 2 - 1);
    inputs.push_back(eval::filled(program.type(id).dtype, shape, values));
  }
  return inputs;
}

// What differs, or nothing.
std::string difference(const eval::Tensor& want, const runtime::OutputTensor& got, Numbers numbers) {
  if (got.shape != want.shape) return "another shape";
  const float* values = reinterpret_cast<const float*>(got.data.data());
  for (int64_t i = 0; i < eval::count_of(want.shape); ++i) {
    double a = values[i], b = eval::element(want, i);
    bool same = a == b || (std::isnan(a) && std::isnan(b)) ||
                (numbers == Numbers::Float && std::abs(a - b) <= 2e-4 * (1 + std::abs(b)));
    if (!same) return fmt::format("element {}: {} for {}", i, a, b);
  }
  return "";
}

// Compiles and runs one program everywhere; the first thing that is wrong, or nothing.
std::string check(const ir::Program& program, Numbers numbers, uint64_t seed) {
  std::vector<eval::Tensor> inputs = inputs_of(program, numbers, seed);
  auto want = eval::evaluate(program, inputs);
  if (!want.ok()) return "interpreter: " + want.problem().message;
  std::vector<runtime::InputTensor> feeds;
  for (const eval::Tensor& input : inputs) feeds.push_back({ir::name_of(input.dtype), input.shape, input.bytes.data()});
  for (target::Isa isa : {target::Isa::X86_64, target::Isa::Avx2, target::Isa::Avx512}) {
    if (isa > target::host_target().isa) continue;
    pipeline::Options options;
    options.isa = target::name_of(isa);
    auto model = pipeline::compile_program(program, options);
    if (!model.ok()) return fmt::format("{}: {}", options.isa, model.problem().message);
    for (int threads : {1, 2}) {
      options.threads = threads;
      auto session = pipeline::load(*model, options);
      if (!session.ok()) return session.problem().message;
      auto got = (*session)->run(feeds);
      if (!got.ok()) return got.problem().message;
      for (size_t i = 0; i < want->size(); ++i)
        if (std::string found = difference((*want)[i], (*got)[i], numbers); !found.empty())
          return fmt::format("{}, {} threads, output {}, {}", options.isa, threads, i, found);
    }
  }
  return "";
}

std::string check_safely(const ir::Program& program, Numbers numbers, uint64_t seed) {
  try {
    return check(program, numbers, seed);
  } catch (const InternalError& fault) {
    return fault.what();
  }
}

void run_many(Numbers numbers, uint64_t first, uint64_t count) {
  for (uint64_t seed = first; seed < first + count; ++seed) {
    int steps = steps_of(seed);
    std::string problem = check_safely(random_program(seed, numbers, steps), numbers, seed);
    if (problem.empty()) continue;
    // Shrink: the shortest beginning that still fails.
    for (int fewer = 1; fewer < steps; ++fewer) {
      std::string shorter = check_safely(random_program(seed, numbers, fewer), numbers, seed);
      if (shorter.empty()) continue;
      steps = fewer;
      problem = shorter;
      break;
    }
    FAIL() << "seed " << seed << ", " << steps << " steps: " << problem << "\n"
           << ir::text_of(random_program(seed, numbers, steps));
  }
}

uint64_t how_many() {
  return std::getenv("HONE_SOAK") ? 2500 : 75;
}

TEST(RandomPrograms, WholeNumbersBitForBit) {
  run_many(Numbers::Exact, 1, how_many());
}
TEST(RandomPrograms, FloatsWithinTheContract) {
  run_many(Numbers::Float, 100001, how_many());
}

}  // namespace
}  // namespace hone::e2e
