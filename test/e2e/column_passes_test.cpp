// Reductions across rows that are taken a few rows at a time, against the interpreter: on a machine without a last-level cache
// everything comes from memory.
#include "base/rng.h"
#include "cost/complete.h"
#include "e2e/compare.h"
#include "fuse/fuse.h"
#include "fuse/program_builder.h"

namespace hone::e2e {
namespace {

using ir::OpKind;
using Sizes = std::vector<int64_t>;

void check(OpKind kind, const Sizes& shape, const Sizes& axes, const std::string& isa, Rng& rng) {
  SCOPED_TRACE(fmt::format("{} of {} over {} on {}", ir::name_of(kind), fmt::join(shape, " x "), fmt::join(axes, ", "), isa));
  fuse::ProgramBuilder b("columns");
  const ir::ValueId x = b.input("x", {shape.begin(), shape.end()});
  const ir::Program program = b.finish({b.add(kind, {x}, {{"axes", axes}, {"keepdims", int64_t{0}}})});
  std::vector<double> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(static_cast<double>(rng.between(-5, 5)));
  const std::vector<eval::Tensor> inputs = {eval::filled(ir::DType::F32, shape, values)};

  pipeline::Options options;
  options.isa = isa;
  auto target = pipeline::target_of(options);
  ASSERT_TRUE(target.ok());
  target->l3_bytes = 0;
  auto graph = fuse::fuse(program);
  ASSERT_TRUE(graph.ok()) << graph.problem().message;
  auto planned = cost::complete(*graph, *target);
  ASSERT_TRUE(planned.ok()) << planned.problem().message;
  EXPECT_NE(ir::text_of(planned->graph).find("so_far"), std::string::npos) << ir::text_of(planned->graph);
  auto model = pipeline::compile_graph(planned->graph, planned->plan, options);
  ASSERT_TRUE(model.ok()) << model.problem().message;
  for (int threads : {1, 2}) {
    options.threads = threads;
    auto session = pipeline::load(*model, options);
    ASSERT_TRUE(session.ok()) << session.problem().message;
    auto want = eval::evaluate(program, inputs);
    ASSERT_TRUE(want.ok()) << want.problem().message;
    auto got = (*session)->run(feeds_of(inputs));
    ASSERT_TRUE(got.ok()) << got.problem().message;
    expect_same_bytes(*want, *got);
  }
}

TEST(ColumnPasses, MeanTheSame) {
  Rng rng(5);
  for (const std::string& isa : instruction_sets())
    for (OpKind kind : {OpKind::ReduceSum, OpKind::ReduceMax, OpKind::ReduceMin}) {
      check(kind, {37, 131}, {0}, isa, rng);
      check(kind, {9, 2}, {0}, isa, rng);
      check(kind, {2, 67}, {0}, isa, rng);
      check(kind, {3, 17, 33}, {1}, isa, rng);
      check(kind, {5, 19, 65}, {0, 1}, isa, rng);
    }
}

}  // namespace
}  // namespace hone::e2e
