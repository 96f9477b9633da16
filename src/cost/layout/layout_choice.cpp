#include "cost/layout/layout_choice.h"

#include <algorithm>
#include <list>

#include "base/parallel.h"
#include "cost/layout/channels_last.h"
#include "cost/layout/conversions.h"
#include "cost/layout/least_sum.h"
#include "cost/stride.h"
#include "target/cores.h"

namespace hone::cost {
namespace {

// Kernels that touch more edges than this are priced by pairs: their largest edge with each of the others.
constexpr size_t kMostEdges = 4;
constexpr size_t kMostEntries = 1 << 12;
// Channels last between kernels, and no copies of inputs and outputs, unless something else is better by more than the model can be
// trusted to see.
constexpr double kDoubt = 0.02, kDoubtOfCopies = 0.04;

// A use of a kernel whose price a table waits for.
struct Question {
  const ir::Kernel* kernel;
  Use use;
  double cycles = 0;
};

// Tables over variables, whose values are 0: row-major, and 1: channels-last.
class Choice {
 public:
  Choice(const ir::KernelGraph& graph, const KernelPrice& price) : graph_(graph), price_(price) {
    for (int edge : may_be_channels_last(graph)) {
      numbers_[edge] = static_cast<int>(edges_.size());
      edges_.push_back(edge);
    }
  }

  LayoutChoice run() {
    visit_calls(graph_.calls, [&](const ir::Call& call) {
      if (call.kind == ir::Call::Kind::Kernel) ask_for_call(call);
    });
    for (int edge : edges_)
      if (is_boundary(edge)) ask_for_copy(edge);
    for_each_in_parallel(questions_.size(), target::available_cores(),
                         [&](size_t q) { questions_[q].cycles = price_(*questions_[q].kernel, questions_[q].use); });
    std::vector<Table> tables;
    for (const Asked& asked : asked_) tables.push_back(table_of(asked));
    const Picked picked = least_sum(std::vector<int>(edges_.size(), 2), std::move(tables), kMostEntries);
    LayoutChoice choice;
    choice.exact = picked.exact;
    for (size_t v = 0; v < edges_.size(); ++v) {
      choice.open.insert(edges_[v]);
      if (picked.values[v] == 1) choice.layouts[edges_[v]] = channels_last(rank_of(edges_[v]));
    }
    return choice;
  }

 private:
  // A table whose entries are the prices of some questions, less those of others.
  struct Asked {
    std::vector<int> variables;
    std::vector<std::optional<size_t>> prices, less;
  };

  bool is_boundary(int edge) const { return graph_.edges[static_cast<size_t>(edge)].kind != ir::Edge::Kind::Buffer; }
  size_t rank_of(int edge) const { return graph_.edges[static_cast<size_t>(edge)].type.shape.size(); }

  void ask_for_call(const ir::Call& call) {
    std::vector<int> variables;
    for (int edge : call.edges)
      if (auto found = numbers_.find(edge); found != numbers_.end())
        if (std::find(variables.begin(), variables.end(), found->second) == variables.end())
          variables.push_back(found->second);
    if (variables.empty()) return;
    if (variables.size() <= kMostEdges) return ask_for_all(call, variables);
    ask_for_pairs(call, variables, largest_of(call));
  }

  void ask_for_all(const ir::Call& call, const std::vector<int>& variables) {
    Asked asked{variables, {}, {}};
    for (size_t values = 0; values < size_t{1} << variables.size(); ++values) {
      std::set<int> last;
      for (size_t k = 0; k < variables.size(); ++k)
        if (values >> (variables.size() - 1 - k) & 1) last.insert(variables[k]);
      asked.prices.emplace_back(question(call, last));
    }
    asked_.push_back(std::move(asked));
  }

  // What all take if they are like the largest, and what each of the others changes if it is not.
  void ask_for_pairs(const ir::Call& call, const std::vector<int>& variables, int largest) {
    const std::set<int> all(variables.begin(), variables.end());
    const size_t first = question(call, {}), last = question(call, all);
    asked_.push_back({{largest}, {first, last}, {}});
    for (int other : variables) {
      if (other == largest) continue;
      std::set<int> without = all;
      without.erase(other);
      asked_.push_back({{largest, other},
                        {std::nullopt, question(call, {other}), question(call, without), std::nullopt},
                        {std::nullopt, first, last, std::nullopt}});
    }
  }

  void ask_for_copy(int edge) {
    ir::KernelGraph& copy = copies_.emplace_back();
    copy.edges = {graph_.edges[static_cast<size_t>(edge)]};
    std::map<int, layout::Layout> layouts = {{0, channels_last(rank_of(edge))}};
    add_copies(copy, layouts);
    const size_t price = question(copy.kernels[0], use_of(copy, copy.calls[0], layouts));
    asked_.push_back({{numbers_.at(edge)}, {std::nullopt, price}, {}});
  }

  int largest_of(const ir::Call& call) const {
    const ir::Kernel& kernel = graph_.kernels[static_cast<size_t>(call.kernel)];
    const Use use = use_of(graph_, call, {});
    int64_t most = -1;
    int largest = -1;
    for (size_t b = 0; b < kernel.buffers.size(); ++b)
      if (auto found = numbers_.find(call.edges[b]); found != numbers_.end())
        if (const int64_t elements = elements_of(kernel.buffers[b], use); elements > most)
          most = elements, largest = found->second;
    return largest;
  }

  // `last`: the variables that are 1.
  size_t question(const ir::Call& call, const std::set<int>& last) {
    std::map<int, layout::Layout> layouts;
    for (int variable : last) {
      const int edge = edges_[static_cast<size_t>(variable)];
      layouts[edge] = channels_last(rank_of(edge));
    }
    return question(graph_.kernels[static_cast<size_t>(call.kernel)], use_of(graph_, call, layouts));
  }

  // Layers that are alike ask once.
  size_t question(const ir::Kernel& kernel, Use use) {
    auto [found, added] = known_.emplace(key_of(kernel, use), questions_.size());
    if (added) questions_.push_back({&kernel, std::move(use)});
    return found->second;
  }

  Table table_of(const Asked& asked) const {
    Table table{asked.variables, {}};
    auto cycles = [&](const std::vector<std::optional<size_t>>& questions, size_t at) {
      return at < questions.size() && questions[at] ? questions_[*questions[at]].cycles : 0;
    };
    for (size_t values = 0; values < asked.prices.size(); ++values) {
      double doubt = 0;
      for (size_t k = 0; k < asked.variables.size(); ++k) {
        const bool last = values >> (asked.variables.size() - 1 - k) & 1;
        if (is_boundary(edges_[static_cast<size_t>(asked.variables[k])]))
          doubt += last ? kDoubtOfCopies : 0;
        else
          doubt += last ? 0 : kDoubt;
      }
      table.costs.push_back((1 + doubt) * cycles(asked.prices, values) - cycles(asked.less, values));
    }
    return table;
  }

  const ir::KernelGraph& graph_;
  const KernelPrice& price_;
  std::vector<int> edges_;             // by variable
  std::map<int, int> numbers_;         // edge → variable
  std::list<ir::KernelGraph> copies_;  // of one copy each
  std::vector<Question> questions_;
  std::map<std::string, size_t> known_;
  std::vector<Asked> asked_;
};

}  // namespace

LayoutChoice choose_layouts(const ir::KernelGraph& graph, const KernelPrice& price) {
  return Choice(graph, price).run();
}

}  // namespace hone::cost
