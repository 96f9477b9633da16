#include <algorithm>
#include <set>

#include "ir/mugraph/kernel_graph.h"

namespace hone::ir {
namespace {

class GraphValidator {
 public:
  explicit GraphValidator(const KernelGraph& graph) : graph_(graph) {}

  Status run() {
    Status status = check();
    if (status.ok()) return status;
    return error("graph '{}': {}", graph_.name, status.problem().message);
  }

 private:
  using Edges = std::set<int>;

  Status check() {
    std::set<std::string> names;
    for (const Kernel& kernel : graph_.kernels) {
      HONE_PASS(validate(kernel));
      if (!names.insert(kernel.name).second) return error("two kernels are called '{}'", kernel.name);
    }
    HONE_PASS(check_edges());
    Edges defined;
    for (size_t i = 0; i < graph_.edges.size(); ++i)
      if (graph_.edges[i].kind == Edge::Kind::Input || graph_.edges[i].kind == Edge::Kind::Constant)
        defined.insert(static_cast<int>(i));
    HONE_PASS(check_calls(graph_.calls, defined));
    for (size_t i = 0; i < graph_.edges.size(); ++i)
      if (graph_.edges[i].kind == Edge::Kind::Output && !defined.count(static_cast<int>(i)))
        return error("output '{}' is never computed", graph_.edges[i].name);
    return Done{};
  }

  Status check_edges() const {
    std::set<std::string> names;
    std::set<int> inputs, outputs;
    for (const Edge& edge : graph_.edges) {
      if (!names.insert(edge.name).second) return error("two edges are called '{}'", edge.name);
      for (const Index& size : edge.type.shape)
        if (size.uses_read() || !size.axes().empty())
          return error("edge '{}' has the size {}, which names more than the model's symbols", edge.name, size.text());
      bool fresh = edge.kind == Edge::Kind::Input    ? inputs.insert(edge.number).second
                   : edge.kind == Edge::Kind::Output ? outputs.insert(edge.number).second
                                                     : true;
      if (!fresh) return error("edge '{}' has position {} of the signature, as another has", edge.name, edge.number);
      if (edge.kind == Edge::Kind::Constant) HONE_PASS(check_constant(edge));
    }
    for (const auto* numbers : {&inputs, &outputs})
      if (!numbers->empty() && (*numbers->begin() != 0 || *numbers->rbegin() != static_cast<int>(numbers->size()) - 1))
        return error("the {} have positions that leave gaps", numbers == &inputs ? "inputs" : "outputs");
    return Done{};
  }

  static Status check_constant(const Edge& edge) {
    if (!edge.constant) return error("constant '{}' has no bytes", edge.name);
    Index bytes = product(edge.type.shape) * Index(static_cast<int64_t>(size_of(edge.type.dtype)));
    if (!bytes.is(static_cast<int64_t>(edge.constant->bytes)))
      return error("constant '{}' has {} bytes, its type takes {}", edge.name, edge.constant->bytes, bytes.text());
    return Done{};
  }

  Status check_calls(const std::vector<Call>& calls, Edges& defined) const {
    for (const Call& call : calls) {
      Status status = check_call(call, defined);
      if (!status.ok()) return error("{}: {}", title_of(call), status.problem().message);
    }
    return Done{};
  }

  std::string title_of(const Call& call) const {
    std::string what;
    switch (call.kind) {
      case Call::Kind::Kernel: {
        bool known = call.kernel >= 0 && static_cast<size_t>(call.kernel) < graph_.kernels.size();
        what = known ? "call of " + graph_.kernels[static_cast<size_t>(call.kernel)].name : "call";
        break;
      }
      case Call::Kind::Alias:
        what = "alias";
        break;
      case Call::Kind::Library:
        what = "library call of " + call.function;
        break;
      case Call::Kind::If:
        what = "if";
        break;
      case Call::Kind::Loop:
        what = "loop";
        break;
    }
    return call.label.empty() ? what : fmt::format("{} ({})", what, call.label);
  }

  Status check_call(const Call& call, Edges& defined) const {
    for (int id : call.edges)
      if (id < 0 || static_cast<size_t>(id) >= graph_.edges.size())
        return error("it names edge {} of {}", id, graph_.edges.size());
    switch (call.kind) {
      case Call::Kind::Kernel:
        return check_kernel_call(call, defined);
      case Call::Kind::Alias:
        return check_alias(call, defined);
      case Call::Kind::If:
        return check_if(call, defined);
      case Call::Kind::Loop:
        return check_loop(call, defined);
      case Call::Kind::Library:
        return check_library(call, defined);
    }
    HONE_CHECK(false, "unknown call");
  }

  const Edge& edge(int id) const { return graph_.edges[static_cast<size_t>(id)]; }

  Status readable(int id, const Edges& defined) const {
    if (!defined.count(id)) return error("it reads '{}', which nothing before it computes", edge(id).name);
    return Done{};
  }

  Status writable(int id) const {
    if (edge(id).kind == Edge::Kind::Input || edge(id).kind == Edge::Kind::Constant)
      return error("it writes '{}', which is {}", edge(id).name,
                   edge(id).kind == Edge::Kind::Input ? "an input" : "a constant");
    return Done{};
  }

  Status check_library(const Call& call, Edges& defined) const {
    if (call.function.empty()) return error("it names no function");
    if (call.outputs == 0 || call.outputs > call.edges.size())
      return error("it writes {} of {} edges", call.outputs, call.edges.size());
    size_t inputs = call.edges.size() - call.outputs;
    for (size_t i = 0; i < call.edges.size(); ++i)
      HONE_PASS(i < inputs ? readable(call.edges[i], defined) : writable(call.edges[i]));
    defined.insert(call.edges.begin() + static_cast<long>(inputs), call.edges.end());
    return Done{};
  }

  Status check_kernel_call(const Call& call, Edges& defined) const {
    if (call.kernel < 0 || static_cast<size_t>(call.kernel) >= graph_.kernels.size())
      return error("it names kernel {} of {}", call.kernel, graph_.kernels.size());
    const Kernel& kernel = graph_.kernels[static_cast<size_t>(call.kernel)];
    if (call.edges.size() != kernel.buffers.size())
      return error("it passes {} edges, the kernel takes {}", call.edges.size(), kernel.buffers.size());
    HONE_PASS(check_sizes(call, kernel));
    for (size_t i = 0; i < call.edges.size(); ++i)
      HONE_PASS(check_argument(kernel.buffers[i], call, call.edges[i], defined));
    for (size_t i = 0; i < call.edges.size(); ++i)
      if (kernel.buffers[i].output) defined.insert(call.edges[i]);
    return Done{};
  }

  static Status check_sizes(const Call& call, const Kernel& kernel) {
    std::set<std::string> wanted;
    for (const std::string& symbol : kernel.symbols(parameters_of(kernel))) {
      wanted.insert(symbol);
      if (!call.sizes.count(symbol)) return error("size {} is not given; add: with {} = …", symbol, symbol);
    }
    for (const auto& [name, value] : call.sizes) {
      if (!wanted.count(name)) return error("it gives {}, which is no size of the kernel", name);
      if (value.uses_read() || !value.axes().empty())
        return error("size {} is {}, which names more than the model's symbols", name, value.text());
    }
    return Done{};
  }

  Status check_argument(const Buffer& buffer, const Call& call, int id, const Edges& defined) const {
    const TensorType& type = edge(id).type;
    HONE_PASS(buffer.output ? writable(id) : readable(id, defined));
    if (buffer.dtype != type.dtype)
      return error("buffer {} is {}, edge '{}' is {}", buffer.name, name_of(buffer.dtype), edge(id).name,
                   name_of(type.dtype));
    if (buffer.shape.size() != type.shape.size())
      return error("buffer {} has {} dimensions, edge '{}' has {}", buffer.name, buffer.shape.size(), edge(id).name,
                   type.shape.size());
    for (size_t d = 0; d < type.shape.size(); ++d)
      if (Index size = buffer.shape[d].substitute(call.sizes); !(size == type.shape[d]))
        return error("dimension {} of buffer {} is {}, that of edge '{}' is {}", d, buffer.name, size.text(),
                     edge(id).name, type.shape[d].text());
    return Done{};
  }

  Status check_alias(const Call& call, Edges& defined) const {
    if (call.edges.size() != 2) return error("it takes two edges, has {}", call.edges.size());
    const Edge &to = edge(call.edges[0]), &from = edge(call.edges[1]);
    HONE_PASS(readable(call.edges[1], defined));
    HONE_PASS(writable(call.edges[0]));
    // Sizes known only at run time may be equal all the same: whoever binds them compares the counts of a Reshape.
    Index more = product(to.type.shape) - product(from.type.shape);
    if (to.type.dtype != from.type.dtype || provably_at_most(1, more) || provably_at_most(more, -1))
      return error("'{}' and '{}' do not hold the same number of bytes", to.name, from.name);
    defined.insert(call.edges[0]);
    return Done{};
  }

  // After it only what both sides computed is there.
  Status check_if(const Call& call, Edges& defined) const {
    if (call.edges.size() != 1 || call.bodies.size() != 2)
      return error("it takes one condition and two bodies, has {} and {}", call.edges.size(), call.bodies.size());
    HONE_PASS(readable(call.edges[0], defined));
    const TensorType& type = edge(call.edges[0]).type;
    if (type.dtype != DType::Bool || !product(type.shape).is(1))
      return error("the condition '{}' is not one bool", edge(call.edges[0]).name);
    Edges then = defined, otherwise = defined;
    HONE_PASS(check_calls(call.bodies[0], then));
    HONE_PASS(check_calls(call.bodies[1], otherwise));
    for (int id : then)
      if (otherwise.count(id)) defined.insert(id);
    return Done{};
  }

  bool is_one(int id, DType dtype) const { return edge(id).type.dtype == dtype && product(edge(id).type.shape).is(1); }

  // What is carried is there in the body and after the loop; of what else a round computes nothing stays.
  Status check_loop(const Call& call, Edges& defined) const {
    size_t stacks = 2 + 3 * static_cast<size_t>(std::max(call.carried, 0));
    if (call.carried < 1 || call.edges.size() < stacks || (call.edges.size() - stacks) % 2 != 0 ||
        call.bodies.size() != 1)
      return error("it carries {} values in {} edges and has {} bodies", call.carried, call.edges.size(),
                   call.bodies.size());
    HONE_PASS(readable(call.edges[0], defined));
    HONE_PASS(writable(call.edges[1]));
    if (!is_one(call.edges[0], DType::I64) || !is_one(call.edges[1], DType::I64) || !is_one(call.edges[2], DType::Bool))
      return error("its rounds are not i64, or its condition is not one bool");
    Edges inside = defined;
    inside.insert(call.edges[1]);
    for (size_t k = 2; k < stacks; k += 3) {
      HONE_PASS(writable(call.edges[k]));
      HONE_PASS(readable(call.edges[k + 1], defined));
      for (size_t other : {k + 1, k + 2})
        if (edge(call.edges[k]).type != edge(call.edges[other]).type)
          return error("'{}' and '{}' have different types", edge(call.edges[k]).name, edge(call.edges[other]).name);
      inside.insert(call.edges[k]);
    }
    HONE_PASS(check_calls(call.bodies[0], inside));
    for (size_t k = 2; k < stacks; k += 3) {
      HONE_PASS(readable(call.edges[k + 2], inside));
      defined.insert(call.edges[k]);
    }
    for (size_t k = stacks; k < call.edges.size(); k += 2) {
      HONE_PASS(check_stack(call.edges[k], call.edges[k + 1], inside));
      defined.insert(call.edges[k]);
    }
    return Done{};
  }

  Status check_stack(int stack, int slice, const Edges& inside) const {
    HONE_PASS(writable(stack));
    HONE_PASS(readable(slice, inside));
    Shape shape = edge(stack).type.shape;
    if (!shape.empty()) shape.erase(shape.begin());
    if (edge(stack).type.shape.empty() || edge(stack).type.dtype != edge(slice).type.dtype ||
        shape != edge(slice).type.shape)
      return error("'{}' is not a stack of '{}'", edge(stack).name, edge(slice).name);
    return Done{};
  }

  const KernelGraph& graph_;
};

}  // namespace

Status validate(const KernelGraph& graph) {
  return GraphValidator(graph).run();
}

}  // namespace hone::ir
