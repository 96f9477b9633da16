#include <set>

#include "ir/text/attribute_text.h"
#include "ir/text/constants.h"
#include "ir/text/index_text.h"
#include "ir/text/type_text.h"

namespace hone::ir::text {
namespace {

class ProgramPrinter {
 public:
  ProgramPrinter(const Program& program, size_t indent) : program_(program), blanks_(indent * 2, ' ') { name_values(); }

  std::string print() {
    std::string inputs;
    for (ValueId id : program_.inputs) inputs += (inputs.empty() ? "" : ", ") + definition(id);
    std::string text =
        fmt::format("program {}({}) -> {} {{\n", key_text(program_.name), inputs, names(program_.outputs));
    for (size_t i = 0; i < program_.values.size(); ++i)
      if (const Value& value = program_.values[i]; value.constant)
        text += fmt::format("{}  const {} = {}\n", blanks_, definition(static_cast<ValueId>(i)),
                            constant_text(value.type, *value.constant));
    for (const Op& op : program_.ops) text += op_text(op);
    return text + blanks_ + "}";
  }

 private:
  // Values are known by name in a text, so each gets one of its own.
  void name_values() {
    std::set<std::string> taken;
    for (size_t i = 0; i < program_.values.size(); ++i) {
      const std::string& wanted = program_.values[i].name;
      std::string name = wanted.empty() ? fmt::format("v{}", i) : wanted;
      while (!taken.insert(name).second) name += fmt::format("_{}", i);
      names_.push_back(name_text(name));
    }
  }

  std::string name(ValueId id) const { return id == kAbsent ? "_" : names_.at(static_cast<size_t>(id)); }

  std::string names(const std::vector<ValueId>& ids) const {
    std::string list;
    for (ValueId id : ids) list += (list.empty() ? "" : ", ") + name(id);
    return "(" + list + ")";
  }

  std::string definition(ValueId id) const {
    if (id == kAbsent) return "_";
    const Value& value = program_.values[static_cast<size_t>(id)];
    std::string known = value.known ? " known " + indices_text(*value.known) : "";
    return fmt::format("{}: {}{}", name(id), type_text(value.type), known);
  }

  std::string op_text(const Op& op) const {
    std::string results;
    for (ValueId id : op.outputs) results += (results.empty() ? "" : ", ") + definition(id);
    std::string text = fmt::format("{}  {} = {}{}{}{}", blanks_, results, name_of(op.kind), names(op.inputs),
                                   attributes_text(op.attributes), label_text(op.name));
    for (const Program& body : op.bodies) text += " " + ProgramPrinter(body, blanks_.size() / 2 + 1).print();
    return text + "\n";
  }

  const Program& program_;
  std::string blanks_;
  std::vector<std::string> names_;
};

}  // namespace
}  // namespace hone::ir::text

namespace hone::ir {

std::string text_of(const Program& program) {
  return text::ProgramPrinter(program, 0).print() + "\n";
}

}  // namespace hone::ir
