// Any text is read or refused by the reader of each representation. What is read prints as a text that reads back the
// same; a graph gets its plans too.
#include "base/hash.h"
#include "fuzz/holds.h"
#include "ir/loop/loop.h"
#include "ir/text/constants.h"
#include "pipeline/read_graph.h"

namespace hone {
namespace {

// Large constants print as their hash; who reads them back must hold the bytes.
using Constants = std::map<uint64_t, ir::ConstantData>;

void keep(const std::optional<ir::ConstantData>& constant, Constants& constants) {
  if (!constant) return;
  std::string_view bytes(reinterpret_cast<const char*>(constant->data), constant->bytes);
  constants.emplace(hash_bytes(bytes), *constant);
}

void keep(const ir::Program& program, Constants& constants) {
  for (const ir::Value& value : program.values) keep(value.constant, constants);
  for (const ir::Op& op : program.ops)
    for (const ir::Program& body : op.bodies) keep(body, constants);
}

void keep(const ir::KernelGraph& graph, Constants& constants) {
  for (const ir::Edge& edge : graph.edges) keep(edge.constant, constants);
}

template <typename T, typename Parse, typename Print>
void check_reading_back(const T& read, Parse parse, Print print) {
  std::string text = print(read);
  Result<T> again = parse(text);
  fuzz::holds(again.ok(), again.ok() ? "" : again.problem().message + "\n" + text);
  std::string second = print(*again);
  fuzz::holds(second == text, "reads back the same:\n" + text + "\n" + second);
}

// For texts that may name constants.
template <typename T>
void try_with_constants(std::string_view source,
                        Result<T> (*parse)(std::string_view, const ir::text::ConstantProvider&)) {
  Result<T> read = parse(source, {});
  if (!read) return;
  (void)ir::validate(*read).ok();
  Constants constants;
  keep(*read, constants);
  auto provider = [&](uint64_t hash) -> std::optional<ir::ConstantData> {
    auto found = constants.find(hash);
    return found == constants.end() ? std::nullopt : std::optional(found->second);
  };
  check_reading_back(
      *read, [&](const std::string& text) { return parse(text, provider); },
      [](const T& value) { return ir::text_of(value); });
}

template <typename T, typename Print>
void try_plain(std::string_view source, Result<T> (*parse)(std::string_view), Print print) {
  if (Result<T> read = parse(source)) check_reading_back(*read, parse, print);
}

}  // namespace
}  // namespace hone

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hone;
  std::string_view source(reinterpret_cast<const char*>(data), size);
  try_with_constants<ir::Program>(source, ir::text::parse_program);
  try_with_constants<ir::KernelGraph>(source, ir::text::parse_kernel_graph);
  try_plain<ir::Kernel>(source, ir::parse_kernel, [](const ir::Kernel& kernel) {
    (void)ir::validate(kernel).ok();
    return ir::text_of(kernel);
  });
  try_plain<ir::KernelPlan>(source, ir::parse_kernel_plan,
                            [](const ir::KernelPlan& plan) { return ir::text_of(plan, "k"); });
  try_plain<ir::loop::Function>(source, ir::loop::parse_function, [](const ir::loop::Function& function) {
    (void)ir::loop::validate(function).ok();
    return ir::loop::text_of(function);
  });
  (void)pipeline::read_graph(source, {}, target::Target{}).ok();
  return 0;
}
