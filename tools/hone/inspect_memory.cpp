#include "hone/inspect_memory.h"

#include "hone/print.h"
#include "hone/shapes.h"
#include "runtime/formula.h"
#include "runtime/plan/shape_plan.h"
#include "target/cores.h"

namespace hone::tools {
namespace {

using runtime::BufferSpec;
using runtime::Executable;

std::string kind_of(const Executable& executable, const BufferSpec& buffer) {
  switch (buffer.kind) {
    case BufferSpec::Kind::Input:
      return "input";
    case BufferSpec::Kind::Output:
      return "output";
    case BufferSpec::Kind::Constant:
      return "constant";
    case BufferSpec::Kind::Arena:
      return "arena";
    case BufferSpec::Kind::Alias:
      return "alias of " + executable.buffers[static_cast<size_t>(buffer.number)].name;
  }
  return "";
}

}  // namespace

Result<MemoryMap> map_memory(const Executable& executable, const InputOptions& options, int threads) {
  HONE_TRY(ShapeMap given, parse_shapes(options.shapes, executable));
  HONE_TRY(SolvedShapes solved, solve_shapes(executable, given));
  std::vector<hone_kernel_fn> no_code(executable.functions.size());
  HONE_TRY(runtime::Schedule schedule, runtime::make_schedule(executable, no_code));
  int workers = threads > 0 ? threads : target::available_cores();
  HONE_TRY(runtime::ShapePlan plan, runtime::make_shape_plan(executable, schedule, solved.symbols, workers));
  MemoryMap map;
  map.weight_bytes = static_cast<int64_t>(executable.weight_bytes);
  map.arena_bytes = plan.arena_bytes;
  map.buffer_bytes = plan.scratch_begin;
  map.scratch_bytes = plan.arena_bytes - plan.scratch_begin;
  if (!solved.assumed.empty()) map.notes.push_back(assumption_text(solved));
  for (size_t k = 0; k < executable.buffers.size(); ++k) {
    MappedBuffer& buffer = map.buffers.emplace_back();
    buffer.name = executable.buffers[k].name;
    buffer.kind = kind_of(executable, executable.buffers[k]);
    HONE_TRY(buffer.bytes, runtime::evaluate(executable.buffers[k].bytes, solved.symbols));
    buffer.offset = plan.offsets[k];
    buffer.first = schedule.first_use[k];
    buffer.last = schedule.last_use[k];
  }
  return map;
}

std::string memory_text(const MemoryMap& map) {
  Table table({{"buffer", Align::Left, 48},
               {"kind", Align::Left, 48},
               {"bytes", Align::Right},
               {"offset", Align::Right},
               {"alive in steps", Align::Right}});
  for (const MappedBuffer& buffer : map.buffers) {
    bool placed = buffer.kind == "arena";
    table.add({buffer.name, buffer.kind, std::to_string(buffer.bytes), placed ? std::to_string(buffer.offset) : "",
               buffer.first <= buffer.last ? fmt::format("{}..{}", buffer.first, buffer.last) : ""});
  }
  std::string text = table.text();
  for (const std::string& note : map.notes) text += "note: " + note + "\n";
  return text + fmt::format("weights {}, arena {} (buffers {}, scratch of all threads {})\n",
                            bytes_text(static_cast<double>(map.weight_bytes)),
                            bytes_text(static_cast<double>(map.arena_bytes)),
                            bytes_text(static_cast<double>(map.buffer_bytes)),
                            bytes_text(static_cast<double>(map.scratch_bytes)));
}

nlohmann::ordered_json memory_json(const MemoryMap& map) {
  auto buffers = nlohmann::ordered_json::array();
  for (const MappedBuffer& buffer : map.buffers)
    buffers.push_back({{"name", buffer.name},
                       {"kind", buffer.kind},
                       {"bytes", buffer.bytes},
                       {"offset", buffer.offset},
                       {"first", buffer.first},
                       {"last", buffer.last}});
  return {
      {"weights", map.weight_bytes}, {"arena", map.arena_bytes}, {"scratch", map.scratch_bytes}, {"buffers", buffers}};
}

}  // namespace hone::tools
