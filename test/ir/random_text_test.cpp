#include <gtest/gtest.h>

#include "ir/plan/plan.h"
#include "ir/random_kernel.h"
#include "ir/text/constants.h"

namespace hone::ir {
namespace {

TEST(RandomText, KernelsReadBack) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::string text = text_of(random_kernel(seed));
    Result<Kernel> again = parse_kernel(text);
    ASSERT_TRUE(again.ok()) << "seed " << seed << ": " << again.problem().message << "\n" << text;
    ASSERT_EQ(text_of(*again), text) << "seed " << seed;
  }
}

// A tree with its accesses in place: equal for equal computations, however accesses are numbered.
std::string full_text(const Kernel& kernel, const Stmt& statement) {
  std::function<std::string(int)> access_text = [&](int number) {
    const Access& access = statement.accesses[static_cast<size_t>(number)];
    std::string text = kernel.place_name(access.operand) + "[";
    for (const Index& index : access.index) {
      std::string reads;
      index.replace_reads([&](int slot) {
        reads += access_text(slot);
        return Index(slot < 0 ? 0 : 1);
      });
      text += index.replace_reads([](int) { return Index::symbol("READ"); }).text() + reads + ",";
    }
    return text + fmt::format("]{}:{}", static_cast<int>(access.border.rule), access.border.fill);
  };
  std::function<std::string(const Scalar&)> scalar_text = [&](const Scalar& scalar) -> std::string {
    if (scalar->kind == ScalarNode::Kind::Access) return access_text(scalar->access);
    if (scalar->args.empty()) return text_of(scalar);
    std::string text = fmt::format("{}:{}(", static_cast<int>(scalar->kind) * 100 + static_cast<int>(scalar->op),
                                   name_of(scalar->type));
    for (const Scalar& arg : scalar->args) text += scalar_text(arg) + ",";
    return text + ")";
  };
  return statement.result + scalar_text(statement.body);
}

TEST(RandomText, BodiesKeepTheirTypesAndTrees) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Kernel kernel = random_kernel(seed);
    Result<Kernel> again = parse_kernel(text_of(kernel));
    ASSERT_TRUE(again.ok());
    std::vector<const Group*> before = groups_of(kernel), after = groups_of(*again);
    ASSERT_EQ(before.size(), after.size());
    for (size_t g = 0; g < before.size(); ++g)
      for (size_t s = 0; s < before[g]->inner.size(); ++s)
        ASSERT_EQ(full_text(kernel, before[g]->inner[s]), full_text(*again, after[g]->inner[s])) << "seed " << seed;
  }
}

std::string mutated(std::string text, Rng& rng) {
  constexpr const char* kPieces[] = {"(",  ")",     "[",   "]",    "{",  "}",   ",",
                                     ":",  "=",     "-",   "+",    "*",  "//",  "%",
                                     "/",  "<",     "let", "then", "in", "max", "9223372036854775807",
                                     "0",  "1e400", "0x",  "\"",   "#(", "#",   "$1",
                                     "@0", "_"};
  for (int64_t n = rng.between(1, 4); n > 0 && !text.empty(); --n) {
    size_t at = static_cast<size_t>(rng.below(static_cast<int64_t>(text.size())));
    size_t length = std::min(text.size() - at, static_cast<size_t>(rng.below(6)));
    switch (rng.below(4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, kPieces[rng.below(static_cast<int64_t>(std::size(kPieces)))]);
        break;
      case 2:
        text[at] = static_cast<char>(rng.below(256));
        break;
      default:
        text.insert(at, text.substr(static_cast<size_t>(rng.below(static_cast<int64_t>(text.size()))), length));
        break;
    }
  }
  return text;
}

// Whatever stands in the text, the parser answers; and what it accepts can be printed and judged.
TEST(RandomText, NoTextBreaksAParser) {
  const std::string plan =
      "plan k { set T = 3 layout b: d1/16 d0 d1%16 merge m n -> n group 0: vector n by 8, tile m:6, order (n, m), "
      "unroll 2 }";
  const std::string program =
      "program p(x: f32[N, 3]) -> (y) { const w: f32[2] = {1, 0x7} y: f32[N] known [1, N] = add(x, _) {a = [1, 2.5], b "
      "= \"t\"} as \"n\" }";
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    Result<Kernel> kernel = parse_kernel(mutated(text_of(random_kernel(seed % 50)), rng));
    if (kernel.ok()) {
      EXPECT_FALSE(text_of(*kernel).empty());
      (void)validate(*kernel);
    }
    if (Result<KernelPlan> parsed = parse_kernel_plan(mutated(plan, rng)); parsed.ok() && kernel.ok())
      (void)validate(*parsed, *kernel);
    if (Result<Program> parsed = parse_program(mutated(program, rng)); parsed.ok()) (void)text_of(*parsed);
    std::string graph = "graph g { input x: f32[N] output y: f32[N] alias y = x " +
                        mutated("library f(x) -> (y) with 1 if x { } else { }", rng) + " }";
    if (Result<KernelGraph> parsed = parse_kernel_graph(graph); parsed.ok()) (void)validate(*parsed);
  }
}

}  // namespace
}  // namespace hone::ir
