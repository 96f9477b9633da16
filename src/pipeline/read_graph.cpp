#include "pipeline/read_graph.h"

#include <span>
#include <sstream>

#include "base/rng.h"
#include "cost/complete.h"
#include "ir/text/type_text.h"

namespace hone::pipeline {
namespace {

using ir::Index;
using Numbers = std::map<std::string, Index>;

constexpr int64_t kMostMadeUp = int64_t{1} << 24;

// The graph's text, then one text per plan: a plan starts a line.
std::vector<std::string> split_plans(std::string_view text) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t next = text.find("\nplan ", begin);
    size_t end = next == std::string_view::npos ? text.size() : next + 1;
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return parts;
}

struct PlanHeading {
  std::string kernel;
  std::optional<target::Isa> isa;  // absent: for all that have no plan of their own
  std::string rest;                // `plan KERNEL {` and what follows
};

// 'plan' kernel ('for' instruction-set)? '{'
Result<PlanHeading> heading_of(const std::string& text) {
  std::istringstream words(text.substr(0, text.find('{')));
  std::string plan, between, isa;
  PlanHeading heading;
  words >> plan >> heading.kernel >> between >> isa;
  heading.rest = text;
  if (between != "for") return heading;
  HONE_TRY(heading.isa, target::isa_named(isa));
  heading.rest = fmt::format("plan {} {}", heading.kernel, text.substr(std::min(text.find('{'), text.size())));
  return heading;
}

// The plans for the instruction set, by kernel: those made for it before those for all.
Result<std::map<std::string, ir::KernelPlan>> plans_for(target::Isa isa, std::span<const std::string> texts) {
  std::map<std::string, ir::KernelPlan> own, common;
  for (const std::string& text : texts) {
    HONE_TRY(PlanHeading heading, heading_of(text));
    HONE_TRY(ir::KernelPlan plan, ir::parse_kernel_plan(heading.rest));
    if (!heading.isa || *heading.isa == isa) (heading.isa ? own : common)[heading.kernel] = std::move(plan);
  }
  own.merge(common);
  return own;
}

void bind_calls(std::vector<ir::Call>& calls, const Numbers& numbers) {
  for (ir::Call& call : calls) {
    for (auto& [symbol, size] : call.sizes) size = size.substitute(numbers);
    for (auto& body : call.bodies) bind_calls(body, numbers);
  }
}

// At most `room` elements, and takes them from it.
Result<ir::ConstantData> small_numbers(const ir::Edge& edge, uint64_t seed, int64_t& room) {
  int64_t count = 1;
  for (const Index& extent : edge.type.shape) {
    if (!extent.constant()) return error("constant {}: its extent {} needs a number", edge.name, extent.text());
    int64_t number = *extent.constant();
    if (number < 0 || __builtin_mul_overflow(count, number, &count) || count > room)
      return error("constant {} of type {}: constants without content may have {} elements together, from 0 on",
                   edge.name, ir::text::type_text(edge.type), kMostMadeUp);
  }
  room -= count;
  if (edge.type.dtype != ir::DType::F32)
    return error("constant {} of type {} needs its content", edge.name, ir::name_of(edge.type.dtype));
  auto values = std::make_shared<std::vector<float>>(static_cast<size_t>(count));
  Rng rng(seed);
  for (float& value : *values) value = static_cast<float>(rng.between(-2, 2));
  return ir::ConstantData{reinterpret_cast<const std::byte*>(values->data()), values->size() * sizeof(float), values};
}

}  // namespace

Result<GraphSource> read_graph(std::string_view text, const std::map<std::string, int64_t>& sizes,
                               const target::Target& target) {
  std::vector<std::string> parts = split_plans(text);
  if (parts.empty()) return error("the text holds no graph");
  HONE_TRY(ir::KernelGraph graph, ir::parse_kernel_graph(parts[0]));
  Numbers numbers;
  for (const auto& [symbol, value] : sizes) numbers.emplace(symbol, Index(value));
  int64_t room = kMostMadeUp;
  for (size_t e = 0; e < graph.edges.size(); ++e) {
    ir::Edge& edge = graph.edges[e];
    for (Index& extent : edge.type.shape) extent = extent.substitute(numbers);
    if (edge.kind != ir::Edge::Kind::Constant || edge.constant) continue;
    HONE_TRY(edge.constant, small_numbers(edge, e + 1, room));
  }
  bind_calls(graph.calls, numbers);
  HONE_PASS(ir::validate(graph));
  HONE_TRY(auto plans, plans_for(target.isa, std::span(parts).subspan(1)));
  if (plans.empty()) {
    HONE_TRY(cost::Completed completed, cost::complete(graph, target));
    return GraphSource{std::move(completed.graph), std::move(completed.plan)};
  }
  GraphSource source{std::move(graph), {}};
  for (const ir::Kernel& kernel : source.graph.kernels) {
    auto found = plans.find(kernel.name);
    if (found == plans.end())
      return error("kernel {} has no plan, while others have; give one for each or for none", kernel.name);
    source.plan.kernels.push_back(found->second);
  }
  return source;
}

}  // namespace hone::pipeline
