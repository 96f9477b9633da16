#include <algorithm>

#include "ir/text/kernel_text.h"
#include "ir/text/scalar_text.h"
#include "ir/text/type_text.h"

namespace hone::ir::text {
namespace {

constexpr size_t kLineWidth = 110;

// "a, b, c" wrapped with a hanging indent.
std::string wrapped(const std::string& head, const std::vector<std::string>& items, const std::string& tail) {
  std::string text, line = head;
  for (size_t i = 0; i < items.size(); ++i) {
    std::string item = items[i] + (i + 1 < items.size() ? "," : tail);
    if (line.size() > head.size() && line.size() + 1 + item.size() > kLineWidth) {
      text += line + "\n";
      line = std::string(head.size(), ' ') + item;
    } else {
      line += (i == 0 ? "" : " ") + item;
    }
  }
  return text + line + (items.empty() ? tail : "");
}

std::string border_text(const Border& border) {
  switch (border.rule) {
    case Border::Rule::None:
      return "";
    case Border::Rule::Fill:
      return fmt::format("{{fill {}}}", number_text(border.fill));
    case Border::Rule::Clamp:
      return "{clamp}";
    case Border::Rule::Reflect:
      return "{reflect}";
    case Border::Rule::Wrap:
      return "{wrap}";
  }
  HONE_CHECK(false, "unknown border");
}

class KernelPrinter {
 public:
  KernelPrinter(const Kernel& kernel, int indent) : kernel_(kernel), indent_(indent) {}

  std::string print() {
    std::vector<std::string> buffers;
    for (const Buffer& buffer : kernel_.buffers)
      buffers.push_back(fmt::format("{} {}: {}", buffer.output ? "out" : "in", name_text(buffer.name),
                                    type_text({buffer.dtype, buffer.shape})));
    text_ = wrapped(fmt::format("{}kernel {}(", blanks(), name_text(kernel_.name)), buffers, ") {") + "\n";
    ++indent_;
    axes();
    tiles();
    nodes(kernel_.body);
    --indent_;
    line("}");
    return std::move(text_);
  }

 private:
  std::string blanks() const { return std::string(static_cast<size_t>(indent_) * 2, ' '); }
  void line(const std::string& content) { text_ += blanks() + content + "\n"; }

  void declarations(const char* word, const std::vector<std::string>& items) {
    if (!items.empty()) text_ += wrapped(blanks() + word + " ", items, "") + "\n";
  }

  void axes() {
    std::vector<std::string> items;
    for (const Axis& axis : kernel_.axes)
      items.push_back(fmt::format("{} < {}", name_text(axis.name), index_text(axis.extent)));
    declarations("axis", items);
  }

  void tiles() {
    std::vector<std::string> items;
    for (const Tile& tile : kernel_.tiles) {
      std::string axes;
      for (const std::string& axis : tile.axes) axes += (axes.empty() ? "" : ", ") + name_text(axis);
      std::string ring =
          tile.ring ? fmt::format(" ring {} {}", name_text(tile.ring->axis), index_text(tile.ring->rows)) : "";
      items.push_back(fmt::format("{}: {}[{}]{}", name_text(tile.name), name_of(tile.dtype), axes, ring));
    }
    declarations("tile", items);
  }

  void nodes(const std::vector<Node>& list) {
    for (const Node& node : list) {
      if (const Group* inside = std::get_if<Group>(&node))
        group(*inside);
      else
        nest(*std::get<std::shared_ptr<const Nest>>(node));
    }
  }

  void nest(const Nest& nest) {
    std::string head = fmt::format("{} {}", nest.grid ? "grid" : "loop", name_text(nest.axis));
    if (!nest.step.is(1)) head += " step " + index_text(nest.step);
    if (nest.until) head += " until " + index_text(*nest.until);
    for (size_t i = 0; i < nest.states.size(); ++i) head += (i == 0 ? " state " : ", ") + state_text(nest.states[i]);
    line(head + " {");
    ++indent_;
    nodes(nest.body);
    --indent_;
    line("}");
  }

  std::string state_text(const State& state) const {
    int place = kernel_.place_of(state.tile);
    std::optional<DType> type;
    if (place >= 0) type = kernel_.place_type(place);
    return fmt::format("{} = {}", name_text(state.tile), body_text(state.init, texts_of({}), type));
  }

  static std::string group_axes_text(const std::vector<GroupAxis>& axes) {
    std::string text;
    for (const GroupAxis& axis : axes) {
      text += (text.empty() ? "" : ", ") + name_text(axis.axis);
      if (axis.range)
        text += fmt::format(" in [{}, {})", index_text(axis.range->first), index_text(axis.range->second));
      if (axis.carry) text += " carry " + name_text(*axis.carry);
    }
    return "(" + text + ")";
  }

  void group(const Group& group) {
    std::string over = group.over.empty() ? "" : " over " + group_axes_text(group.over);
    std::string head = fmt::format("group {}{} {{", group_axes_text(group.parallel), over);
    if (group.inner.size() == 1 && group.outer.empty()) {
      std::string whole = fmt::format("{} {} }}", head, statement_text(group.inner[0]));
      if (blanks().size() + whole.size() <= kLineWidth) return line(whole);
    }
    line(head);
    statements(group.inner);
    if (!group.outer.empty()) line("then");
    statements(group.outer);
    line("}");
  }

  void statements(const std::vector<Stmt>& list) {
    ++indent_;
    for (const Stmt& statement : list) line(statement_text(statement));
    --indent_;
  }

  bool in_memory(int place) const {
    return place >= 0 && place < static_cast<int>(kernel_.buffers.size() + kernel_.tiles.size());
  }

  std::string access_text(const std::vector<Access>& accesses, int number) const {
    if (number < 0 || number >= static_cast<int>(accesses.size())) return fmt::format("@{}", number);
    const Access& access = accesses[static_cast<size_t>(number)];
    std::string place = name_text(kernel_.place_name(access.operand));
    if (!in_memory(access.operand)) return place;
    // A read names an earlier access, so this ends.
    auto read = [&](int earlier) {
      return earlier < number ? access_text(accesses, earlier) : fmt::format("${}", earlier);
    };
    return place + indices_text(access.index, read) + border_text(access.border);
  }

  ScalarTexts texts_of(const std::vector<Access>& accesses) const {
    auto access = [this, &accesses](int number) { return access_text(accesses, number); };
    auto taken = [this](const std::string& name) {
      return kernel_.place_of(name) >= 0 ||
             std::any_of(kernel_.axes.begin(), kernel_.axes.end(), [&](const Axis& axis) { return axis.name == name; });
    };
    return {access, access, taken};
  }

  std::string statement_text(const Stmt& statement) const {
    int place = kernel_.place_of(statement.result);
    std::string head = name_text(statement.result);
    std::optional<DType> type;
    if (in_memory(place)) {
      head += indices_text(statement.at, texts_of(statement.accesses).read);
      type = kernel_.place_type(place);
    }
    std::string body = body_text(statement.body, texts_of(statement.accesses), type);
    std::string combine = statement.combine == Combine::None ? "" : name_of(statement.combine);
    if (!combine.empty()) combine += body.starts_with("(") ? ": " : " ";
    return fmt::format("{} = {}{}", head, combine, body);
  }

  const Kernel& kernel_;
  int indent_;
  std::string text_;
};

}  // namespace

std::string kernel_text(const Kernel& kernel, int indent) {
  return KernelPrinter(kernel, indent).print();
}

}  // namespace hone::ir::text

namespace hone::ir {

std::string text_of(const Kernel& kernel) {
  return text::kernel_text(kernel);
}

}  // namespace hone::ir
