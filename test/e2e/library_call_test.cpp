// Compiled models that call library functions, in memory and from an artefact.
#include <gtest/gtest.h>
#include <unistd.h>

#include "e2e/compare.h"
#include "fuse/program_builder.h"
#include "pipeline/compile.h"
#include "runtime/artefact.h"

namespace hone::e2e {
namespace {

using ir::DType;
using ir::OpKind;

// Writes doubled updates into a transposed table, then takes the largest of each row.
ir::Program scatter_and_sort() {
  fuse::ProgramBuilder b("scatter_and_sort");
  ir::Index n = ir::Index::symbol("n");
  auto table = b.input("table", {5, n}), updates = b.input("updates", {n, 2});
  auto at = b.input("at", {n, 2}, DType::I64);
  auto doubled = b.add(OpKind::Add, {updates, updates});
  auto scattered = b.add(OpKind::ScatterElements, {b.transpose(table, {1, 0}), at, doubled},
                         {{"axis", int64_t{1}}, {"reduction", std::string("max")}});
  auto chosen =
      b.add_many_typed(OpKind::TopK, {scattered}, {{DType::F32, {n, 3}}, {DType::I64, {n, 3}}}, {{"axis", int64_t{1}}});
  return b.finish({b.add(OpKind::Neg, {chosen[0]}), chosen[1]});
}

std::vector<eval::Tensor> inputs(double index) {
  return {eval::filled(DType::F32, {5, 2}, {1, 9, 2, 8, 3, 7, 4, 6, 5, 5}),
          eval::filled(DType::F32, {2, 2}, {3, 0.5, 4, 1}), eval::filled(DType::I64, {2, 2}, {0, index, -1, 1})};
}

TEST(LibraryCall, CompiledAndInAnArtefact) {
  std::vector<eval::Tensor> tensors = inputs(3);
  auto want = eval::evaluate(scatter_and_sort(), tensors);
  ASSERT_TRUE(want.ok()) << want.problem().message;
  auto model = pipeline::compile_program(scatter_and_sort(), {});
  ASSERT_TRUE(model.ok()) << model.problem().message;
  for (int threads : {1, 2}) {
    pipeline::Options options;
    options.threads = threads;
    auto session = pipeline::load(*model, options);
    ASSERT_TRUE(session.ok()) << session.problem().message;
    auto got = (*session)->run(feeds_of(tensors));
    ASSERT_TRUE(got.ok()) << got.problem().message;
    expect_same_bytes(*want, *got);
  }
  std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("hone_library_{}.so", getpid());
  Status written = pipeline::write_artefact(*model, path);
  ASSERT_TRUE(written.ok()) << written.problem().message;
  auto session = runtime::load_artefact(path.string(), 1);
  ASSERT_TRUE(session.ok()) << session.problem().message;
  auto got = (*session)->run(feeds_of(tensors));
  ASSERT_TRUE(got.ok()) << got.problem().message;
  expect_same_bytes(*want, *got);
  std::filesystem::remove(path);
  std::filesystem::remove(path.replace_extension(".h"));
}

TEST(LibraryCall, AWrongIndexEndsTheRunAndTheNextRunsAgain) {
  auto model = pipeline::compile_program(scatter_and_sort(), {});
  ASSERT_TRUE(model.ok()) << model.problem().message;
  auto session = pipeline::load(*model, {});
  ASSERT_TRUE(session.ok()) << session.problem().message;
  auto failed = (*session)->run(feeds_of(inputs(5)));
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.problem().message.find("index 5 is outside a dimension of 5"), std::string::npos)
      << failed.problem().message;
  EXPECT_TRUE((*session)->run(feeds_of(inputs(4))).ok());
}

}  // namespace
}  // namespace hone::e2e
