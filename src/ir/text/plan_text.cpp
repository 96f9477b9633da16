#include <algorithm>
#include <limits>

#include "ir/plan/plan.h"
#include "ir/text/lexer.h"

namespace hone::ir {
namespace {

using text::Lexer;
using text::name_text;
using text::Token;

class PlanParser {
 public:
  explicit PlanParser(Lexer& lexer) : lexer_(lexer) {}

  Result<KernelPlan> parse() {
    HONE_PASS(lexer_.expect("plan"));
    HONE_PASS(lexer_.name("the name of a kernel"));
    HONE_PASS(lexer_.expect("{"));
    while (!lexer_.take_if("}")) HONE_PASS(line());
    return std::move(plan_);
  }

 private:
  Status line() {
    if (lexer_.take_if("set")) return bindings(plan_.parameters);
    if (lexer_.take_if("pin")) return bindings(plan_.pins);
    if (lexer_.take_if("layout")) return layout();
    if (lexer_.take_if("stream")) return buffers(plan_.streams);
    if (lexer_.take_if("alone")) return buffers(plan_.alone);
    if (lexer_.take_if("merge")) return merge();
    if (lexer_.take_if("group")) return group();
    return lexer_.unexpected("set, pin, layout, stream, alone, merge, group or '}'");
  }

  Status bindings(std::map<std::string, int64_t>& values) {
    do {
      Token token = lexer_.peek();
      HONE_TRY(std::string name, lexer_.name("a parameter or size"));
      HONE_PASS(lexer_.expect("="));
      HONE_TRY(int64_t value, lexer_.integer("a whole number"));
      if (!values.emplace(name, value).second)
        return lexer_.problem_at(token, fmt::format("'{}' is bound twice", name));
    } while (lexer_.take_if(","));
    return Done{};
  }

  // The extent of a layout in the text: dN, '/', '%', numbers, or the word scalar.
  bool at_layout_part() const {
    const Token& token = lexer_.peek();
    if (token.kind == Token::Kind::Integer || lexer_.at("/") || lexer_.at("%") || lexer_.at("scalar")) return true;
    return token.kind == Token::Kind::Name && token.text.size() > 1 && token.text[0] == 'd' &&
           token.text.find_first_not_of("0123456789", 1) == std::string::npos;
  }

  Status layout() {
    Token token = lexer_.peek();
    HONE_TRY(std::string buffer, lexer_.name("the name of a buffer"));
    HONE_PASS(lexer_.expect(":"));
    if (!at_layout_part()) return lexer_.unexpected("a layout such as d1/16 d0 d1%16");
    Token first = lexer_.peek();
    size_t end = first.end;
    while (at_layout_part()) end = lexer_.take().end;
    Result<layout::Layout> parsed = layout::parse_layout(lexer_.source(first.begin, end));
    if (!parsed.ok()) return lexer_.problem_at(first, parsed.problem().message);
    if (!plan_.layouts.emplace(buffer, *parsed).second)
      return lexer_.problem_at(token, fmt::format("buffer '{}' has two layouts", buffer));
    return Done{};
  }

  Status buffers(std::set<std::string>& names) {
    do {
      HONE_TRY(std::string buffer, lexer_.name("the name of a buffer"));
      names.insert(std::move(buffer));
    } while (lexer_.take_if(","));
    return Done{};
  }

  Status merge() {
    Merge merge;
    HONE_TRY(merge.outer, lexer_.name("the outer axis"));
    HONE_TRY(merge.inner, lexer_.name("the inner axis"));
    HONE_PASS(lexer_.expect("->"));
    Token token = lexer_.peek();
    HONE_TRY(std::string name, lexer_.name("the inner axis again"));
    if (name != merge.inner)
      return lexer_.problem_at(token,
                               fmt::format("the merged axis keeps the name of the inner one, '{}'", merge.inner));
    plan_.merges.push_back(std::move(merge));
    return Done{};
  }

  Status group() {
    Token token = lexer_.peek();
    HONE_TRY(int64_t number, lexer_.integer("the number of a group"));
    if (number != static_cast<int64_t>(plan_.groups.size()))
      return lexer_.problem_at(token, fmt::format("found group {}, expected group {}", number, plan_.groups.size()));
    HONE_PASS(lexer_.expect(":"));
    GroupPlan group;
    while (at_choice()) {
      HONE_PASS(choice(group));
      if (!lexer_.take_if(",")) break;
      if (!at_choice()) return lexer_.unexpected("vector, scalar, tile, order, unroll, ahead, next or align");
    }
    plan_.groups.push_back(std::move(group));
    return Done{};
  }

  bool at_choice() const {
    const auto words = {"vector", "scalar", "tile", "order", "unroll", "ahead", "next", "align"};
    return std::any_of(words.begin(), words.end(), [&](const char* word) { return lexer_.at(word); });
  }

  Result<int> small_integer(const char* what) {
    Token token = lexer_.peek();
    HONE_TRY(int64_t value, lexer_.integer(what));
    if (value < 0 || value > 1 << 20) return lexer_.problem_at(token, fmt::format("{} lies between 0 and 2^20", what));
    return static_cast<int>(value);
  }

  Status choice(GroupPlan& group) {
    if (lexer_.take_if("vector")) {
      HONE_TRY(group.vector_axis, lexer_.name("the vector axis"));
      HONE_PASS(lexer_.expect("by"));
      HONE_TRY(group.lanes, small_integer("a number of lanes"));
    } else if (lexer_.take_if("scalar")) {
      group.lanes = 1;
    } else if (lexer_.take_if("tile")) {
      HONE_PASS(numbers(group.tile, "a number of points"));
    } else if (lexer_.take_if("order")) {
      HONE_PASS(lexer_.expect("("));
      if (!lexer_.at(")")) do {
          HONE_TRY(std::string axis, lexer_.name("an axis"));
          group.order.push_back(std::move(axis));
        } while (lexer_.take_if(","));
      HONE_PASS(lexer_.expect(")"));
    } else if (lexer_.take_if("unroll")) {
      HONE_TRY(group.unroll, small_integer("an unroll factor"));
    } else if (lexer_.take_if("ahead")) {
      HONE_PASS(numbers(group.ahead, "a number of elements"));
    } else if (lexer_.take_if("next")) {
      HONE_PASS(numbers(group.next, "a number of elements"));
    } else if (lexer_.take_if("align")) {
      HONE_TRY(group.align, lexer_.name("the name of a buffer"));
    }
    return Done{};
  }

  // name ':' integer, as often as it stands there.
  Status numbers(std::map<std::string, int64_t>& values, const char* what) {
    while (lexer_.at_name() && lexer_.at(":", 1)) {
      std::string name = lexer_.take().text;
      lexer_.take();
      HONE_TRY(values[name], lexer_.integer(what));
    }
    return Done{};
  }

  Lexer& lexer_;
  KernelPlan plan_;
};

std::string bindings_text(const char* word, const std::map<std::string, int64_t>& values) {
  std::string list;
  for (const auto& [name, value] : values)
    list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", name_text(name), value);
  return list.empty() ? "" : fmt::format("  {} {}\n", word, list);
}

std::string numbers_text(std::string text, const std::map<std::string, int64_t>& values) {
  for (const auto& [name, value] : values) text += fmt::format(" {}:{}", name_text(name), value);
  return text;
}

std::string group_text(const GroupPlan& group) {
  std::vector<std::string> choices;
  if (!group.vector_axis.empty())
    choices.push_back(fmt::format("vector {} by {}", name_text(group.vector_axis), group.lanes));
  else if (group.lanes == 1)
    choices.push_back("scalar");
  if (!group.tile.empty()) choices.push_back(numbers_text("tile", group.tile));
  if (!group.order.empty()) {
    std::vector<std::string> names;
    for (const std::string& axis : group.order) names.push_back(name_text(axis));
    choices.push_back(fmt::format("order ({})", fmt::join(names, ", ")));
  }
  if (group.unroll != 1) choices.push_back(fmt::format("unroll {}", group.unroll));
  if (!group.ahead.empty()) choices.push_back(numbers_text("ahead", group.ahead));
  if (!group.next.empty()) choices.push_back(numbers_text("next", group.next));
  if (!group.align.empty()) choices.push_back(fmt::format("align {}", name_text(group.align)));
  return choices.empty() ? "" : fmt::format(" {}", fmt::join(choices, ", "));
}

std::string buffers_text(const char* word, const std::set<std::string>& names) {
  std::vector<std::string> texts;
  for (const std::string& name : names) texts.push_back(name_text(name));
  return texts.empty() ? "" : fmt::format("  {} {}\n", word, fmt::join(texts, ", "));
}

}  // namespace

std::string text_of(const KernelPlan& plan, const std::string& kernel_name) {
  std::string text = fmt::format("plan {} {{\n", name_text(kernel_name));
  text += bindings_text("set", plan.parameters) + bindings_text("pin", plan.pins);
  for (const auto& [buffer, layout] : plan.layouts)
    text += fmt::format("  layout {}: {}\n", name_text(buffer), layout::text_of(layout));
  text += buffers_text("stream", plan.streams) + buffers_text("alone", plan.alone);
  for (const Merge& merge : plan.merges)
    text +=
        fmt::format("  merge {} {} -> {}\n", name_text(merge.outer), name_text(merge.inner), name_text(merge.inner));
  for (size_t i = 0; i < plan.groups.size(); ++i) text += fmt::format("  group {}:{}\n", i, group_text(plan.groups[i]));
  return text + "}\n";
}

Result<KernelPlan> parse_kernel_plan(std::string_view source) {
  HONE_TRY(Lexer lexer, Lexer::open(std::string(source)));
  HONE_TRY(KernelPlan plan, PlanParser(lexer).parse());
  HONE_PASS(lexer.expect_end());
  return plan;
}

}  // namespace hone::ir
