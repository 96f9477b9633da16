// Inputs, outputs and the symbols of their sizes.
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "base/printable.h"
#include "import/graph_internal.h"
#include "import/node_internal.h"

namespace hone::import {
namespace {

// Names like `d0` belong to axes.
bool is_axis_name(const std::string& name) {
  return std::isalpha(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin() + 1, name.end(), [](unsigned char c) { return std::isdigit(c); }) && name.size() > 1;
}

std::string identifier(const std::string& wanted) {
  std::string name;
  constexpr size_t kLongestName = 100;  // symbols of one beginning are told apart by numbers
  for (unsigned char c : std::string_view(wanted).substr(0, kLongestName))
    name += std::isalnum(c) ? static_cast<char>(c) : '_';
  bool reserved = name == "min" || name == "max";
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "n" + name;
  return reserved || is_axis_name(name) ? name + "_size" : name;
}

// The symbol that an expression is, if it is nothing else.
const std::string* plain_symbol(const Index& index) {
  if (index.terms().size() != 1) return nullptr;
  const ir::IndexTerm& term = index.terms()[0];
  if (term.coefficient != 1 || term.factors.size() != 1) return nullptr;
  return term.factors[0]->kind == ir::IndexAtom::Kind::Symbol ? &term.factors[0]->name : nullptr;
}

bool mentions(const Index& index, const std::string& symbol) {
  auto symbols = index.symbols();
  return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

void replace(Term& term, const std::map<std::string, Index>& by) {
  if (term.known)
    for (Index& element : term.known->elements) element = element.substitute(by);
  if (!term.sequence) return;
  std::vector<Term> elements = term.sequence->elements;
  for (Term& element : elements) replace(element, by);
  term = sequence_term(std::move(elements));
}

// Sizes that are equal for all values of their symbols, as far as trying some tells.
bool seem_equal(const Index& a, const Index& b) {
  constexpr int64_t kTried = 150;  // more than twice the largest multiple of equate_by_multiple
  std::map<std::string, int64_t> first;
  for (const Index* side : {&a, &b})
    for (const std::string& name : side->symbols()) first.emplace(name, 1000 * static_cast<int64_t>(first.size() + 1));
  for (int64_t n = 0; n < kTried; ++n) {
    auto value_of = [&](const std::string& name) { return first.at(name) + n; };
    if (a.evaluate(value_of) != b.evaluate(value_of)) return false;
  }
  return true;
}

// The caller asks for inputs and outputs by their names.
Status check_name(const char* what, const std::string& name) {
  if (is_plain_text(name)) return Done{};
  return error("the name of {} '{}' is not UTF-8, or holds a NUL", what, printable(name, 200));
}

void replace(ir::Program& program, const std::map<std::string, Index>& by) {
  for (ir::Value& value : program.values)
    for (Index& dim : value.type.shape) dim = dim.substitute(by);
  for (ir::Op& op : program.ops)
    for (ir::Program& body : op.bodies) replace(body, by);
}

}  // namespace

Index Importer::symbol_for(const std::string& wanted) {
  std::string name = identifier(wanted);
  std::string stem = name;
  while (symbols_named_.contains(name)) name = fmt::format("{}_{}", stem, ++symbols_named_[stem]);
  symbols_named_.emplace(name, 1);
  symbols_.push_back(name);
  return Index::symbol(name);
}

Index Importer::computed_size(const std::string& stem) {
  Index symbol = symbol_for(stem);
  computed_.insert(symbol.text());
  return symbol;
}

bool Importer::mentions_computed(const Index& size) const {
  std::vector<std::string> names = size.symbols();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return computed_.contains(name); });
}

Result<Index> Importer::input_dim(const std::string& input, int k, const onnx::TensorShapeProto_Dimension& dim) {
  if (dim.has_dim_value() && dim.dim_value() >= kLargeNumber)
    return error("dimension {} of {} is out of bounds", k, dim.dim_value());
  // Exporters write 0 and -1 for a size that they do not know, and "?" for any number of different ones.
  if (dim.has_dim_value() && dim.dim_value() > 0) return Index(dim.dim_value());
  std::string param = dim.dim_param() == "?" ? "" : dim.dim_param();
  auto fixed = [&](const std::string& name) -> std::optional<Index> {
    auto found = options_.sizes.find(name);
    if (found == options_.sizes.end()) return std::nullopt;
    return Index(found->second);
  };
  auto declare = [&](const std::string& wanted) {
    Index symbol = symbol_for(wanted);
    declared_[symbol.text()] = {{symbol.text(), input, static_cast<size_t>(k)}, symbol};
    return symbol;
  };
  if (param.empty()) {
    Index symbol = declare(fmt::format("{}_d{}", input, k));
    return fixed(symbol.text()).value_or(symbol);
  }
  if (!params_.contains(param)) params_[param] = declare(param).text();
  if (auto number = fixed(param)) return *number;
  return fixed(params_[param]).value_or(Index::symbol(params_[param]));
}

Status Importer::check_sizes() const {
  for (const auto& [name, size] : options_.sizes) {
    if (size < 0 || size >= kLargeNumber) return error("size '{}' cannot be {}", name, size);
    if (params_.contains(name) || std::find(symbols_.begin(), symbols_.end(), name) != symbols_.end()) continue;
    return error("the model has no size '{}'; its sizes are: {}", name, fmt::join(symbols_, ", "));
  }
  return Done{};
}

Status Importer::check_ports() const {
  constexpr int kMostPorts = 1 << 16;
  if (int count = model_->graph().input_size(); count > kMostPorts)
    return error("the model has {} inputs; at most {} would work", count, kMostPorts);
  if (int count = model_->graph().output_size(); count > kMostPorts)
    return error("the model has {} outputs; at most {} would work", count, kMostPorts);
  return Done{};
}

Status Importer::add_inputs(Scope& scope) {
  std::set<std::string> listed;
  for (const onnx::ValueInfoProto& input : model_->graph().input()) {
    if (!listed.insert(input.name()).second) return error("input '{}' is listed twice", input.name());
    if (scope.names.contains(input.name())) continue;  // an initializer with a default; its value is taken
    if (input.name().empty()) return error("an input of the model has no name");
    HONE_PASS(check_name("input", input.name()));
    if (!input.type().has_tensor_type())
      return error("input '{}' is not a tensor; sequences, maps and optionals are not supported", input.name());
    const auto& tensor = input.type().tensor_type();
    auto dtype = dtype_of(tensor.elem_type());
    if (!dtype) return error("input '{}' {}", input.name(), dtype.problem().message);
    if (!tensor.has_shape()) return error("input '{}' has no shape; its rank must be known", input.name());
    ir::TensorType type{*dtype, {}};
    for (int k = 0; k < tensor.shape().dim_size(); ++k) {
      auto dim = input_dim(input.name(), k, tensor.shape().dim(k));
      if (!dim) return error("input '{}': {}", input.name(), dim.problem().message);
      type.shape.push_back(*dim);
    }
    if (auto count = element_count(type.shape); !count)
      return error("input '{}' {}", input.name(), count.problem().message);
    HONE_PASS(add_given(scope, input.name(), type));
    ir::ValueId id =
        scope.frame->program.add_value({unique_name(*scope.frame, input.name()), type, std::nullopt, std::nullopt});
    scope.frame->program.inputs.push_back(id);
    scope.names.emplace(input.name(), value_term(id));
  }
  return check_sizes();
}

Status Importer::add_outputs(Scope& scope) {
  Frame& frame = *scope.frame;
  std::vector<Term> terms = output_terms(scope, model_->graph(), "the model");
  std::set<std::string> names;
  std::set<ir::ValueId> taken(frame.program.inputs.begin(), frame.program.inputs.end());
  for (size_t k = 0; k < terms.size(); ++k) {
    if (terms[k].refused) continue;
    const std::string& name = model_->graph().output(static_cast<int>(k)).name();
    HONE_PASS(check_name("output", name));
    if (!names.insert(name).second) return error("output '{}' is listed twice", name);
    if (!terms[k].is_tensor())
      return error("output '{}' is {}; tensors would work, for a sequence one output per element", name,
                   terms[k].sequence ? "a sequence" : "an empty optional");
    ir::ValueId id = value_of(frame, terms[k]);
    bool own = !frame.program.values[static_cast<size_t>(id)].constant && taken.insert(id).second;
    if (!own) {
      ir::Op op{ir::OpKind::Identity, name, {id}, {}, {}, {}};
      HONE_TRY(auto made, emit(frame, {std::move(op), {frame.program.type(id)}, name}));
      id = made[0];
    }
    frame.program.outputs.push_back(id);
  }
  if (frame.program.outputs.empty() && !refusals_.any()) return error("the model has no output");
  // The caller asks for outputs by their names; whatever else took one of them gives way.
  for (ir::Value& value : frame.program.values)
    if (names.contains(value.name)) value.name = unique_name(frame, value.name);
  for (size_t k = 0; k < frame.program.outputs.size() && !refusals_.any(); ++k)
    frame.program.values[static_cast<size_t>(frame.program.outputs[k])].name =
        model_->graph().output(static_cast<int>(k)).name();
  return Done{};
}

void Importer::replace_symbol(const std::string& symbol, const Index& by) {
  has_replaced_ = true;
  std::map<std::string, Index> map{{symbol, by}};
  for (auto& [name, declared] : declared_) declared.now = declared.now.substitute(map);
  std::set<Frame*> done;
  for (Scope* scope : open_) {
    for (Scope* s = scope; s; s = s->outer)
      if (done.insert(s->frame).second) replace(s->frame->program, map);
    for (auto& [name, term] : scope->names) replace(term, map);
  }
}

std::optional<bool> Importer::is_one(const Index& size, std::set<std::string>& asked) const {
  if (size.is(1)) return true;
  if (provably_different(size, 1)) return false;
  std::vector<std::string> symbols = size.symbols();
  for (const auto& [name, declared] : declared_) {
    if (declared.now == size && options_.not_one.contains(name)) return false;
    auto tells = [&](const std::string& symbol) { return mentions(declared.now, symbol); };
    if (std::any_of(symbols.begin(), symbols.end(), tells)) asked.insert(name);
  }
  return std::nullopt;
}

bool Importer::must_equal(const Index& size, const Index& to) {
  if (size == to) return true;
  if (size.is(1)) return false;
  is_one(size, broadcast_sizes_);
  return true;
}

bool Importer::must_equal_each_other(const Index& a, const Index& b) {
  return a == b || (!b.is(1) && must_equal(a, b) && must_equal(b, a));
}

// Sizes that agree only for multiples of a number, such as those that an encoder halves and a decoder doubles again:
// the symbol becomes that number times a new one.
bool Importer::equate_by_multiple(const Index& a, const Index& b) {
  std::vector<std::string> names = a.symbols(), more = b.symbols();
  names.insert(names.end(), more.begin(), more.end());
  for (int64_t multiple = 2; multiple <= 64; multiple *= 2)
    for (const std::string& name : names) {
      Index by = multiple * Index::symbol(name);
      if (!(a.substitute({{name, by}}) == b.substitute({{name, by}}))) continue;
      replace_symbol(name, multiple * symbol_for(fmt::format("{}_by{}", name, multiple)));
      return true;
    }
  return false;
}

bool Importer::equate(const Index& a, const Index& b) {
  if (a == b) return true;
  if (provably_different(a, b)) return false;
  const std::string *x = plain_symbol(a), *y = plain_symbol(b);
  if (x && y) {
    auto place = [&](const std::string& name) { return std::find(symbols_.begin(), symbols_.end(), name); };
    if (place(*x) < place(*y))
      replace_symbol(std::string(*y), a);
    else
      replace_symbol(std::string(*x), b);
    return true;
  }
  if (open_.back()->frame->outer) return false;
  if (x && !mentions(b, *x))
    replace_symbol(std::string(*x), b);
  else if (y && !mentions(a, *y))
    replace_symbol(std::string(*y), a);
  else
    return !seem_equal(a, b) && equate_by_multiple(a, b);
  return true;
}

}  // namespace hone::import
