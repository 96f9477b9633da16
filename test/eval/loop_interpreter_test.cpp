// Compiled code and the interpreter of Loop IR must leave the same bytes behind.
#include "eval/loop_interpreter.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/rng.h"
#include "codegen/llvm/codegen.h"

namespace hone::eval {
namespace {

using ir::DType;
using Bytes = std::vector<std::byte>;

// Numbers worth meeting: small integers, halves, zeros, infinities, NaN.
double some_number(Rng& rng) {
  if (rng.chance(0.02)) return std::numeric_limits<double>::quiet_NaN();
  if (rng.chance(0.02)) return std::numeric_limits<double>::infinity();
  if (rng.chance(0.1)) return 0;
  return static_cast<double>(rng.between(-40, 40)) * 0.37;
}

template <typename T>
void put(Bytes& bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at * sizeof(T), &value, sizeof(T));
}

Bytes random_buffer(DType type, size_t count, Rng& rng) {
  Bytes bytes(count * ir::size_of(type));
  for (size_t i = 0; i < count; ++i) {
    if (type == DType::F32)
      put(bytes, i, static_cast<float>(some_number(rng)));
    else if (type == DType::F64)
      put(bytes, i, some_number(rng));
    else if (type == DType::F16)
      put(bytes, i, static_cast<uint16_t>(0x3000 + rng.below(0x1800)));
    else if (type == DType::BF16)
      put(bytes, i, static_cast<uint16_t>(0x3e00 + rng.below(0x400)));
    else if (type == DType::Bool)
      bytes[i] = static_cast<std::byte>(rng.below(2));
    else
      for (size_t k = 0; k < ir::size_of(type); ++k)
        bytes[i * ir::size_of(type) + k] = static_cast<std::byte>(rng.next());
  }
  return bytes;
}

// Equal bits, or both NaN.
void expect_same(const ir::loop::LoopBuffer& buffer, const Bytes& a, const Bytes& b, const std::string& text) {
  const size_t width = ir::size_of(buffer.dtype);
  for (size_t i = 0; i < a.size() / width; ++i) {
    if (std::memcmp(&a[i * width], &b[i * width], width) == 0) continue;
    float x = 0, y = 0;
    if (buffer.dtype == DType::F32) {
      std::memcpy(&x, &a[i * width], width);
      std::memcpy(&y, &b[i * width], width);
    }
    if (std::isnan(x) && std::isnan(y)) continue;
    FAIL() << buffer.name << "[" << i << "]: interpreted " << x << ", compiled " << y << "\n" << text;
  }
}

void check(const std::string& text, std::vector<int64_t> sizes, const std::string& isa = "avx2") {
  const auto function = ir::loop::parse_function(text);
  ASSERT_TRUE(function.ok()) << function.problem().message;
  auto compiled = codegen::compile_to_object({*function}, {.isa = isa});
  ASSERT_TRUE(compiled.ok()) << compiled.problem().message;
  auto module = codegen::JitModule::load({compiled->object});
  ASSERT_TRUE(module.ok()) << module.problem().message;

  Rng rng(17);
  std::vector<Bytes> interpreted;
  for (const auto& b : function->buffers)
    if (!b.scratch) interpreted.push_back(random_buffer(b.dtype, 256, rng));
  std::vector<Bytes> run = interpreted;
  const auto pointers = [](std::vector<Bytes>& all) {
    std::vector<void*> p;
    for (Bytes& b : all) p.push_back(b.data());
    return p;
  };
  Bytes scratch_a(4096), scratch_b(4096);
  const Status status = interpret(*function, pointers(interpreted).data(), sizes.data(), 0, 3, scratch_a.data());
  ASSERT_TRUE(status.ok()) << status.problem().message;
  (*module)->find(function->name)(pointers(run).data(), sizes.data(), 0, 3, scratch_b.data());
  for (size_t i = 0; i < run.size(); ++i) expect_same(function->buffers[i], interpreted[i], run[i], text);
}

TEST(LoopInterpreter, MasksTailsAndBranches) {
  check(R"(function tails(sizes n; buffers x: f32, y: f32, flag: bool) {
  for i in 0 .. $n by 8 {
    m = tail_mask($n - i, 8)
    a = x[i; 8 where m]
    y[i] = max(a, 0.0:f32x8) + min(a, y[i; 8 where m]) where m
    flag[i] = a < 1.0:f32x8 where m
    if i % 16 == 0 {
      y[i] = reduce_max(a)
    } else {
      y[i] = reduce_add(a) * extract(a, 2)
      x[i] = shuffle(a, y[i; 8 where m], 0, 9, 2, 11, 7, 7, 8, 15) where m
    }
  }
})",
        {61});
}

TEST(LoopInterpreter, GathersByIndex) {
  check(R"(function gathers(sizes n; buffers index: u8, x: f32, y: f32, z: i32) {
  for i in task_begin .. task_end by 1 {
    offsets = i64(index[i * 8; 8])
    live = offsets < 100:i64x8
    y[i * 8] = gather(x, offsets, live)
    y[i * 8 + 64] = gather(x, ramp(8) * broadcast($n, 8))
    z[i * 8] = i32(offsets)
  }
})",
        {29});
}

TEST(LoopInterpreter, ReducesInHalves) {
  check(R"(function sums(sizes n; buffers x: f32, y: f32, k: i32, l: i32, d: f64) {
  s = 0.0:f32x8
  for i in 0 .. $n by 8 {
    s = fma(x[i; 8], x[i + 8; 8], s)
  }
  y[0] = reduce_add(s)
  y[1] = reduce_mul(x[3; 5])
  y[2] = reduce_min(x[3; 7])
  y[3] = reduce_add(x[9; 3])
  l[0] = reduce_add(k[0; 16])
  l[1] = reduce_max(k[0; 8])
  l[2] = reduce_min(k[0; 6])
  l[3] = reduce_mul(k[5; 4])
  d[0] = reduce_add(f64(x[3; 4]))
})",
        {64});
}

TEST(LoopInterpreter, IntegersDivideAndWrap) {
  for (const char* type : {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"})
    for (const char* op : {"a / b", "a // b", "a % b", "rem(a, b)", "a + b", "a - b", "a * b", "min(a, b)", "max(a, b)",
                           "a & b", "a ^ b", "a | not(b)", "neg(a)", "abs(a)", "a / 7:T", "a // 8:T", "a % 8:T"}) {
      std::string line = op;
      if (const size_t at = line.find('T'); at != std::string::npos) line.replace(at, 1, fmt::format("{}x4", type));
      check(
          fmt::format("function ints(sizes n; buffers x: {0}, y: {0}, z: {0}, w: bool) {{\n  for i in 0 .. 64 by 4 {{\n"
                      "    a = x[i; 4]\n    b = y[i; 4] & 15:{0}x4\n    z[i] = {1}\n    w[i] = a < b\n  }}\n}}\n",
                      type, line),
          {0});
    }
}

TEST(LoopInterpreter, ConvertsBetweenTypes) {
  for (const char* isa : {"avx2", "x86-64"})
    for (const char* from : {"f32", "f64", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "bool"})
      for (const char* to : {"f32", "f16", "bf16", "i32", "i64", "bool"}) {
        const bool narrow = std::string(to)[0] == 'i' || std::string(from) == "f64";
        // Values that fit everywhere.
        const std::string source = std::string(from) == "bool" ? "x[i; 4]"
                                   : narrow                    ? fmt::format("{0}(i8(ramp(4) + broadcast(i, 4)))", from)
                                            : fmt::format("{}(u8(ramp(4) + broadcast(i * 3, 4)))", from);
        check(fmt::format("function casts(sizes n; buffers x: {0}, y: {1}) {{\n  for i in 0 .. 64 by 4 {{\n    y[i] = "
                          "{1}({2})\n  }}\n}}\n",
                          from, to, source),
              {0}, isa);
      }
}

TEST(LoopInterpreter, FloatsBeyondAnIntegerSaturate) {
  for (const char* isa : {"avx2", "x86-64"})
    for (const char* from : {"f32", "f64"})
      for (const char* to : {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"})
        for (const char* value : {"1e30", "-1e30", "nan", "inf", "-inf", "300.5", "-1.5", "70000.25", "-2147483904.0"})
          check(fmt::format(
                    "function casts(sizes n; buffers y: {1}) {{\n  y[0] = {1}({2}:{0}x4)\n  y[8] = {1}({2}:{0})\n}}\n",
                    from, to, value),
                {0}, isa);
}

TEST(LoopInterpreter, HalvesRoundTheSameOnEveryMachine) {
  for (const char* isa : {"avx2", "x86-64"})
    for (const char* half : {"f16", "bf16"})
      check(fmt::format(
                "function halves(sizes n; buffers x: {0}, y: {0}, z: f32) {{\n  for i in 0 .. 64 by 8 {{\n"
                "    a = x[i; 8]\n    b = y[i; 8]\n    y[i] = a * b + a\n    z[i] = f32(a) / f32(b)\n"
                "    y[i + 64] = {0}(z[i; 8] * 1e-6:f32x8)\n    y[i + 128] = {0}(z[i; 8] * 30000.0:f32x8)\n  }}\n}}\n",
                half),
            {0}, isa);
}

TEST(LoopInterpreter, ScratchAndScalars) {
  check(R"(function scratch(sizes n; buffers x: f32, y: f32, t: f32 at 64, u: f32 at $n * 4 + 128) {
  for i in 0 .. $n by 1 {
    t[i] = x[i] * 2.0:f32
    u[i] = floor(x[i]) + ceil(t[i]) - trunc(x[i]) + round_even(t[i])
  }
  for i in 0 .. $n by 1 {
    y[i] = t[$n - 1 - i] - u[i]
  }
  v = 5
  if $n < 3 {
    v = 6
  }
  y[100 + v] = as_f32(as_i32(x[v]) ^ 1:i32)
  y[90] = x[91; 1 where $n < 3]
})",
        {40});
}

TEST(LoopInterpreter, RemaindersAreExact) {
  for (const char* isa : {"avx2", "x86-64"})
    check(R"(function remainders(sizes n; buffers x: f32, y: f32, z: f32, u: u32) {
  for k in 0 .. 256 by 8 {
    a = as_f32(u[k; 8])
    z[k] = rem(x[k; 8], y[k; 8])
    x[k] = rem(a, y[k; 8])
    y[k] = rem(as_f32(u[255 - k - 7; 8]), a)
  }
})",
          {0}, isa);
}

TEST(LoopInterpreter, RefusesWhatIsNotValid) {
  ir::loop::Function f;
  f.name = "f";
  f.body = {ir::loop::assign("v", ir::loop::variable("w", {}))};
  EXPECT_FALSE(interpret(f, nullptr, nullptr, 0, 1, nullptr).ok());
}

}  // namespace
}  // namespace hone::eval
