// Any bytes as a .hone file, and as a Program: what is read prints, and reads again as the same.
#include "ir/program/program.h"
#include "pipeline/read_graph.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)hone::pipeline::read_graph(text, {}, hone::target::Target{});
  auto program = hone::ir::parse_program(text);
  if (!program.ok()) return 0;
  std::string printed = hone::ir::text_of(*program);
  auto again = hone::ir::parse_program(printed);
  // Large constants print as their hash, which only a reader that has them can take.
  if (again.ok()) HONE_CHECK(hone::ir::text_of(*again) == printed, "{}", printed);
  return 0;
}
