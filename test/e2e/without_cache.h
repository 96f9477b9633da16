// Plans for a machine with other caches, such as none of the last level, to which every operand comes from memory: what cost does for
// large tensors is then done for small ones.
#pragma once

#include <functional>

#include "cost/complete.h"
#include "e2e/compare.h"
#include "fuse/fuse.h"

namespace hone::e2e {

// Compiled for such a machine, with one and two threads, the program gives what the interpreter gives; `sign` stands in its kernels or
// plans.
inline void expect_agreement_with_caches(const std::function<void(target::Target&)>& change, const ir::Program& program,
                                         const std::string& isa, const std::vector<eval::Tensor>& inputs,
                                         const std::string& sign) {
  pipeline::Options options;
  options.isa = isa;
  auto target = pipeline::target_of(options);
  ASSERT_TRUE(target.ok());
  change(*target);
  auto graph = fuse::fuse(program);
  ASSERT_TRUE(graph.ok()) << graph.problem().message;
  auto planned = cost::complete(*graph, *target);
  ASSERT_TRUE(planned.ok()) << planned.problem().message;
  const std::string text = ir::text_of(planned->graph.kernels[0]) + ir::text_of(planned->plan.kernels[0], "first");
  EXPECT_NE(text.find(sign), std::string::npos) << text;
  auto model = pipeline::compile_graph(planned->graph, planned->plan, options);
  ASSERT_TRUE(model.ok()) << model.problem().message;
  auto want = eval::evaluate(program, inputs);
  ASSERT_TRUE(want.ok()) << want.problem().message;
  for (int threads : {1, 2}) {
    options.threads = threads;
    auto session = pipeline::load(*model, options);
    ASSERT_TRUE(session.ok()) << session.problem().message;
    auto got = (*session)->run(feeds_of(inputs));
    ASSERT_TRUE(got.ok()) << got.problem().message;
    expect_same_bytes(*want, *got);
  }
}

inline void expect_agreement_without_cache(const ir::Program& program, const std::string& isa,
                                           const std::vector<eval::Tensor>& inputs, const std::string& sign) {
  expect_agreement_with_caches([](target::Target& target) { target.l3_bytes = 0; }, program, isa, inputs, sign);
}

inline eval::Tensor small_whole_numbers(const std::vector<int64_t>& shape, Rng& rng) {
  std::vector<double> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(static_cast<double>(rng.between(-5, 5)));
  return eval::filled(ir::DType::F32, shape, values);
}

}  // namespace hone::e2e
