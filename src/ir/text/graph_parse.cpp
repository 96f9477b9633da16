#include "ir/text/attribute_text.h"
#include "ir/text/constants.h"
#include "ir/text/index_text.h"
#include "ir/text/kernel_text.h"
#include "ir/text/type_text.h"

namespace hone::ir::text {
namespace {

class GraphParser {
 public:
  GraphParser(Lexer& lexer, const ConstantProvider& provider) : lexer_(lexer), provider_(provider) {}

  Result<KernelGraph> parse() {
    HONE_PASS(lexer_.expect("graph"));
    HONE_TRY(graph_.name, lexer_.name("the name of the graph"));
    HONE_PASS(lexer_.expect("{"));
    while (lexer_.at("kernel")) HONE_PASS(kernel());
    while (at_edge()) HONE_PASS(edge());
    HONE_TRY(graph_.calls, calls());
    return std::move(graph_);
  }

 private:
  Status kernel() {
    Token token = lexer_.peek(1);
    HONE_TRY(Kernel kernel, parse_kernel(lexer_));
    if (!kernels_.emplace(kernel.name, static_cast<int>(graph_.kernels.size())).second)
      return lexer_.problem_at(token, fmt::format("kernel '{}' is defined twice", kernel.name));
    graph_.kernels.push_back(std::move(kernel));
    return Done{};
  }

  bool at_edge() const {
    return lexer_.at("input") || lexer_.at("output") || lexer_.at("const") || lexer_.at("buffer");
  }

  Status edge() {
    Edge edge;
    Token word = lexer_.take(), token = lexer_.peek();
    edge.kind = word.text == "input"    ? Edge::Kind::Input
                : word.text == "output" ? Edge::Kind::Output
                : word.text == "const"  ? Edge::Kind::Constant
                                        : Edge::Kind::Buffer;
    HONE_TRY(edge.name, lexer_.name("the name of an edge"));
    HONE_PASS(lexer_.expect(":"));
    HONE_TRY(edge.type, parse_type(lexer_));
    if (edge.kind == Edge::Kind::Input) edge.number = inputs_++;
    if (edge.kind == Edge::Kind::Output) edge.number = outputs_++;
    if (lexer_.take_if("at")) {
      HONE_TRY(int64_t number, lexer_.integer("a position in the signature"));
      edge.number = static_cast<int>(number);
    }
    if (edge.kind == Edge::Kind::Constant && lexer_.take_if("=")) {
      HONE_TRY(edge.constant, parse_constant(lexer_, edge.type, provider_));
    }
    if (!edges_.emplace(edge.name, static_cast<int>(graph_.edges.size())).second)
      return lexer_.problem_at(token, fmt::format("edge '{}' is defined twice", edge.name));
    graph_.edges.push_back(std::move(edge));
    return Done{};
  }

  Result<std::vector<Call>> calls() {
    Nesting nesting(lexer_);
    HONE_PASS(nesting.status());
    std::vector<Call> list;
    while (!lexer_.take_if("}")) {
      HONE_TRY(Call next, call());
      HONE_TRY(next.label, parse_label(lexer_));
      list.push_back(std::move(next));
    }
    return list;
  }

  Result<Call> call() {
    if (lexer_.take_if("call")) return kernel_call();
    if (lexer_.take_if("alias")) return alias();
    if (lexer_.take_if("library")) return library();
    if (lexer_.take_if("if")) return choice();
    if (lexer_.take_if("loop")) return loop();
    return lexer_.unexpected("call, alias, library, if, loop or '}' (kernels and edges stand before all calls)");
  }

  Result<int> edge_name() {
    Token token = lexer_.peek();
    HONE_TRY(std::string name, lexer_.name("the name of an edge"));
    auto found = edges_.find(name);
    if (found == edges_.end())
      return lexer_.problem_at(token,
                               fmt::format("there is no edge '{}'; add: buffer {}: f32[…]", name, name_text(name)));
    return found->second;
  }

  Result<std::vector<int>> edge_names() {
    std::vector<int> list;
    HONE_PASS(lexer_.expect("("));
    if (!lexer_.at(")")) do {
        HONE_TRY(int edge, edge_name());
        list.push_back(edge);
      } while (lexer_.take_if(","));
    if (!lexer_.take_if(")")) return lexer_.unexpected("',' or ')'");
    return list;
  }

  Result<Call> kernel_call() {
    Call call;
    Token token = lexer_.peek();
    HONE_TRY(std::string name, lexer_.name("the name of a kernel"));
    auto found = kernels_.find(name);
    if (found == kernels_.end()) return lexer_.problem_at(token, fmt::format("there is no kernel '{}' above", name));
    call.kernel = found->second;
    HONE_TRY(call.edges, edge_names());
    if (lexer_.take_if("with")) do {
        HONE_TRY(std::string size, lexer_.name("a size of the kernel"));
        HONE_PASS(lexer_.expect("="));
        HONE_TRY(Index value, parse_index(lexer_, {}));
        call.sizes[size] = std::move(value);
      } while (lexer_.take_if(","));
    return call;
  }

  Result<Call> alias() {
    Call call;
    call.kind = Call::Kind::Alias;
    HONE_TRY(int to, edge_name());
    HONE_PASS(lexer_.expect("="));
    HONE_TRY(int from, edge_name());
    call.edges = {to, from};
    return call;
  }

  Result<Call> library() {
    Call call;
    call.kind = Call::Kind::Library;
    HONE_TRY(call.function, lexer_.name("the name of a library function"));
    HONE_TRY(call.edges, edge_names());
    HONE_PASS(lexer_.expect("->"));
    HONE_TRY(std::vector<int> outputs, edge_names());
    call.outputs = outputs.size();
    call.edges.insert(call.edges.end(), outputs.begin(), outputs.end());
    if (lexer_.take_if("with")) do {
        HONE_TRY(Index integer, parse_index(lexer_, {}));
        call.integers.push_back(std::move(integer));
      } while (lexer_.take_if(","));
    return call;
  }

  Result<Call> choice() {
    Call call;
    call.kind = Call::Kind::If;
    HONE_TRY(int condition, edge_name());
    call.edges = {condition};
    for (bool otherwise : {false, true}) {
      if (otherwise) HONE_PASS(lexer_.expect("else"));
      HONE_PASS(lexer_.expect("{"));
      HONE_TRY(std::vector<Call> body, calls());
      call.bodies.push_back(std::move(body));
    }
    return call;
  }

  Result<Call> loop() {
    Call call;
    call.kind = Call::Kind::Loop;
    HONE_TRY(int round, edge_name());
    HONE_PASS(lexer_.expect("below"));
    HONE_TRY(int rounds, edge_name());
    call.edges = {rounds, round};
    HONE_PASS(lexer_.expect("carry"));
    do {
      HONE_PASS(pair(call));
      HONE_PASS(lexer_.expect("then"));
      HONE_TRY(int next, edge_name());
      call.edges.push_back(next);
      ++call.carried;
    } while (lexer_.take_if(","));
    if (lexer_.take_if("stack")) do {
        HONE_PASS(pair(call));
      } while (lexer_.take_if(","));
    HONE_PASS(lexer_.expect("{"));
    HONE_TRY(std::vector<Call> body, calls());
    call.bodies.push_back(std::move(body));
    return call;
  }

  Status pair(Call& call) {
    HONE_TRY(int to, edge_name());
    HONE_PASS(lexer_.expect("="));
    HONE_TRY(int from, edge_name());
    call.edges.insert(call.edges.end(), {to, from});
    return Done{};
  }

  Lexer& lexer_;
  const ConstantProvider& provider_;
  KernelGraph graph_;
  std::map<std::string, int> kernels_, edges_;
  int inputs_ = 0, outputs_ = 0;
};

}  // namespace

Result<KernelGraph> parse_kernel_graph(std::string_view source, const ConstantProvider& provider) {
  HONE_TRY(Lexer lexer, Lexer::open(std::string(source)));
  HONE_TRY(KernelGraph graph, GraphParser(lexer, provider).parse());
  HONE_PASS(lexer.expect_end());
  return graph;
}

}  // namespace hone::ir::text

namespace hone::ir {

Result<KernelGraph> parse_kernel_graph(std::string_view source) {
  return text::parse_kernel_graph(source, nullptr);
}

}  // namespace hone::ir
