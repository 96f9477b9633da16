#include "ir/text/attribute_text.h"
#include "ir/text/constants.h"
#include "ir/text/index_text.h"
#include "ir/text/kernel_text.h"
#include "ir/text/type_text.h"

namespace hone::ir::text {
namespace {

class GraphPrinter {
 public:
  explicit GraphPrinter(const KernelGraph& graph) : graph_(graph) {}

  std::string print() {
    text_ = fmt::format("graph {} {{\n", name_text(graph_.name));
    for (const Kernel& kernel : graph_.kernels) text_ += kernel_text(kernel, 1);
    int inputs = 0, outputs = 0;
    for (const Edge& edge : graph_.edges) {
      int* position = edge.kind == Edge::Kind::Input ? &inputs : edge.kind == Edge::Kind::Output ? &outputs : nullptr;
      std::string line = fmt::format("  {} {}: {}", word_of(edge.kind), name_text(edge.name), type_text(edge.type));
      if (position && edge.number != (*position)++) line += fmt::format(" at {}", edge.number);
      if (edge.constant) line += " = " + constant_text(edge.type, *edge.constant);
      text_ += line + "\n";
    }
    calls(graph_.calls, 1);
    return std::move(text_) + "}\n";
  }

 private:
  static const char* word_of(Edge::Kind kind) {
    switch (kind) {
      case Edge::Kind::Input:
        return "input";
      case Edge::Kind::Output:
        return "output";
      case Edge::Kind::Constant:
        return "const";
      case Edge::Kind::Buffer:
        return "buffer";
    }
    HONE_CHECK(false, "unknown edge");
  }

  std::string edge_name(int edge) const {
    bool known = edge >= 0 && edge < static_cast<int>(graph_.edges.size());
    return known ? name_text(graph_.edges[static_cast<size_t>(edge)].name) : fmt::format("no_edge_{}", edge);
  }

  std::string edge_names(const std::vector<int>& edges) const {
    std::string names;
    for (int edge : edges) names += (names.empty() ? "" : ", ") + edge_name(edge);
    return "(" + names + ")";
  }

  void calls(const std::vector<Call>& list, size_t indent) {
    for (const Call& call : list) {
      std::string blanks(indent * 2, ' ');
      text_ += blanks;
      switch (call.kind) {
        case Call::Kind::Kernel:
          kernel_call(call);
          break;
        case Call::Kind::Alias:
          text_ += fmt::format("alias {} = {}", edge_name(call.edges[0]), edge_name(call.edges[1]));
          break;
        case Call::Kind::Library:
          library_call(call);
          break;
        case Call::Kind::If:
          text_ += fmt::format("if {} {{\n", edge_name(call.edges[0]));
          calls(call.bodies[0], indent + 1);
          text_ += blanks + "} else {\n";
          calls(call.bodies[1], indent + 1);
          text_ += blanks + "}";
          break;
        case Call::Kind::Loop:
          text_ += loop_text(call);
          calls(call.bodies[0], indent + 1);
          text_ += blanks + "}";
          break;
      }
      text_ += label_text(call.label) + "\n";
    }
  }

  std::string loop_text(const Call& call) const {
    std::string text = fmt::format("loop {} below {} carry", edge_name(call.edges[1]), edge_name(call.edges[0]));
    size_t next = 2;
    for (int k = 0; k < call.carried; ++k, next += 3)
      text += fmt::format("{} {} = {} then {}", k == 0 ? "" : ",", edge_name(call.edges[next]),
                          edge_name(call.edges[next + 1]), edge_name(call.edges[next + 2]));
    for (const char* before = " stack"; next + 1 < call.edges.size(); next += 2, before = ",")
      text += fmt::format("{} {} = {}", before, edge_name(call.edges[next]), edge_name(call.edges[next + 1]));
    return text + " {\n";
  }

  void kernel_call(const Call& call) {
    text_ += fmt::format("call {}{}", name_text(graph_.kernels[static_cast<size_t>(call.kernel)].name),
                         edge_names(call.edges));
    const char* before = " with ";
    for (const auto& [name, value] : call.sizes) {
      text_ += fmt::format("{}{} = {}", before, name_text(name), index_text(value));
      before = ", ";
    }
  }

  void library_call(const Call& call) {
    auto first_output = call.edges.end() - static_cast<long>(std::min(call.outputs, call.edges.size()));
    text_ += fmt::format("library {}{} -> {}", name_text(call.function), edge_names({call.edges.begin(), first_output}),
                         edge_names({first_output, call.edges.end()}));
    const char* before = " with ";
    for (const Index& integer : call.integers) {
      text_ += before + index_text(integer);
      before = ", ";
    }
  }

  const KernelGraph& graph_;
  std::string text_;
};

}  // namespace
}  // namespace hone::ir::text

namespace hone::ir {

std::string text_of(const KernelGraph& graph) {
  return text::GraphPrinter(graph).print();
}

}  // namespace hone::ir
