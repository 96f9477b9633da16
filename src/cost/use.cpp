#include "cost/use.h"

namespace hone::cost {

// What a model leaves open until it runs is taken to be about this large.
static constexpr int64_t kTypicalSize = 64;

std::string key_of(const ir::Kernel& kernel, const Use& use) {
  std::string key = kernel.name;
  for (const auto& [symbol, size] : use.sizes)
    key += fmt::format(" {}={}{}", symbol, size, use.certain.contains(symbol) ? "!" : "");
  for (const std::string& weight : use.weights) key += fmt::format(" {} packed", weight);
  for (const auto& [buffer, layout] : use.layouts) key += fmt::format(" {}:{}", buffer, layout::text_of(layout));
  return key;
}

Use use_of(const ir::KernelGraph& graph, const ir::Call& call, const std::map<int, layout::Layout>& edge_layouts) {
  const ir::Kernel& kernel = graph.kernels[static_cast<size_t>(call.kernel)];
  Use use;
  for (const auto& [symbol, size] : call.sizes) {
    use.sizes[symbol] = size.evaluate([](const std::string&) { return kTypicalSize; });
    if (size.constant()) use.certain.insert(symbol);
  }
  for (size_t b = 0; b < kernel.buffers.size(); ++b) {
    int edge = call.edges[b];
    if (graph.edges[static_cast<size_t>(edge)].kind == ir::Edge::Kind::Constant)
      use.weights.insert(kernel.buffers[b].name);
    else if (auto found = edge_layouts.find(edge); found != edge_layouts.end())
      use.layouts[kernel.buffers[b].name] = found->second;
  }
  return use;
}

}  // namespace hone::cost
