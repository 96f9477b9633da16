#include <set>

#include "runtime/alias.h"
#include "runtime/formula.h"
#include "target/target.h"

namespace hone::runtime {

namespace {

struct DTypeSize {
  std::string_view name;
  int64_t bytes;
};

constexpr DTypeSize dtype_sizes[] = {
    {"f32", 4},    {"f64", 8},      {"f16", 2},        {"bf16", 2},   {"i8", 1},         {"i16", 2},
    {"i32", 4},    {"i64", 8},      {"u8", 1},         {"u16", 2},    {"u32", 4},        {"u64", 8},
    {"bool", 1},   {"f8e4m3fn", 1}, {"f8e4m3fnuz", 1}, {"f8e5m2", 1}, {"f8e5m2fnuz", 1}, {"f8e8m0", 1},
    {"f4e2m1", 1}, {"i4", 1},       {"u4", 1},         {"i2", 1},     {"u2", 1}};

bool in_range(int64_t number, size_t count) {
  return number >= 0 && number < static_cast<int64_t>(count);
}

class Validator {
 public:
  explicit Validator(const Executable& executable) : exe_(executable), bound_(executable.symbols.size()) {}

  Status run() {
    HONE_PASS(target::isa_named(exe_.isa));
    for (const ConstantSpec& constant : exe_.constants) HONE_PASS(check(constant));
    HONE_PASS(check_ports(exe_.inputs, true));
    HONE_PASS(check_ports(exe_.outputs, false));
    for (size_t i = 0; i < bound_.size(); ++i)
      if (!bound_[i]) return error("no input of model '{}' gives symbol '{}' a value", exe_.name, exe_.symbols[i]);
    std::vector<int> output_buffers(exe_.outputs.size());
    for (const BufferSpec& buffer : exe_.buffers) HONE_PASS(check(buffer, output_buffers));
    for (size_t i = 0; i < output_buffers.size(); ++i)
      if (output_buffers[i] != 1)
        return error("output '{}' has {} buffers instead of one", exe_.outputs[i].name, output_buffers[i]);
    HONE_PASS(alias_roots(exe_.buffers));
    for (const SizeCheck& sizes : exe_.checks) {
      HONE_PASS(check(sizes.left));
      HONE_PASS(check(sizes.right));
    }
    return check(exe_.steps);
  }

 private:
  Status check(const ConstantSpec& constant) {
    if (constant.offset % 64 != 0) return error("a constant lies at offset {}, not a multiple of 64", constant.offset);
    if (constant.bytes > exe_.weight_bytes || constant.offset > exe_.weight_bytes - constant.bytes)
      return error("a constant at offset {} of {} bytes lies outside the {} bytes of weights", constant.offset,
                   constant.bytes, exe_.weight_bytes);
    return Done{};
  }

  Status check(const Formula& formula) { return validate(formula, exe_.symbols.size()); }

  Status check_ports(const std::vector<PortSpec>& ports, bool inputs) {
    std::set<std::string> names;
    for (const PortSpec& port : ports) {
      if (!names.insert(port.name).second) return error("two ports are called '{}'", port.name);
      if (element_size_of(port.dtype) == 0) return error("port '{}' has the unknown type '{}'", port.name, port.dtype);
      if (port.shape.size() != port.shape_text.size() || port.binds.size() != (inputs ? port.shape.size() : 0))
        return error("port '{}' is described with two different ranks", port.name);
      for (const Formula& dimension : port.shape) HONE_PASS(check(dimension));
      for (int symbol : port.binds) {
        if (symbol == -1) continue;
        if (!in_range(symbol, bound_.size())) return error("input '{}' binds the unknown symbol {}", port.name, symbol);
        bound_[static_cast<size_t>(symbol)] = true;
      }
    }
    return Done{};
  }

  Status check(const BufferSpec& buffer, std::vector<int>& output_buffers) {
    HONE_PASS(check(buffer.bytes));
    if (buffer.element_size < 1 || buffer.element_size > 16)
      return error("buffer '{}' has elements of {} bytes", buffer.name, buffer.element_size);
    size_t limit = 0;
    switch (buffer.kind) {
      case BufferSpec::Kind::Input:
        limit = exe_.inputs.size();
        break;
      case BufferSpec::Kind::Output:
        limit = exe_.outputs.size();
        break;
      case BufferSpec::Kind::Constant:
        limit = exe_.constants.size();
        break;
      case BufferSpec::Kind::Alias:
        limit = exe_.buffers.size();
        break;
      case BufferSpec::Kind::Arena:
        return Done{};
    }
    if (!in_range(buffer.number, limit))
      return error("buffer '{}' names number {} of {}", buffer.name, buffer.number, limit);
    if (buffer.kind == BufferSpec::Kind::Output) ++output_buffers[static_cast<size_t>(buffer.number)];
    return Done{};
  }

  Status check(const std::vector<StepSpec>& steps) {
    for (const StepSpec& step : steps) HONE_PASS(check(step));
    return Done{};
  }

  Status check(const StepSpec& step) {
    for (int64_t buffer : step.buffers)
      if (!in_range(buffer, exe_.buffers.size()))
        return error("step '{}' uses buffer {} of {}", step.label, buffer, exe_.buffers.size());
    for (const Formula& size : step.sizes) HONE_PASS(check(size));
    for (const Formula* formula : {&step.tasks, &step.scratch, &step.flops, &step.bytes}) HONE_PASS(check(*formula));
    bool is_if = step.kind == StepSpec::Kind::If, is_loop = step.kind == StepSpec::Kind::Loop;
    if (step.bodies.size() != (is_if ? 2 : is_loop ? 1 : 0))
      return error("step '{}' has {} bodies", step.label, step.bodies.size());
    if (is_if && step.buffers.size() != 1)
      return error("step '{}' has {} conditions instead of one", step.label, step.buffers.size());
    if (is_loop) HONE_PASS(check_loop(step));
    if (step.kind == StepSpec::Kind::Check && step.sizes.size() != 2)
      return error("step '{}' compares {} sizes", step.label, step.sizes.size());
    if (step.kind == StepSpec::Kind::Kernel && !in_range(step.function, exe_.functions.size()))
      return error("step '{}' calls function {} of {}", step.label, step.function, exe_.functions.size());
    for (const auto& body : step.bodies) HONE_PASS(check(body));
    return Done{};
  }

  Status check_loop(const StepSpec& step) {
    int64_t count = static_cast<int64_t>(step.buffers.size());
    if (step.carried < 1 || step.carried > count || 2 + 3 * step.carried > count ||
        (count - 2 - 3 * step.carried) % 2 != 0)
      return error("step '{}' carries {} values in {} buffers", step.label, step.carried, count);
    return Done{};
  }

  const Executable& exe_;
  std::vector<bool> bound_;
};

}  // namespace

int64_t element_size_of(std::string_view dtype) {
  for (const DTypeSize& known : dtype_sizes)
    if (known.name == dtype) return known.bytes;
  return 0;
}

Status validate(const Executable& executable) {
  return Validator(executable).run();
}

}  // namespace hone::runtime
