// Compiled code against the reference interpreter, on random programs, at every instruction set of the machine, on one and
// two threads. HONE_SOAK=1 runs 5,000 of them instead of 150.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "e2e/random_inputs.h"
#include "pipeline/compile.h"
#include "target/target.h"

namespace hone::e2e {
namespace {

using fuse::Numbers;
using fuse::steps_of;

ir::Program random_program(uint64_t seed, Numbers numbers, int steps) {
  return fuse::random_program(seed, numbers, fuse::Extents::Awkward, steps);
}

// The constant c of the contract: bounds hold for the operators as they are written; passes may rewrite them into forms that
// are equal over the reals and round a few times more.
constexpr double kSlack = 4;

int undecided_programs = 0;

// What the numerics contract makes of a program: values, and how far off each may be.
struct Expected {
  std::vector<eval::Array<eval::Bounded>> outputs;
  bool undecided = false;  // a comparison could go either way: a guess has to do
};

Result<Expected> expected_of(const ir::Program& program, const std::vector<eval::Tensor>& inputs) {
  eval::Bounded domain;
  std::vector<eval::Array<eval::Bounded>> arrays;
  for (const eval::Tensor& input : inputs) arrays.push_back(eval::to_array(domain, input));
  HONE_TRY(auto outputs, eval::evaluate(domain, program, std::move(arrays)));
  return Expected{std::move(outputs), domain.undecided};
}

// What differs, or nothing. `error` tells how far off an element may be.
template <typename Error>
std::string difference(const eval::Tensor& want, const runtime::OutputTensor& got, Error error) {
  if (got.shape != want.shape) return "another shape";
  const float* values = reinterpret_cast<const float*>(got.data.data());
  for (int64_t i = 0; i < eval::count_of(want.shape); ++i) {
    double a = values[i], b = eval::element(want, i);
    bool same = a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= error(i);
    if (!same) return fmt::format("element {}: {} for {}, which may be off by {}", i, a, b, error(i));
  }
  return "";
}

// Compiles and runs one program everywhere; the first thing that is wrong, or nothing.
std::string check(const ir::Program& program, Numbers numbers, uint64_t seed) {
  std::vector<eval::Tensor> inputs = inputs_of(program, numbers, seed);
  auto want =
      numbers == Numbers::Exact ? eval::evaluate(program, inputs) : eval::evaluate_as<eval::Double>(program, inputs);
  if (!want.ok()) return "interpreter: " + want.problem().message;
  auto expected = expected_of(program, inputs);
  if (!expected.ok()) return "interpreter: " + expected.problem().message;
  undecided_programs += numbers == Numbers::Float && expected->undecided;
  auto error_of = [&](size_t output, int64_t i) {
    if (numbers == Numbers::Exact) return 0.0;
    if (expected->undecided) return 2e-4 * (1 + std::abs(eval::element((*want)[output], i)));
    return kSlack * expected->outputs[output].data[static_cast<size_t>(i)].error;
  };
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
        if (std::string found = difference((*want)[i], (*got)[i], [&](int64_t at) { return error_of(i, at); });
            !found.empty())
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
  std::printf("%d of %d programs have a comparison that could go either way and are held to 2e-4\n", undecided_programs,
              static_cast<int>(how_many()));
}

}  // namespace
}  // namespace hone::e2e
