#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

class Validator {
 public:
  explicit Validator(const Program& program) : program_(program), defined_(program.values.size(), false) {}

  Status run() {
    for (size_t i = 0; i < program_.values.size(); ++i)
      if (program_.values[i].constant) HONE_PASS(check_constant(program_.values[i], i));
    for (ValueId id : program_.inputs) HONE_PASS(define(id, "input of the program"));
    for (const Op& op : program_.ops) HONE_PASS(check_op(op));
    for (ValueId id : program_.outputs)
      if (!is_value(id) || !defined_[static_cast<size_t>(id)])
        return error("program '{}': output {} is never computed", program_.name, name_of_value(id));
    return Done{};
  }

 private:
  bool is_value(ValueId id) const { return id >= 0 && static_cast<size_t>(id) < program_.values.size(); }

  std::string name_of_value(ValueId id) const {
    return is_value(id) ? fmt::format("'{}'", program_.values[static_cast<size_t>(id)].name) : fmt::format("#{}", id);
  }

  Status define(ValueId id, const std::string& by) {
    if (!is_value(id)) return error("program '{}': {} names no value: #{}", program_.name, by, id);
    if (defined_[static_cast<size_t>(id)])
      return error("program '{}': {} defines value {} again", program_.name, by, name_of_value(id));
    defined_[static_cast<size_t>(id)] = true;
    return Done{};
  }

  Status check_constant(const Value& value, size_t id) {
    size_t bytes = size_of(value.type.dtype);
    for (const Index& size : value.type.shape) {
      if (!size.constant()) return error("constant '{}' has the symbolic size {}", value.name, size.text());
      bytes *= static_cast<size_t>(*size.constant());
    }
    if (bytes != value.constant->bytes)
      return error("constant '{}' holds {} bytes, its type takes {}", value.name, value.constant->bytes, bytes);
    return define(static_cast<ValueId>(id), "a constant");
  }

  Status check_op(const Op& op) {
    for (ValueId id : op.inputs) {
      if (id == kAbsent) continue;
      if (!is_value(id)) return refusal(op, "reads value #{}, which does not exist", id);
      if (!defined_[static_cast<size_t>(id)]) return refusal(op, "reads {} before it is computed", name_of_value(id));
    }
    for (const Program& body : op.bodies) HONE_PASS(check_body(op, body));
    HONE_TRY(Types types, infer_types(program_, op));
    if (op.outputs.empty() || op.outputs.size() > types.size())
      return refusal(op, "has {} results, yields at most {}", op.outputs.size(), types.size());
    for (size_t k = 0; k < op.outputs.size(); ++k) {
      if (op.outputs[k] == kAbsent) continue;
      HONE_PASS(define(op.outputs[k], label_of(op)));
      const TensorType& written = program_.type(op.outputs[k]);
      if (written != types[k])
        return refusal(op, "result {} is written as {}{}, is {}{}", name_of_value(op.outputs[k]),
                       name_of(written.dtype), shape_text(written.shape), name_of(types[k].dtype),
                       shape_text(types[k].shape));
    }
    return Done{};
  }

  // The inputs of a branch are the op's operands after the condition; inference checks those of other bodies.
  Status check_body(const Op& op, const Program& body) {
    if (auto status = validate(body); !status.ok()) return refusal(op, "in its body: {}", status.problem().message);
    if (op.kind != OpKind::If) return Done{};
    if (body.inputs.size() + 1 != op.inputs.size())
      return refusal(op, "passes {} values to a body that takes {}", op.inputs.size() - 1, body.inputs.size());
    for (size_t k = 0; k < body.inputs.size(); ++k)
      if (body.type(body.inputs[k]) != input_type(program_, op, k + 1))
        return refusal(op, "operand {} has another type than the body's input", k + 1);
    return Done{};
  }

  const Program& program_;
  std::vector<bool> defined_;
};

}  // namespace

Status validate(const Program& program) {
  return Validator(program).run();
}

}  // namespace hone::ir
