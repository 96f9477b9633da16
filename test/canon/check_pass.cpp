#include "check_pass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/rng.h"
#include "eval/interpreter.h"

namespace hone::canon {
namespace {

eval::Sizes some_sizes(const ir::Program& program) {
  std::set<std::string> names;
  for (ir::ValueId id : program.inputs)
    for (const ir::Index& dim : program.type(id).shape)
      for (const std::string& name : dim.symbols()) names.insert(name);
  eval::Sizes sizes;
  int64_t next = 3;
  for (const std::string& name : names) {
    sizes[name] = next;
    next += 2;
  }
  return sizes;
}

std::vector<eval::Tensor> random_inputs(const ir::Program& program) {
  Rng rng(7);
  eval::Sizes sizes = some_sizes(program);
  std::vector<eval::Tensor> inputs;
  for (ir::ValueId id : program.inputs) {
    const ir::TensorType& type = program.type(id);
    std::vector<int64_t> shape = eval::shape_of(type.shape, sizes);
    std::vector<double> values;
    for (int64_t i = 0; i < eval::count_of(shape); ++i)
      values.push_back(is_float(type.dtype) ? rng.unit() * 4 - 2 : static_cast<double>(rng.below(2)));
    inputs.push_back(eval::filled(type.dtype, shape, values));
  }
  return inputs;
}

void expect_same_numbers(const ir::Program& before, const ir::Program& after) {
  std::vector<eval::Tensor> inputs = random_inputs(before);
  auto want = eval::evaluate(before, inputs), got = eval::evaluate(after, inputs);
  ASSERT_TRUE(want.ok()) << want.problem().message;
  ASSERT_TRUE(got.ok()) << got.problem().message;
  ASSERT_EQ(want->size(), got->size());
  for (size_t k = 0; k < want->size(); ++k) {
    ASSERT_EQ((*want)[k].shape, (*got)[k].shape);
    std::vector<double> a = eval::values_of((*want)[k]), b = eval::values_of((*got)[k]);
    for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5 * std::max(1.0, std::abs(a[i])));
  }
}

std::vector<std::string> output_names(const ir::Program& program) {
  std::vector<std::string> names;
  for (ir::ValueId id : program.outputs) names.push_back(program.values[static_cast<size_t>(id)].name);
  return names;
}

}  // namespace

ir::Program check_pass(const std::string& source, ir::Program (*pass)(ir::Program)) {
  auto parsed = ir::parse_program(source);
  EXPECT_TRUE(parsed.ok()) << parsed.problem().message;
  if (!parsed.ok()) return {};
  auto sound = ir::validate(*parsed);
  EXPECT_TRUE(sound.ok()) << sound.problem().message;
  ir::Program after = eliminate_dead(pass(*parsed));
  auto valid = ir::validate(after);
  EXPECT_TRUE(valid.ok()) << valid.problem().message << "\n" << text_of(after);
  if (!valid.ok()) return after;
  expect_same_numbers(*parsed, after);
  EXPECT_EQ(output_names(*parsed), output_names(after));
  EXPECT_EQ(text_of(pass(after)), text_of(after)) << "the pass changes its own result";
  return after;
}

std::string kinds(const ir::Program& program) {
  std::string text;
  for (const ir::Op& op : program.ops) text += (text.empty() ? "" : " ") + std::string(name_of(op.kind));
  return text;
}

std::string kinds_after(const std::string& source, ir::Program (*pass)(ir::Program)) {
  return kinds(check_pass(source, pass));
}

}  // namespace hone::canon
