#include "eval/kernel_eval.h"

#include "eval/library_op.h"

namespace hone::eval {
namespace {

template <typename D>
class GraphRun {
 public:
  GraphRun(D& domain, const ir::KernelGraph& graph, const std::vector<Sizes>& parameters)
      : domain_(domain), graph_(graph), parameters_(parameters), arrays_(graph.edges.size()) {}

  Result<std::vector<Array<D>>> run(std::vector<Array<D>> inputs) {
    HONE_PASS(take_inputs(std::move(inputs)));
    HONE_PASS(run_calls(graph_.calls));
    std::vector<Array<D>> results;
    for (size_t k = 0; k < graph_.edges.size(); ++k)
      if (graph_.edges[k].kind == ir::Edge::Kind::Output) {
        size_t number = static_cast<size_t>(graph_.edges[k].number);
        if (results.size() <= number) results.resize(number + 1);
        results[number] = array(static_cast<int>(k));
      }
    return results;
  }

 private:
  Status take_inputs(std::vector<Array<D>> inputs) {
    for (size_t k = 0; k < graph_.edges.size(); ++k) {
      const ir::Edge& edge = graph_.edges[k];
      if (edge.kind != ir::Edge::Kind::Input) continue;
      size_t number = static_cast<size_t>(edge.number);
      if (number >= inputs.size()) return error("graph '{}': input '{}' is missing", graph_.name, edge.name);
      HONE_PASS(bind_sizes(fmt::format("input '{}'", edge.name), edge.type.shape, inputs[number].shape, sizes_));
      arrays_[k] = std::move(inputs[number]);
    }
    return Done{};
  }

  // The elements of an edge: read from its constant, or zeros until someone writes them.
  Array<D>& array(int number) {
    std::optional<Array<D>>& slot = arrays_[static_cast<size_t>(number)];
    if (slot) return *slot;
    const ir::Edge& edge = graph_.edges[static_cast<size_t>(number)];
    std::vector<int64_t> shape = shape_of(edge.type.shape, sizes_);
    slot = to_array(domain_,
                    edge.constant ? tensor_of(edge.type.dtype, shape, *edge.constant) : zeros(edge.type.dtype, shape));
    return *slot;
  }

  Status run_calls(const std::vector<ir::Call>& calls) {
    for (const ir::Call& call : calls) HONE_PASS(run_call(call));
    return Done{};
  }

  Status run_call(const ir::Call& call) {
    switch (call.kind) {
      case ir::Call::Kind::Kernel:
        return run_kernel(call);
      case ir::Call::Kind::Alias:
        return run_alias(call);
      case ir::Call::Kind::If:
        return run_calls(call.bodies[domain_.whole_of(array(call.edges[0]).data.at(0)) != 0 ? 0 : 1]);
      case ir::Call::Kind::Loop:
        return run_loop(call);
      case ir::Call::Kind::Library:
        return run_library_call(call);
    }
    HONE_CHECK(false, "unknown call");
  }

  Status run_library_call(const ir::Call& call) {
    std::vector<int64_t> integers;
    for (const ir::Index& integer : call.integers) integers.push_back(size_of(integer, sizes_));
    std::vector<const Array<D>*> inputs;
    std::vector<Array<D>*> results;
    for (size_t i = 0; i < call.edges.size(); ++i) {
      Array<D>& edge = array(call.edges[i]);
      if (i + call.outputs < call.edges.size())
        inputs.push_back(&edge);
      else
        results.push_back(&edge);
    }
    auto status = run_library(domain_, call.function, integers, inputs, results);
    if (!status.ok()) return error("call '{}': {}", call.label, status.problem().message);
    return Done{};
  }

  Status run_kernel(const ir::Call& call) {
    const ir::Kernel& kernel = graph_.kernels[static_cast<size_t>(call.kernel)];
    Sizes sizes = parameters_.at(static_cast<size_t>(call.kernel));
    for (const auto& [symbol, index] : call.sizes) sizes[symbol] = size_of(index, sizes_);
    std::vector<Array<D>*> buffers;
    for (int edge : call.edges) buffers.push_back(&array(edge));
    auto status = evaluate_kernel(domain_, kernel, buffers, sizes);
    if (!status.ok()) return error("call '{}': {}", call.label, status.problem().message);
    return Done{};
  }

  Status run_loop(const ir::Call& call) {
    size_t stacks = 2 + 3 * static_cast<size_t>(call.carried);
    auto copy_values = [&](size_t from) {
      for (size_t k = 2; k < stacks; k += 3) array(call.edges[k]).data = array(call.edges[k + from]).data;
    };
    copy_values(1);
    int64_t rounds = domain_.whole_of(array(call.edges[0]).data.at(0));
    for (int64_t round = 0; round < rounds && domain_.whole_of(array(call.edges[2]).data.at(0)) != 0; ++round) {
      array(call.edges[1]) = to_array(domain_, filled(ir::DType::I64, {}, {static_cast<double>(round)}));
      HONE_PASS(run_calls(call.bodies[0]));
      copy_values(2);
      for (size_t k = stacks; k < call.edges.size(); k += 2) {
        const Array<D>& slice = array(call.edges[k + 1]);
        auto& all = array(call.edges[k]).data;
        size_t begin = static_cast<size_t>(round) * slice.data.size();
        if (begin + slice.data.size() <= all.size())
          std::copy(slice.data.begin(), slice.data.end(), all.begin() + static_cast<std::ptrdiff_t>(begin));
      }
    }
    return Done{};
  }

  Status run_alias(const ir::Call& call) {
    const Array<D>& from = array(call.edges[1]);
    Array<D>& to = array(call.edges[0]);
    HONE_CHECK(from.data.size() == to.data.size(), "alias '{}' of {} elements has {}", call.label, from.data.size(),
               to.data.size());
    to.data = from.data;
    return Done{};
  }

  D& domain_;
  const ir::KernelGraph& graph_;
  const std::vector<Sizes>& parameters_;
  Sizes sizes_;
  std::vector<std::optional<Array<D>>> arrays_;
};

}  // namespace

template <typename D>
Result<std::vector<Array<D>>> evaluate_graph(D& domain, const ir::KernelGraph& graph, std::vector<Array<D>> inputs,
                                             const std::vector<Sizes>& parameters) {
  HONE_CHECK(parameters.size() == graph.kernels.size(), "parameters of {} kernels for {}", parameters.size(),
             graph.kernels.size());
  return GraphRun<D>(domain, graph, parameters).run(std::move(inputs));
}

Result<std::vector<Tensor>> evaluate(const ir::KernelGraph& graph, const std::vector<Tensor>& inputs,
                                     const std::vector<Sizes>& parameters) {
  Declared domain;
  std::vector<Array<Declared>> arrays;
  for (const Tensor& tensor : inputs) arrays.push_back(to_array(domain, tensor));
  HONE_TRY(std::vector<Array<Declared>> results, evaluate_graph(domain, graph, std::move(arrays), parameters));
  std::vector<Tensor> tensors;
  for (const Array<Declared>& array : results) tensors.push_back(to_tensor(domain, array));
  return tensors;
}

#define HONE_DOMAIN(D)                                                                                     \
  template Result<std::vector<Array<D>>> evaluate_graph(D&, const ir::KernelGraph&, std::vector<Array<D>>, \
                                                        const std::vector<Sizes>&);
HONE_DOMAIN(Declared)
HONE_DOMAIN(Double)
HONE_DOMAIN(ExactInteger)
HONE_DOMAIN(Residue)
HONE_DOMAIN(Bounded)
#undef HONE_DOMAIN

}  // namespace hone::eval
