#include "pipeline/read_graph.h"

#include "base/rng.h"
#include "cost/complete.h"

namespace hone::pipeline {
namespace {

using ir::Index;
using Numbers = std::map<std::string, Index>;

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

void bind_calls(std::vector<ir::Call>& calls, const Numbers& numbers) {
  for (ir::Call& call : calls) {
    for (auto& [symbol, size] : call.sizes) size = size.substitute(numbers);
    for (auto& body : call.bodies) bind_calls(body, numbers);
  }
}

Result<ir::ConstantData> small_numbers(const ir::Edge& edge, uint64_t seed) {
  size_t count = 1;
  for (const Index& extent : edge.type.shape) {
    if (!extent.constant()) return error("constant {}: its extent {} needs a number", edge.name, extent.text());
    count *= static_cast<size_t>(*extent.constant());
  }
  if (edge.type.dtype != ir::DType::F32)
    return error("constant {} of type {} needs its content", edge.name, ir::name_of(edge.type.dtype));
  auto values = std::make_shared<std::vector<float>>(count);
  Rng rng(seed);
  for (float& value : *values) value = static_cast<float>(rng.between(-2, 2));
  return ir::ConstantData{reinterpret_cast<const std::byte*>(values->data()), count * sizeof(float), values};
}

}  // namespace

Result<GraphSource> read_graph(std::string_view text, const std::map<std::string, int64_t>& sizes,
                               const target::Target& target) {
  std::vector<std::string> parts = split_plans(text);
  if (parts.empty()) return error("the text holds no graph");
  HONE_TRY(ir::KernelGraph graph, ir::parse_kernel_graph(parts[0]));
  Numbers numbers;
  for (const auto& [symbol, value] : sizes) numbers.emplace(symbol, Index(value));
  for (size_t e = 0; e < graph.edges.size(); ++e) {
    ir::Edge& edge = graph.edges[e];
    for (Index& extent : edge.type.shape) extent = extent.substitute(numbers);
    if (edge.kind != ir::Edge::Kind::Constant || edge.constant) continue;
    HONE_TRY(edge.constant, small_numbers(edge, e + 1));
  }
  bind_calls(graph.calls, numbers);
  std::map<std::string, ir::KernelPlan> plans;
  for (size_t p = 1; p < parts.size(); ++p) {
    HONE_TRY(ir::KernelPlan plan, ir::parse_kernel_plan(parts[p]));
    std::string name = parts[p].substr(5, parts[p].find_first_of(" {", 5) - 5);
    plans[name] = std::move(plan);
  }
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
