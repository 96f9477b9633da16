#include "runtime/executable.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "runtime/formula.h"

namespace hone::runtime {
namespace {

Executable sample() {
  Executable exe;
  exe.name = "sample";
  exe.isa = "x86-64";
  exe.build = "test";
  exe.symbols = {"n"};
  Formula n = symbol_formula(0);
  Formula bytes = combine(FormulaOp::Mul, n, constant_formula(4));
  exe.inputs = {{"x", "f32", {n, constant_formula(2)}, {"n", "2"}, {0, -1}}};
  exe.outputs = {{"y", "f32", {n}, {"n"}, {}}};
  exe.constants = {{64, 100}};
  exe.weight_bytes = 200;
  exe.functions = {"kernel_0", "kernel_1"};
  exe.buffers = {{BufferSpec::Kind::Input, "x", 0, bytes, 4},    {BufferSpec::Kind::Output, "y", 0, bytes, 4},
                 {BufferSpec::Kind::Constant, "w", 0, {}, 4},    {BufferSpec::Kind::Arena, "t", 0, bytes, 4},
                 {BufferSpec::Kind::Alias, "view", 3, bytes, 4}, {BufferSpec::Kind::Alias, "again", 4, bytes, 4}};
  StepSpec kernel;
  kernel.label = "Relu";
  kernel.buffers = {0, 3};
  kernel.sizes = {n};
  kernel.tasks = n;
  kernel.scratch = constant_formula(128);
  StepSpec library;
  library.kind = StepSpec::Kind::Library;
  library.library = "copy";
  library.buffers = {3, 1};
  library.sizes = {bytes};
  StepSpec branch;
  branch.kind = StepSpec::Kind::If;
  branch.buffers = {5};
  branch.bodies = {{kernel, library}, {}};
  StepSpec loop;
  loop.kind = StepSpec::Kind::Loop;
  loop.buffers = {5, 5, 5, 5, 5};
  loop.carried = 1;
  loop.bodies = {{kernel}};
  StepSpec check;
  check.kind = StepSpec::Kind::Check;
  check.sizes = {n, bytes};
  exe.steps = {kernel, branch, library, loop, check};
  return exe;
}

TEST(Executable, RoundTrips) {
  Executable exe = sample();
  std::vector<std::byte> bytes = serialize(exe);
  auto read = deserialize(bytes.data(), bytes.size());
  ASSERT_TRUE(read.ok()) << read.problem().message;
  EXPECT_EQ(*read, exe);
  EXPECT_EQ(serialize(*read), bytes);
}

TEST(Executable, EveryTruncationIsAnError) {
  std::vector<std::byte> bytes = serialize(sample());
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(deserialize(bytes.data(), size).ok()) << size;
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(deserialize(bytes.data(), bytes.size()).ok());
}

TEST(Executable, DamagedBytesNeverCrash) {
  const std::vector<std::byte> good = serialize(sample());
  Rng rng(7);
  int refused = 0, rounds = 0;
  auto attempt = [&](const std::vector<std::byte>& bytes) {
    auto read = deserialize(bytes.data(), bytes.size());
    ++rounds;
    if (!read.ok()) {
      ++refused;
      EXPECT_FALSE(read.problem().message.empty());
    }
  };
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::vector<std::byte> bytes = good;
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    attempt(bytes);
  }
  for (int round = 0; round < 5000; ++round) {
    std::vector<std::byte> bytes = good;
    for (int64_t changes = rng.between(1, 8); changes > 0; --changes)
      bytes[static_cast<size_t>(rng.below(static_cast<int64_t>(bytes.size())))] = std::byte(rng.below(256));
    attempt(bytes);
  }
  EXPECT_GT(refused, rounds / 3);
}

TEST(Executable, TellsOtherFilesAndVersionsApart) {
  std::vector<std::byte> bytes = serialize(sample());
  bytes[8] = std::byte{99};
  EXPECT_NE(deserialize(bytes.data(), bytes.size()).problem().message.find("format 99"), std::string::npos);
  bytes[0] = std::byte{0};
  EXPECT_NE(deserialize(bytes.data(), bytes.size()).problem().message.find("not a compiled Hone model"),
            std::string::npos);
}

void expect_invalid(void (*change)(Executable&), const char* part_of_message) {
  Executable exe = sample();
  change(exe);
  auto status = validate(exe);
  ASSERT_FALSE(status.ok()) << part_of_message;
  EXPECT_NE(status.problem().message.find(part_of_message), std::string::npos) << status.problem().message;
}

TEST(Executable, ValidateNamesWhatIsWrong) {
  EXPECT_TRUE(validate(sample()).ok());
  expect_invalid([](Executable& e) { e.isa = "vax"; }, "unknown instruction set 'vax'");
  expect_invalid([](Executable& e) { e.buffers[3] = {BufferSpec::Kind::Alias, "t", 5, {}, 4}; }, "alias of itself");
  expect_invalid([](Executable& e) { e.buffers[4].number = 6; }, "'view' names number 6 of 6");
  expect_invalid([](Executable& e) { e.steps[0].function = 2; }, "calls function 2 of 2");
  expect_invalid([](Executable& e) { e.steps[0].buffers[0] = -1; }, "uses buffer -1");
  expect_invalid([](Executable& e) { e.steps[1].bodies.pop_back(); }, "1 bodies");
  expect_invalid([](Executable& e) { e.steps[3].bodies.clear(); }, "0 bodies");
  expect_invalid([](Executable& e) { e.steps[3].carried = 2; }, "carries 2 values in 5 buffers");
  expect_invalid([](Executable& e) { e.steps[3].carried = 0; }, "carries 0 values");
  expect_invalid([](Executable& e) { e.steps[4].sizes.pop_back(); }, "compares 1 sizes");
  expect_invalid([](Executable& e) { e.symbols.push_back("m"); }, "gives symbol 'm' a value");
  expect_invalid([](Executable& e) { e.constants[0].bytes = 137; }, "outside the 200 bytes");
  expect_invalid([](Executable& e) { e.constants[0].offset = UINT64_MAX - 63; }, "outside the 200 bytes");
  expect_invalid([](Executable& e) { e.buffers[1].kind = BufferSpec::Kind::Arena; }, "'y' has 0 buffers");
  expect_invalid([](Executable& e) { e.inputs[0].dtype = "f33"; }, "unknown type 'f33'");
}

}  // namespace
}  // namespace hone::runtime
