#include "pipeline/assemble.h"

#include <algorithm>
#include <map>
#include <set>

#include "cost/complete.h"
#include "cost/work.h"
#include "ir/plan/address.h"

namespace hone::pipeline {
namespace {

using ir::Edge;
using ir::Index;
using runtime::BufferSpec;
using runtime::StepSpec;

std::vector<int64_t> numbers_of(const ir::Shape& shape, const std::string& name) {
  std::vector<int64_t> numbers;
  for (const Index& extent : shape) {
    HONE_CHECK(extent.constant(), "constant {} has a symbolic extent", name);
    numbers.push_back(*extent.constant());
  }
  return numbers;
}

class Assembly {
 public:
  Assembly(const ir::KernelGraph& graph, const ir::Plan& plan, const std::vector<lower::Lowered>& kernels)
      : graph_(graph), plan_(plan), kernels_(kernels) {}

  Result<Assembled> run(const std::vector<EqualSizes>& sizes) {
    executable_.name = graph_.name;
    collect_symbols();
    collect_ports();
    for (size_t e = 0; e < graph_.edges.size(); ++e) add_edge(static_cast<int>(e));
    collect_aliases(graph_.calls);
    for (const ir::Kernel& kernel : graph_.kernels) executable_.functions.push_back(kernel.name);
    executable_.steps = steps_of(graph_.calls);
    add_size_checks(sizes, formulas_, executable_);
    if (problem_) return *problem_;
    HONE_TRY(runtime::AlignedBytes weights, runtime::AlignedBytes::make(executable_.weight_bytes));
    for (const Packing& packing : packings_) {
      const Edge& edge = graph_.edges[static_cast<size_t>(packing.edge)];
      layout::pack(packing.layout, numbers_of(edge.type.shape, edge.name), ir::size_of(edge.type.dtype),
                   edge.constant->data, weights.data() + packing.offset);
    }
    return Assembled{std::move(executable_), std::make_shared<const runtime::AlignedBytes>(std::move(weights))};
  }

 private:
  void collect_symbols() {
    std::set<std::string> names;
    for (const Edge& edge : graph_.edges)
      for (const Index& extent : edge.type.shape)
        for (const std::string& name : extent.symbols()) names.insert(name);
    executable_.symbols.assign(names.begin(), names.end());
    formulas_ = SizeFormulas(executable_.symbols, collect_multiples());
  }

  // An input of size 32 * h that alone tells h: in the formulas h becomes h // 32, and the symbol holds the whole size.
  std::map<std::string, Index> collect_multiples() {
    std::map<std::string, Index> multiples;
    std::set<std::string> plain;
    auto each_extent = [&](auto visit) {
      for (const Edge& edge : graph_.edges)
        if (edge.kind == Edge::Kind::Input)
          for (const Index& extent : edge.type.shape)
            if (auto names = extent.symbols(); names.size() == 1) visit(extent, names[0]);
    };
    each_extent([&](const Index& extent, const std::string& name) {
      if (extent == Index::symbol(name)) plain.insert(name);
    });
    each_extent([&](const Index& extent, const std::string& name) {
      int64_t multiple = extent.terms().size() == 1 ? extent.terms()[0].coefficient : 0;
      if (plain.contains(name) || multiple <= 1 || !(extent == multiple * Index::symbol(name))) return;
      if (multiples.emplace(name, floor_div(Index::symbol(name), multiple)).second)
        binding_extent_.emplace(name, extent);
    });
    for (const std::string& name : plain) binding_extent_.emplace(name, Index::symbol(name));
    return multiples;
  }

  runtime::Formula formula(const Index& index) const { return formulas_.of(index); }

  void collect_ports() {
    std::set<std::string> bound;
    for (Edge::Kind kind : {Edge::Kind::Input, Edge::Kind::Output}) {
      auto& ports = kind == Edge::Kind::Input ? executable_.inputs : executable_.outputs;
      for (const Edge& edge : graph_.edges) {
        if (edge.kind != kind) continue;
        if (ports.size() <= static_cast<size_t>(edge.number)) ports.resize(static_cast<size_t>(edge.number) + 1);
        ports[static_cast<size_t>(edge.number)] = port_of(edge, bound);
      }
    }
  }

  runtime::PortSpec port_of(const Edge& edge, std::set<std::string>& bound) const {
    runtime::PortSpec port;
    port.name = edge.name;
    port.dtype = ir::name_of(edge.type.dtype);
    for (const Index& extent : edge.type.shape) {
      port.shape.push_back(formula(extent));
      port.shape_text.push_back(extent.text());
      if (edge.kind == Edge::Kind::Output) continue;
      auto names = extent.symbols();
      bool binds = names.size() == 1 && binding_extent_.contains(names[0]) && extent == binding_extent_.at(names[0]) &&
                   bound.insert(names[0]).second;
      port.binds.push_back(binds ? static_cast<int>(formulas_.number_of(names[0])) : -1);
    }
    return port;
  }

  layout::Layout layout_of(int edge) const {
    auto found = plan_.edge_layouts.find(edge);
    return found != plan_.edge_layouts.end()
               ? found->second
               : layout::row_major(static_cast<int>(graph_.edges[static_cast<size_t>(edge)].type.shape.size()));
  }

  void add_edge(int number) {
    const Edge& edge = graph_.edges[static_cast<size_t>(number)];
    BufferSpec buffer;
    buffer.name = edge.name;
    buffer.element_size = static_cast<int64_t>(ir::size_of(edge.type.dtype));
    buffer.bytes = formula(ir::element_count(layout_of(number), edge.type.shape) * buffer.element_size);
    switch (edge.kind) {
      case Edge::Kind::Input:
        buffer.kind = BufferSpec::Kind::Input;
        buffer.number = edge.number;
        break;
      case Edge::Kind::Output:
        buffer.kind = BufferSpec::Kind::Output;
        buffer.number = edge.number;
        break;
      case Edge::Kind::Buffer:
        buffer.kind = BufferSpec::Kind::Arena;
        break;
      case Edge::Kind::Constant:
        buffer_of_edge_.push_back(-1);
        return;  // one buffer per layout, when read
    }
    buffer_of_edge_.push_back(static_cast<int64_t>(executable_.buffers.size()));
    executable_.buffers.push_back(std::move(buffer));
  }

  void collect_aliases(const std::vector<ir::Call>& calls) {
    for (const ir::Call& call : calls) {
      for (const auto& body : call.bodies) collect_aliases(body);
      if (call.kind != ir::Call::Kind::Alias) continue;
      int to = call.edges[0], from = call.edges[1];
      int64_t source = buffer_for(from, layout_of(from));
      BufferSpec& buffer = executable_.buffers[static_cast<size_t>(buffer_of_edge_[static_cast<size_t>(to)])];
      // An output cannot share bytes that it does not own: the other side takes the output's place instead.
      if (buffer.kind == BufferSpec::Kind::Output) {
        BufferSpec& other = executable_.buffers[static_cast<size_t>(source)];
        HONE_CHECK(other.kind == BufferSpec::Kind::Arena, "output {} is an alias of {}", buffer.name, other.name);
        other.kind = BufferSpec::Kind::Alias;
        other.number = buffer_of_edge_[static_cast<size_t>(to)];
      } else {
        buffer.kind = BufferSpec::Kind::Alias;
        buffer.number = source;
      }
    }
  }

  int64_t buffer_for(int edge, const layout::Layout& layout) {
    const Edge& e = graph_.edges[static_cast<size_t>(edge)];
    if (e.kind != Edge::Kind::Constant) return buffer_of_edge_[static_cast<size_t>(edge)];
    std::vector<int64_t> shape = numbers_of(e.type.shape, e.name);
    size_t size = ir::size_of(e.type.dtype);
    // By content: two constants of the same bytes are one where layout, shape and element size put them at the same places.
    auto key = std::tuple{e.constant->data, layout::text_of(layout), shape, size};
    if (auto found = packed_.find(key); found != packed_.end()) return found->second;
    size_t bytes = static_cast<size_t>(layout::element_count(layout, shape)) * size;
    size_t offset = (executable_.weight_bytes + 63) / 64 * 64;
    executable_.weight_bytes = offset + bytes;
    packings_.push_back({edge, layout, offset});
    BufferSpec buffer;
    buffer.kind = BufferSpec::Kind::Constant;
    buffer.name = e.name;
    buffer.number = static_cast<int64_t>(executable_.constants.size());
    buffer.element_size = static_cast<int64_t>(size);
    buffer.bytes = runtime::constant_formula(static_cast<int64_t>(bytes));
    executable_.constants.push_back({offset, bytes});
    int64_t number = static_cast<int64_t>(executable_.buffers.size());
    executable_.buffers.push_back(std::move(buffer));
    packed_.emplace(key, number);
    return number;
  }

  std::vector<StepSpec> steps_of(const std::vector<ir::Call>& calls) {
    std::vector<StepSpec> steps;
    for (const ir::Call& call : calls) {
      switch (call.kind) {
        case ir::Call::Kind::Alias:
          break;
        case ir::Call::Kind::Kernel:
          check_pins(call);
          steps.push_back(kernel_step(call));
          break;
        case ir::Call::Kind::Library:
          steps.push_back(library_step(call));
          break;
        case ir::Call::Kind::If:
          steps.push_back(control_step(call, StepSpec::Kind::If));
          break;
        case ir::Call::Kind::Loop:
          steps.push_back(control_step(call, StepSpec::Kind::Loop));
          break;
      }
    }
    return steps;
  }

  void check_pins(const ir::Call& call) {
    for (const auto& [symbol, number] : plan_.kernels[static_cast<size_t>(call.kernel)].pins) {
      auto size = call.sizes.find(symbol);
      if (size != call.sizes.end() && !size->second.is(number) && !problem_)
        problem_ =
            error("the plan of kernel {} pins {} = {}, but a call has {} = {}",
                  graph_.kernels[static_cast<size_t>(call.kernel)].name, symbol, number, symbol, size->second.text());
    }
  }

  StepSpec kernel_step(const ir::Call& call) {
    const ir::Kernel& kernel = graph_.kernels[static_cast<size_t>(call.kernel)];
    const ir::KernelPlan& plan = plan_.kernels[static_cast<size_t>(call.kernel)];
    const lower::Lowered& lowered = kernels_[static_cast<size_t>(call.kernel)];
    StepSpec step;
    step.label = call.label;
    step.function = call.kernel;
    for (size_t b = 0; b < kernel.buffers.size(); ++b) {
      auto found = plan.layouts.find(kernel.buffers[b].name);
      layout::Layout layout = found != plan.layouts.end()
                                  ? found->second
                                  : layout::row_major(static_cast<int>(kernel.buffers[b].shape.size()));
      step.buffers.push_back(buffer_for(call.edges[b], layout));
    }
    for (const std::string& symbol : lowered.symbols) step.sizes.push_back(formula(call.sizes.at(symbol)));
    step.tasks = formula(lowered.tasks.substitute(call.sizes));
    step.scratch = formula(lowered.scratch_bytes.substitute(call.sizes));
    step.flops = formula(cost::flops_of(kernel).substitute(call.sizes));
    step.bytes = formula(cost::bytes_of(kernel).substitute(call.sizes));
    return step;
  }

  StepSpec library_step(const ir::Call& call) {
    StepSpec step;
    step.kind = StepSpec::Kind::Library;
    step.label = call.label;
    step.library = call.function;
    for (int edge : call.edges) step.buffers.push_back(buffer_for(edge, layout_of(edge)));
    for (const Index& integer : call.integers) step.sizes.push_back(formula(integer));
    return step;
  }

  StepSpec control_step(const ir::Call& call, StepSpec::Kind kind) {
    StepSpec step;
    step.kind = kind;
    step.label = call.label;
    for (int edge : call.edges) step.buffers.push_back(buffer_for(edge, layout_of(edge)));
    step.carried = call.carried;
    for (const auto& body : call.bodies) step.bodies.push_back(steps_of(body));
    return step;
  }

  const ir::KernelGraph& graph_;
  const ir::Plan& plan_;
  const std::vector<lower::Lowered>& kernels_;
  runtime::Executable executable_;
  SizeFormulas formulas_{{}};
  std::map<std::string, Index> binding_extent_;  // symbol → the extent that tells it
  struct Packing {
    int edge;
    layout::Layout layout;
    size_t offset;
  };
  std::vector<Packing> packings_;
  std::optional<Error> problem_;
  std::vector<int64_t> buffer_of_edge_;
  std::map<std::tuple<const std::byte*, std::string, std::vector<int64_t>, size_t>, int64_t> packed_;
};

}  // namespace

Result<Assembled> assemble(const ir::KernelGraph& graph, const ir::Plan& plan,
                           const std::vector<lower::Lowered>& kernels, const std::vector<EqualSizes>& sizes) {
  return Assembly(graph, plan, kernels).run(sizes);
}

}  // namespace hone::pipeline
