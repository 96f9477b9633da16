#include "hone/inputs.h"

#include <algorithm>
#include <charconv>

#include "base/rng.h"
#include "hone/npy.h"
#include "hone/print.h"
#include "hone/shapes.h"
#include "runtime/aligned_bytes.h"

namespace hone::tools {
namespace {

using runtime::Executable;
using runtime::PortSpec;

// A number, or a file that is not yet read.
struct Given {
  std::string text;
  std::optional<double> number;
};

std::string inputs_text(const Executable& executable) {
  std::vector<std::string> texts;
  for (const PortSpec& port : executable.inputs) texts.push_back(port_text(port));
  return fmt::format("{}", fmt::join(texts, "; "));
}

Status check_name(const Executable& executable, const std::string& name) {
  for (const PortSpec& port : executable.inputs)
    if (port.name == name) return Done{};
  return error("the model has no input '{}'; its inputs are {}", name, inputs_text(executable));
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

Result<std::map<std::string, Given>> parse_values(const std::vector<std::string>& texts, const Executable& executable) {
  std::map<std::string, Given> values;
  for (const std::string& text : texts) {
    // trtexec sets names and files apart by a colon, which names may hold too.
    size_t split = text.find('=') != std::string::npos ? text.rfind('=') : text.rfind(':');
    if (split == std::string::npos || split == 0)
      return error("'{}' names no input; NAME=FILE.npy or NAME=NUMBER would work", text);
    std::string name = text.substr(0, split), value = text.substr(split + 1);
    HONE_PASS(check_name(executable, name));
    if (!values.emplace(name, Given{value, number_in(value)}).second) return error("input '{}' is given twice", name);
  }
  return values;
}

Result<std::vector<int64_t>> parse_sizes(const std::string& text, const std::string& whole) {
  std::vector<int64_t> sizes;
  if (text == "scalar" || text.empty()) return sizes;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find('x', begin), text.size());
    int64_t size = 0;
    auto [stop, failed] = std::from_chars(text.data() + begin, text.data() + end, size);
    if (failed != std::errc() || stop != text.data() + end || size < 0)
      return error("'{}' is no shape; NAME:1x3x224x224 or NAME:scalar would work", whole);
    sizes.push_back(size);
    begin = end + 1;
  }
  return sizes;
}

bool looks_like_sizes(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789x") == std::string::npos;
}

void fill_randomly(eval::Tensor& tensor, Rng rng) {
  int64_t count = eval::count_of(tensor.shape);
  bool real = ir::is_float(tensor.dtype);
  for (int64_t k = 0; k < count; ++k)
    eval::set_element(tensor, k, real ? 2 * rng.unit() - 1 : static_cast<double>(rng.below(2)));
}

Result<eval::Tensor> read_input(const PortSpec& port, ir::DType dtype, const std::string& file) {
  HONE_TRY(eval::Tensor tensor, read_npy(file));
  if (dtype == ir::DType::BF16 && tensor.dtype == ir::DType::F32)
    return eval::filled(dtype, tensor.shape, eval::values_of(tensor));
  if (ir::is_storage(dtype) && tensor.dtype == ir::DType::U8) tensor.dtype = dtype;
  if (tensor.dtype != dtype)
    return error("'{}' holds {}, but input '{}' is {}", file, ir::name_of(tensor.dtype), port.name, port.dtype);
  return tensor;
}

Result<ir::DType> dtype_of(const PortSpec& port) {
  auto dtype = ir::dtype_named(port.dtype);
  if (!dtype)
    return error("input '{}' has the type {}, which this version of Hone does not know", port.name, port.dtype);
  return *dtype;
}

// Told before the memory is asked for: sizes come from the command line.
Status check_size(const PortSpec& port, ir::DType dtype, const std::vector<int64_t>& shape) {
  auto bytes = static_cast<int64_t>(ir::size_of(dtype));
  for (int64_t size : shape)
    if (__builtin_mul_overflow(bytes, size, &bytes)) bytes = INT64_MAX;
  auto room = runtime::AlignedBytes::make(static_cast<size_t>(bytes));
  if (!room) return error("input '{}' of shape {}: {}", port.name, shape_text(shape), room.problem().message);
  return Done{};
}

}  // namespace

void add_input_options(CLI::App& verb, InputOptions& options) {
  verb.add_option("--input,--loadInputs", options.values, "NAME=FILE.npy, or NAME=NUMBER for every element")
      ->allow_extra_args(false);
  verb.add_option("--shape,--shapes,--optShapes", options.shapes,
                  "NAME:1x3x224x224 of an input, several set apart by commas; dimensions not given are 1")
      ->allow_extra_args(false)
      ->delimiter(',');
  verb.add_option("--seed", options.seed, "of the random inputs")->check(CLI::NonNegativeNumber)->capture_default_str();
}

Result<ShapeMap> parse_shapes(const std::vector<std::string>& texts, const Executable& executable) {
  ShapeMap shapes;
  for (const std::string& text : texts) {
    size_t split = text.rfind(':');
    std::string name = split == std::string::npos ? "" : text.substr(0, split);
    if (split == std::string::npos) {
      if (!looks_like_sizes(text)) return error("'{}' is no shape; NAME:1x3x224x224 or NAME:scalar would work", text);
      if (executable.inputs.size() != 1)
        return error("the shape '{}' needs the name of an input; they are {}", text, inputs_text(executable));
      name = executable.inputs[0].name;
    }
    HONE_PASS(check_name(executable, name));
    HONE_TRY(shapes[name], parse_sizes(split == std::string::npos ? text : text.substr(split + 1), text));
  }
  return shapes;
}

Result<Inputs> make_inputs(const Executable& executable, const InputOptions& options) {
  HONE_TRY(auto values, parse_values(options.values, executable));
  HONE_TRY(ShapeMap shapes, parse_shapes(options.shapes, executable));
  std::map<std::string, eval::Tensor> read;
  for (const PortSpec& port : executable.inputs) {
    auto given = values.find(port.name);
    if (given == values.end() || given->second.number) continue;
    HONE_TRY(ir::DType dtype, dtype_of(port));
    HONE_TRY(read[port.name], read_input(port, dtype, given->second.text));
    shapes[port.name] = read[port.name].shape;
  }
  HONE_TRY(SolvedShapes solved, solve_shapes(executable, shapes));

  Inputs inputs;
  if (!solved.assumed.empty()) inputs.notes.push_back(assumption_text(solved));
  for (size_t k = 0; k < executable.inputs.size(); ++k) {
    const PortSpec& port = executable.inputs[k];
    if (auto found = read.find(port.name); found != read.end()) {
      inputs.tensors.push_back(std::move(found->second));
      continue;
    }
    HONE_TRY(ir::DType dtype, dtype_of(port));
    HONE_PASS(check_size(port, dtype, solved.shapes[k]));
    eval::Tensor tensor = eval::zeros(dtype, solved.shapes[k]);
    auto given = values.find(port.name);
    if (given != values.end() && ir::is_storage(dtype))
      return error("input '{}' is {}; a file with its bits as u8 would work", port.name, port.dtype);
    if (given != values.end())
      tensor =
          eval::filled(dtype, tensor.shape,
                       std::vector<double>(static_cast<size_t>(eval::count_of(tensor.shape)), *given->second.number));
    else
      fill_randomly(tensor, Rng(mix(options.seed) + k));
    inputs.tensors.push_back(std::move(tensor));
  }
  return inputs;
}

}  // namespace hone::tools
