// Products whose weights are passed over a part at a time while the next one is fetched, against the interpreter: rows and channels that
// fill no tile, windows with borders, epilogues, prologues, operands that share their rows.
#include "base/rng.h"
#include "e2e/without_cache.h"
#include "fuse/program_builder.h"

namespace hone::e2e {
namespace {

using ir::OpKind;
using Sizes = std::vector<int64_t>;

ir::ValueId weights(fuse::ProgramBuilder& b, const char* name, const Sizes& shape, Rng& rng) {
  std::vector<float> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(static_cast<float>(rng.between(-3, 3)));
  return b.constant(name, {shape.begin(), shape.end()}, values);
}

// Two strips of weights find no room in the second-level cache, some steps of one do in the first.
void small_caches(target::Target& target) {
  target.l1_bytes = 8 << 10;
  target.l2_bytes = 64 << 10;
  target.l3_bytes = 1 << 20;
}

void check(const ir::Program& program, const std::vector<eval::Tensor>& inputs, const std::string& axis) {
  for (const std::string& isa : instruction_sets()) {
    if (isa == "x86-64") continue;  // its strips of a few narrow vectors fit
    SCOPED_TRACE(isa);
    expect_agreement_with_caches(small_caches, program, isa, inputs, fmt::format("T_{}_pass", axis));
    expect_agreement_with_caches(small_caches, program, isa, inputs, "next");
  }
}

TEST(WeightPasses, ProductsOfFewRows) {
  Rng rng(11);
  for (const Sizes& size : {Sizes{16, 512, 96}, Sizes{29, 390, 131}, Sizes{21, 416, 70}}) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(size, " x ")));
    fuse::ProgramBuilder b("product");
    const ir::ValueId x = b.input("x", {size[0], size[1]});
    const ir::ValueId r = b.input("r", {size[0], size[2]});
    const ir::ValueId y = b.add(OpKind::MatMul, {x, weights(b, "w", {size[1], size[2]}, rng)});
    const ir::Program program = b.finish({b.add(OpKind::Relu, {b.add(OpKind::Add, {y, r})})});
    check(program, {small_whole_numbers({size[0], size[1]}, rng), small_whole_numbers({size[0], size[2]}, rng)}, "k");
  }
}

TEST(WeightPasses, WindowsOverFewPixels) {
  Rng rng(12);
  for (const Sizes& image : {Sizes{7, 7}, Sizes{5, 6}}) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(image, " x ")));
    fuse::ProgramBuilder b("window");
    const ir::ValueId x = b.input("x", {1, 48, image[0], image[1]});
    const ir::Program program =
        b.finish({b.add(OpKind::Conv, {x, weights(b, "w", {197, 48, 3, 3}, rng)}, {{"pads", Sizes{1, 1, 1, 1}}})});
    check(program, {small_whole_numbers({1, 48, image[0], image[1]}, rng)}, "c");
  }
}

TEST(WeightPasses, RowsThatATaskMakesReady) {
  Rng rng(13);
  fuse::ProgramBuilder b("ready");
  const ir::ValueId x = b.input("x", {17, 512}), gate = b.input("gate", {17, 1});
  const ir::ValueId ready = b.add(OpKind::Mul, {x, gate});
  const ir::Program program = b.finish({b.add(OpKind::MatMul, {ready, weights(b, "w", {512, 67}, rng)})});
  check(program, {small_whole_numbers({17, 512}, rng), small_whole_numbers({17, 1}, rng)}, "k");
}

}  // namespace
}  // namespace hone::e2e
