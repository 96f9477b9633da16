#include <map>

#include "canon/canon.h"
#include "canon/rewriter_internal.h"

namespace hone::canon {
namespace {

constexpr size_t kSmallConstant = 4096;

struct AttributeText {
  std::string operator()(int64_t n) const { return fmt::format("{}", n); }
  std::string operator()(double n) const { return fmt::format("{:a}", n); }
  std::string operator()(const std::string& s) const { return "'" + s + "'"; }
  template <typename T>
  std::string operator()(const std::vector<T>& list) const {
    std::string text = "[";
    for (const T& item : list) text += (*this)(item) + ",";
    return text + "]";
  }
};

std::string type_text(const ir::TensorType& type) {
  std::string text = name_of(type.dtype);
  for (const ir::Index& dim : type.shape) text += "," + dim.text();
  return text;
}

std::string key_of(const Rewriter& rewriter, const ir::Op& op) {
  std::string key = name_of(op.kind);
  for (ir::ValueId id : op.inputs) key += fmt::format(" {}", id);
  for (const auto& [name, attribute] : op.attributes) key += " " + name + "=" + std::visit(AttributeText{}, attribute);
  // Some ops carry what they do in the type of their result.
  for (ir::ValueId id : op.outputs) key += id == ir::kAbsent ? " _" : " " + type_text(rewriter.type(id));
  return key;
}

using Constants = std::map<std::string, ir::ValueId>;

// The first constant of equal type and bytes.
ir::ValueId first_equal(const ir::Program& program, ir::ValueId id, Constants& seen) {
  const ir::Value& value = program.values[static_cast<size_t>(id)];
  if (!value.constant || value.constant->bytes > kSmallConstant) return id;
  std::string_view bytes(reinterpret_cast<const char*>(value.constant->data), value.constant->bytes);
  return seen.emplace(type_text(value.type) + " " + std::string(bytes), id).first->second;
}

ir::Program share_constants(ir::Program program) {
  Constants seen;
  for (ir::Op& op : program.ops) {
    for (ir::Program& body : op.bodies) body = share_constants(std::move(body));
    for (ir::ValueId& id : op.inputs)
      if (id != ir::kAbsent) id = first_equal(program, id, seen);
  }
  return program;
}

}  // namespace

ir::Program eliminate_common_subexpressions(ir::Program program) {
  auto make_visit = []() -> Rewriter::Visit {
    return [seen = std::map<std::string, std::vector<ir::ValueId>>()](Rewriter& rewriter, const ir::Op& op) mutable {
      if (!op.bodies.empty()) return false;
      auto [found, fresh] = seen.emplace(key_of(rewriter, op), op.outputs);
      if (fresh) return false;
      for (size_t k = 0; k < op.outputs.size(); ++k)
        if (op.outputs[k] != ir::kAbsent) rewriter.forward(op.outputs[k], found->second[k]);
      return true;
    };
  };
  return Rewriter::run_each(share_constants(std::move(program)), make_visit);
}

}  // namespace hone::canon
