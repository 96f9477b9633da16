// Every template against the meaning of the groups that take it: bit for bit as the interpreter has it, at sizes that no tile
// divides, in every instruction set.
#include "base/rng.h"
#include "cost/group/templates.h"
#include "e2e/compare.h"
#include "fuse/program_builder.h"

namespace hone::e2e {
namespace {

using fuse::ProgramBuilder;
using ir::Index;
using ir::OpKind;
using ir::ValueId;
using Sizes = std::vector<int64_t>;

const Index kM = Index::symbol("m"), kN = Index::symbol("n");
constexpr int64_t kFew = 3, kInner = 19, kColumns = 21;

eval::Tensor whole_numbers(const Sizes& shape, Rng& rng) {
  std::vector<double> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(static_cast<double>(rng.between(-5, 5)));
  return eval::filled(ir::DType::F32, shape, values);
}

ValueId weights(ProgramBuilder& b, const Sizes& shape) {
  std::vector<float> values;
  for (int64_t i = 0; i < eval::count_of(shape); ++i) values.push_back(static_cast<float>(i % 7 - 3));
  return b.constant("w", {shape.begin(), shape.end()}, values);
}

struct Example {
  std::string_view name;
  ir::Shape input;  // over m and n
  ValueId (*of)(ProgramBuilder& b, ValueId x);
};

ValueId depthwise(ProgramBuilder& b, ValueId x) {
  return b.add(OpKind::Conv, {x, weights(b, {3, 1, 3, 3})},
               {{"kernel_shape", Sizes{3, 3}},
                {"strides", Sizes{1, 1}},
                {"dilations", Sizes{1, 1}},
                {"pads", Sizes{1, 1, 1, 1}},
                {"group", int64_t{3}}});
}

const std::vector<Example> kExamples = {
    {"window", {1, 3, kM, kN}, depthwise},
    {"outer product",
     {kM, kInner},
     [](ProgramBuilder& b, ValueId x) { return b.add(OpKind::MatMul, {x, weights(b, {kInner, kColumns})}); }},
    {"turned squares", {kM, kN}, [](ProgramBuilder& b, ValueId x) { return b.transpose(x, {1, 0}); }},
    {"turned lines", {kM, kFew}, [](ProgramBuilder& b, ValueId x) { return b.transpose(x, {1, 0}); }},
    {"points", {kM, kN}, [](ProgramBuilder& b, ValueId x) { return b.add(OpKind::Relu, {x}); }},
    {"dot products",
     {1, kN},
     [](ProgramBuilder& b, ValueId x) { return b.add(OpKind::MatMul, {x, b.input("other", {kN, 1})}); }},
    {"row",
     {kM, kN},
     [](ProgramBuilder& b, ValueId x) {
       return b.add(OpKind::ReduceMax, {x}, {{"axes", Sizes{1}}, {"keepdims", int64_t{0}}});
     }},
    {"one by one", {}, [](ProgramBuilder& b, ValueId x) { return b.add(OpKind::Relu, {x}); }},
};

Sizes sizes_of(const ir::Shape& shape, int64_t m, int64_t n) {
  Sizes sizes;
  for (const Index& size : shape)
    sizes.push_back(size.evaluate([&](const std::string& name) { return name == "m" ? m : n; }));
  return sizes;
}

void check(const Example& example, const std::string& isa, Rng& rng) {
  ProgramBuilder b("template");
  const ValueId x = b.input("x", example.input);
  const ir::Program program = b.finish({example.of(b, x)});
  pipeline::Options options;
  options.isa = isa;
  options.keep_texts = true;
  auto model = pipeline::compile_program(program, options);
  ASSERT_TRUE(model.ok()) << model.problem().message;
  EXPECT_NE(model->report.reasons[0].find(fmt::format("group 0: {}", example.name)), std::string::npos)
      << model->report.reasons[0];
  std::vector<std::vector<eval::Tensor>> sets;
  for (int64_t m : {1, 2, 7, 9, 16, 33})
    for (int64_t n : {1, 3, 8, 17, 31, 65}) {
      sets.emplace_back();
      for (ValueId input : program.inputs)
        sets.back().push_back(
            whole_numbers(sizes_of(program.values[static_cast<size_t>(input)].type.shape, m, n), rng));
    }
  expect_agreement(program, options, sets);
}

TEST(Template, MeansItsGroup) {
  Rng rng(11);
  for (const std::string& isa : instruction_sets())
    for (const Example& example : kExamples) {
      SCOPED_TRACE(fmt::format("{} on {}", example.name, isa));
      check(example, isa, rng);
    }
}

TEST(Template, EachHasAnExample) {
  ASSERT_EQ(cost::templates().size(), kExamples.size());
  for (size_t k = 0; k < kExamples.size(); ++k) EXPECT_EQ(cost::templates()[k].name, kExamples[k].name);
}

}  // namespace
}  // namespace hone::e2e
