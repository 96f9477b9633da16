// Every elementary function against the C library in higher precision, in units of the last place. Set HONE_SOAK for
// every bit pattern of f32 instead of a sample.
#include "lower/vector_math/vector_math.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "base/rng.h"
#include "codegen/llvm/codegen.h"
#include "target/target.h"

namespace hone::lower {
namespace {

using ir::DType;
using ir::ScalarOp;
using namespace ir::loop;

// out[i] = op(in0[i], in1[i], …) for i below the size, a multiple of `lanes`; `first` is given if it is a number.
Function loop_over(ScalarOp op, DType in, DType out, int lanes, Sign sign = Sign::Any,
                   std::optional<double> first = {}) {
  Function f;
  f.name = "apply";
  f.sizes = {"n"};
  const int arity = ir::arity_of(op) - (first ? 1 : 0);
  for (int i = 0; i < arity; ++i) f.buffers.push_back({.name = fmt::format("in{}", i), .dtype = in});
  f.buffers.push_back({.name = "out", .dtype = out});
  const Expr i = variable("i", {});
  Block body;
  int temporaries = 0;
  const Sink sink = [&](Expr e) {
    if (e->kind == ExprKind::Variable) return e;
    const std::string name = fmt::format("t{}", temporaries++);
    body.push_back(assign(name, e));
    return variable(name, e->type);
  };
  std::vector<Expr> args;
  if (first) args.push_back(float_constant(*first, {in, lanes}));
  for (int k = 0; k < arity; ++k) args.push_back(sink(load(k, in, lanes, i)));
  const Expr result = expand(op, args, sink, sign);
  body.push_back(store(arity, i, result));
  f.body.push_back(for_loop("i", int_constant(0), size(0), int_constant(lanes), std::move(body)));
  return f;
}

std::shared_ptr<codegen::JitModule> compile(const Function& f, const std::string& isa) {
  auto compiled = codegen::compile_to_object({f}, {.isa = isa});
  EXPECT_TRUE(compiled.ok()) << compiled.problem().message;
  auto module = codegen::JitModule::load({compiled->object});
  EXPECT_TRUE(module.ok()) << module.problem().message;
  return std::move(module).value();
}

// Of results below `least` the unit is that of `least`.
double distance_in_ulps(float got, long double wanted, float least = 0) {
  const auto rounded = static_cast<float>(wanted);
  if (std::isnan(rounded) || std::isnan(got)) return std::isnan(rounded) == std::isnan(got) ? 0 : 1e9;
  if (std::isinf(rounded) || std::isinf(got))
    return rounded == got ? 0 : std::abs(got) > 3.4028e38f && std::isinf(rounded) ? 1 : 1e9;
  if (rounded == 0 && got == 0 && least == 0) return std::signbit(rounded) == std::signbit(got) ? 0 : 1e9;
  const float magnitude = std::max(std::abs(rounded), least);
  const float unit = std::nextafter(magnitude, std::numeric_limits<float>::infinity()) - magnitude;
  return static_cast<double>(std::abs(static_cast<long double>(got) - wanted) / unit);
}

struct Worst {
  double ulps = 0;
  float x = 0, y = 0, got = 0;
};

class Sweep {
 public:
  Sweep(ScalarOp op, const std::string& isa, int lanes, Sign sign = Sign::Any, std::optional<double> first = {},
        float least = 0)
      : least_(least),
        module_(compile(loop_over(op, DType::F32, DType::F32, lanes, sign, first), isa)),
        kernel_(module_->find("apply")) {}

  template <typename Reference>
  void run(std::vector<float> x, std::vector<float> y, const Reference& reference) {
    std::vector<float> out(x.size());
    std::vector<void*> buffers = {x.data()};
    if (!y.empty()) buffers.push_back(y.data());
    buffers.push_back(out.data());
    const auto n = static_cast<int64_t>(x.size());
    kernel_(buffers.data(), &n, 0, 1, nullptr);
    for (size_t i = 0; i < x.size(); ++i) {
      const double ulps = distance_in_ulps(out[i], reference(x[i], y.empty() ? 0.0f : y[i]), least_);
      if (ulps > worst.ulps) worst = {ulps, x[i], y.empty() ? 0.0f : y[i], out[i]};
    }
  }

  Worst worst;

 private:
  float least_;
  std::shared_ptr<codegen::JitModule> module_;
  hone_kernel_fn kernel_;
};

constexpr size_t kChunk = 1 << 14;

// Instruction sets and lanes. Vectors of 512 bits scale by powers of two at once, also where no instruction does.
std::vector<std::pair<const char*, int>> forms() {
  std::vector<std::pair<const char*, int>> list = {{"x86-64", 4}, {"avx2", 8}, {"avx2", 16}};
  if (target::host_target().isa == target::Isa::Avx512) list.push_back({"avx512", 16});
  return list;
}
constexpr size_t kMostLanes = 16;

template <typename Reference>
void sweep_unary(ScalarOp op, double bound, double largest, const Reference& reference, Sign sign = Sign::Any,
                 std::optional<double> first = {}, float least = 0) {
  const uint64_t stride = std::getenv("HONE_SOAK") ? 1 : 997;
  for (const auto& [isa, lanes] : forms()) {
    Sweep sweep(op, isa, lanes, sign, first, least);
    std::vector<float> x;
    const auto add = [&](uint32_t bits) {
      const auto value = std::bit_cast<float>(sign == Sign::NotPositive ? bits | 0x80000000u : bits);
      x.push_back(std::abs(value) > largest ? 0.0f : value);
    };
    for (uint32_t special : {0u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0x7fc00155u, 0xffffffffu, 1u,
                             0x80000001u, 0x7f7fffffu, 0xff7fffffu, 0x00800000u, 0x3f800000u, 0xbf800000u})
      add(special);
    for (uint64_t bits = 0; bits < (1ull << 32); bits += stride) {
      add(static_cast<uint32_t>(bits));
      if (x.size() < kChunk) continue;
      sweep.run(x, {}, reference);
      x.clear();
    }
    while (x.size() % kMostLanes != 0) x.push_back(0);
    sweep.run(x, {}, reference);
    fmt::print("{:8} {:7} by {:2}, worst {:.3f} ulp at {:a} ({}), got {}\n", ir::name_of(op), isa, lanes,
               sweep.worst.ulps, sweep.worst.x, sweep.worst.x, sweep.worst.got);
    EXPECT_LE(sweep.worst.ulps, bound) << ir::name_of(op) << " of " << sweep.worst.x << " on " << isa;
  }
}

constexpr double kAll = std::numeric_limits<double>::infinity();

TEST(VectorMath, Exp) {
  sweep_unary(ScalarOp::Exp, 4, kAll, [](float x, float) { return std::exp(static_cast<double>(x)); });
}
TEST(VectorMath, ExpOfWhatIsNotPositive) {
  sweep_unary(
      ScalarOp::Exp, 4, kAll, [](float x, float) { return std::exp(static_cast<double>(x)); }, Sign::NotPositive);
}
TEST(VectorMath, PowersOfTwo) {
  for (Sign sign : {Sign::Any, Sign::NotPositive})
    sweep_unary(ScalarOp::Pow, 4, kAll, [](float x, float) { return std::exp2(static_cast<double>(x)); }, sign, 2.0);
}
TEST(VectorMath, TheFormOfAnExpressionTellsItsSign) {
  const ir::Scalar x = ir::access_value(DType::F32, 0);
  const auto number = [](double value) { return ir::constant(DType::F32, value); };
  EXPECT_EQ(sign_of(ir::apply(ScalarOp::Min, {x, number(0)})), Sign::NotPositive);
  EXPECT_EQ(sign_of(ir::apply(ScalarOp::Min, {number(-3), x})), Sign::NotPositive);
  EXPECT_EQ(sign_of(ir::apply(ScalarOp::Neg, {ir::apply(ScalarOp::Abs, {x})})), Sign::NotPositive);
  EXPECT_EQ(sign_of(ir::apply(ScalarOp::Min, {x, number(1)})), Sign::Any);
  EXPECT_EQ(sign_of(ir::apply(ScalarOp::Max, {x, number(0)})), Sign::Any);
  EXPECT_EQ(sign_of(x), Sign::Any);
}
TEST(VectorMath, Log) {
  sweep_unary(ScalarOp::Log, 4, kAll, [](float x, float) { return std::log(static_cast<double>(x)); });
}
TEST(VectorMath, Tanh) {
  sweep_unary(ScalarOp::Tanh, 4, kAll, [](float x, float) { return std::tanh(static_cast<double>(x)); });
}
TEST(VectorMath, Erf) {
  sweep_unary(ScalarOp::Erf, 4, kAll, [](float x, float) { return std::erf(static_cast<double>(x)); });
}
TEST(VectorMath, NormalCdfInUnitsOfOne) {
  sweep_unary(
      ScalarOp::NormalCdf, 1, kAll,
      [](float x, float) { return std::erfc(-static_cast<double>(x) * std::numbers::sqrt2 / 2) / 2; }, Sign::Any, {},
      1.0f);
}
TEST(VectorMath, Sigmoid) {
  sweep_unary(ScalarOp::Sigmoid, 4, kAll, [](float x, float) {
    const double e = std::exp(-std::abs(static_cast<double>(x)));
    return (x < 0 ? e : 1.0) / (1.0 + e);
  });
}
TEST(VectorMath, Sin) {
  sweep_unary(ScalarOp::Sin, 4, 1e6, [](float x, float) { return std::sin(static_cast<double>(x)); });
}
TEST(VectorMath, Cos) {
  sweep_unary(ScalarOp::Cos, 4, 1e6, [](float x, float) { return std::cos(static_cast<double>(x)); });
}
TEST(VectorMath, Tan) {
  sweep_unary(ScalarOp::Tan, 4, 1e6, [](float x, float) { return std::tan(static_cast<double>(x)); });
}
TEST(VectorMath, InverseTrigonometric) {
  sweep_unary(ScalarOp::Asin, 4, kAll, [](float x, float) { return std::asin(static_cast<double>(x)); });
  sweep_unary(ScalarOp::Acos, 4, kAll, [](float x, float) { return std::acos(static_cast<double>(x)); });
  sweep_unary(ScalarOp::Atan, 4, kAll, [](float x, float) { return std::atan(static_cast<double>(x)); });
}
TEST(VectorMath, Hyperbolic) {
  sweep_unary(ScalarOp::Sinh, 4, kAll, [](float x, float) { return std::sinh(static_cast<double>(x)); });
  sweep_unary(ScalarOp::Cosh, 4, kAll, [](float x, float) { return std::cosh(static_cast<double>(x)); });
}
TEST(VectorMath, InverseHyperbolic) {
  sweep_unary(ScalarOp::Asinh, 4, kAll, [](float x, float) { return std::asinh(static_cast<double>(x)); });
  sweep_unary(ScalarOp::Acosh, 4, kAll, [](float x, float) { return std::acosh(static_cast<double>(x)); });
  sweep_unary(ScalarOp::Atanh, 4, kAll, [](float x, float) { return std::atanh(static_cast<double>(x)); });
}
TEST(VectorMath, Rsqrt) {
  sweep_unary(ScalarOp::Rsqrt, 4, kAll, [](float x, float) { return 1.0 / std::sqrt(static_cast<double>(x)); });
}
TEST(VectorMath, Rounding) {
  sweep_unary(ScalarOp::Floor, 0, kAll, [](float x, float) { return std::floor(x); });
  sweep_unary(ScalarOp::Ceil, 0, kAll, [](float x, float) { return std::ceil(x); });
  sweep_unary(ScalarOp::Round, 0, kAll, [](float x, float) { return std::nearbyint(x); });
}

TEST(VectorMath, SinAndCosStayBounded) {
  for (const ScalarOp op : {ScalarOp::Sin, ScalarOp::Cos}) {
    Sweep sweep(op, "avx2", 8);
    std::vector<float> x;
    Rng rng(3);
    while (x.size() < kChunk)
      x.push_back(std::bit_cast<float>(static_cast<uint32_t>(rng.between(0x49800000, 0x7f7fffff))));
    sweep.run(x, {}, [](float, float) { return 0.0L; });
    EXPECT_LE(std::abs(sweep.worst.got), 1.0f);
  }
}

std::vector<float> pow_operands() {
  std::vector<float> values = {0.0f,
                               -0.0f,
                               1.0f,
                               -1.0f,
                               2.0f,
                               -2.0f,
                               0.5f,
                               -0.5f,
                               3.0f,
                               -3.0f,
                               1e-40f,
                               -1e-40f,
                               1e30f,
                               -1e30f,
                               1e-30f,
                               16777216.0f,
                               16777215.0f,
                               -8388609.0f,
                               0.3333333f,
                               10.0f,
                               -7.0f,
                               100.5f,
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN(),
                               1.0000001f,
                               0.99999994f,
                               3.4028235e38f};
  return values;
}

TEST(VectorMath, Pow) {
  const auto reference = [](float x, float y) {
    return std::pow(static_cast<long double>(x), static_cast<long double>(y));
  };
  for (const auto& [isa, lanes] : forms()) {
    Sweep sweep(ScalarOp::Pow, isa, lanes);
    std::vector<float> x, y;
    for (const float a : pow_operands())
      for (const float b : pow_operands()) x.push_back(a), y.push_back(b);
    while (x.size() % kMostLanes != 0) x.push_back(1), y.push_back(1);
    sweep.run(x, y, reference);
    Rng rng(11);
    for (int round = 0; round < (std::getenv("HONE_SOAK") ? 2000 : 20); ++round) {
      x.clear(), y.clear();
      while (x.size() < kChunk) {
        x.push_back(std::bit_cast<float>(static_cast<uint32_t>(rng.next())));
        // Exponents that keep the result in range, mostly; some of them integers.
        const double scale = rng.chance(0.8) ? 100.0 / (std::abs(std::log(std::abs(x.back()))) + 1e-3) : 1000.0;
        const double exponent = (2 * rng.unit() - 1) * scale;
        y.push_back(static_cast<float>(rng.chance(0.5) ? std::nearbyint(exponent) : exponent));
      }
      sweep.run(x, y, reference);
    }
    fmt::print("pow      {:7} worst {:.3f} ulp at ({}, {}), got {}\n", isa, sweep.worst.ulps, sweep.worst.x,
               sweep.worst.y, sweep.worst.got);
    EXPECT_LE(sweep.worst.ulps, 4) << sweep.worst.x << " to the " << sweep.worst.y;
  }
}

double worst_f64(ScalarOp op, double lo, double hi, double (*reference)(double), const char* isa) {
  const auto module = compile(loop_over(op, DType::F64, DType::F64, 4), isa);
  Rng rng(5);
  std::vector<double> x(kChunk), out(kChunk);
  for (double& v : x) v = lo + (hi - lo) * rng.unit();
  void* buffers[] = {x.data(), out.data()};
  const int64_t n = kChunk;
  module->find("apply")(buffers, &n, 0, 1, nullptr);
  double worst = 0;
  for (size_t i = 0; i < kChunk; ++i) {
    const double wanted = reference(x[i]);
    worst = std::max(worst, std::abs(out[i] - wanted) / std::abs(wanted));
  }
  return worst;
}

TEST(VectorMath, DoubleIsGoodToAFewUnits) {
  struct Case {
    ScalarOp op;
    double lo, hi;
    double (*reference)(double);
  };
  const Case cases[] = {
      {ScalarOp::Exp, -700, 700, std::exp},
      {ScalarOp::Log, 1e-3, 1e6, std::log},
      {ScalarOp::Tanh, -22, 22, std::tanh},
      {ScalarOp::Erf, -6.5, 6.5, std::erf},
      {ScalarOp::Sin, -3, 3, std::sin},
      {ScalarOp::Cos, -1.5, 1.5, std::cos},
      {ScalarOp::Sin, 900, 902, std::sin},
      {ScalarOp::Tan, -1.5, 1.5, std::tan},
      {ScalarOp::Asin, -1, 1, std::asin},
      {ScalarOp::Acos, -1, 1, std::acos},
      {ScalarOp::Atan, -9, 9, std::atan},
      {ScalarOp::Sinh, -709, 710, std::sinh},
      {ScalarOp::Sinh, -1, 1, std::sinh},
      {ScalarOp::Cosh, -709, 710, std::cosh},
      {ScalarOp::Asinh, -2, 2, std::asinh},
      {ScalarOp::Asinh, -1e9, 1e9, std::asinh},
      {ScalarOp::Acosh, 1, 3, std::acosh},
      {ScalarOp::Acosh, 1, 1e9, std::acosh},
      {ScalarOp::Atanh, -1, 1, std::atanh},
      {ScalarOp::NormalCdf, -0.5, 9, [](double x) { return std::erfc(-x * std::numbers::sqrt2 / 2) / 2; }}};
  for (const char* isa : {"x86-64", "avx2"})
    for (const Case& c : cases) {
      const double worst = worst_f64(c.op, c.lo, c.hi, c.reference, isa);
      fmt::print("{:8} {:7} f64 relative error {:.2e}\n", ir::name_of(c.op), isa, worst);
      EXPECT_LT(worst, 1e-15) << ir::name_of(c.op);
    }
}

TEST(VectorMath, IntegerPower) {
  const auto module = compile(loop_over(ScalarOp::Pow, DType::I32, DType::I32, 8), "avx2");
  std::vector<int32_t> x = {2, 3, -2, -1, 0, 1, 0, -3}, y = {10, 4, 3, 7, 64, 1000, 0, -1}, out(8);
  void* buffers[] = {x.data(), y.data(), out.data()};
  const int64_t n = 8;
  module->find("apply")(buffers, &n, 0, 1, nullptr);
  EXPECT_EQ(out, (std::vector<int32_t>{1024, 81, -8, -1, 0, 1, 1, 0}));
}

TEST(VectorMath, ShiftsBeyondTheWidth) {
  struct Case {
    ScalarOp op;
    DType type;
    std::vector<int32_t> x, y, wanted;
  };
  const Case cases[] = {{ScalarOp::Shl, DType::I32, {1, 3, -1, 5}, {31, 32, 4, -1}, {INT32_MIN, 0, -16, 0}},
                        {ScalarOp::Shr, DType::I32, {-8, -8, 8, 8}, {1, 99, 99, 2}, {-4, -1, 0, 2}},
                        {ScalarOp::Shr, DType::U32, {-1, -1, 8, 8}, {31, 32, 99, 2}, {1, 0, 0, 2}}};
  for (Case c : cases) {
    const auto module = compile(loop_over(c.op, c.type, c.type, 4), "avx2");
    std::vector<int32_t> out(4);
    void* buffers[] = {c.x.data(), c.y.data(), out.data()};
    const int64_t n = 4;
    module->find("apply")(buffers, &n, 0, 1, nullptr);
    EXPECT_EQ(out, c.wanted) << ir::name_of(c.op) << " of " << ir::name_of(c.type);
  }
}

TEST(VectorMath, SignAndModFollowTheirRules) {
  const auto sign = compile(loop_over(ScalarOp::Sign, DType::F32, DType::F32, 4), "avx2");
  std::vector<float> x = {-3, 0, 5, std::numeric_limits<float>::quiet_NaN()}, out(4);
  void* buffers[] = {x.data(), out.data()};
  const int64_t n = 4;
  sign->find("apply")(buffers, &n, 0, 1, nullptr);
  EXPECT_EQ(out[0], -1);
  EXPECT_EQ(out[1], 0);
  EXPECT_EQ(out[2], 1);
  EXPECT_TRUE(std::isnan(out[3]));

  const auto mod = compile(loop_over(ScalarOp::Mod, DType::I64, DType::I64, 4), "avx2");
  std::vector<int64_t> a = {7, -7, 7, -7}, b = {3, 3, -3, 0}, c(4);
  void* operands[] = {a.data(), b.data(), c.data()};
  mod->find("apply")(operands, &n, 0, 1, nullptr);
  EXPECT_EQ(c, (std::vector<int64_t>{1, 2, -2, 0}));
}

}  // namespace
}  // namespace hone::lower
