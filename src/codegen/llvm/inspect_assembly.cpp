#include "codegen/llvm/inspect_assembly.h"

#include <algorithm>
#include <string_view>

#include "codegen/llvm/assembly_blocks.h"

namespace hone::codegen {
namespace {

struct Line {
  std::string text;    // instruction without comment, or a label with its colon
  std::string symbol;  // function it is in
};

std::string_view trim(std::string_view s) {
  const auto first = s.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(" \t") - first + 1);
}

bool is_label(std::string_view line) {
  return line.ends_with(':');
}

bool starts_with_any(std::string_view s, std::initializer_list<std::string_view> prefixes) {
  for (std::string_view p : prefixes)
    if (s.starts_with(p)) return true;
  return false;
}

std::vector<Line> lines_of(const std::string& assembly) {
  std::vector<Line> lines;
  std::string symbol;
  size_t begin = 0;
  while (begin < assembly.size()) {
    const size_t end = std::min(assembly.find('\n', begin), assembly.size());
    std::string_view line(assembly.data() + begin, end - begin);
    begin = end + 1;
    line = trim(line.substr(0, line.find('#')));
    if (line.empty() || (line.starts_with('.') && !is_label(line))) continue;
    if (is_label(line) && !line.starts_with(".L")) symbol = line.substr(0, line.size() - 1);
    lines.push_back({std::string(line), symbol});
  }
  return lines;
}

std::string_view mnemonic(std::string_view line) {
  return line.substr(0, line.find_first_of(" \t"));
}

std::string_view operands(std::string_view line) {
  const auto space = line.find_first_of(" \t");
  return space == std::string_view::npos ? std::string_view{} : trim(line.substr(space));
}

// Where the last operand begins: commas inside parentheses do not count.
size_t last_operand(std::string_view all) {
  int depth = 0;
  size_t last = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i] == '(') ++depth;
    if (all[i] == ')') --depth;
    if (all[i] == ',' && depth == 0) last = i + 1;
  }
  return last;
}

void count(AssemblyLoop& loop, std::string_view line, bool framed) {
  ++loop.instructions;
  loop.lines.emplace_back(line);
  const std::string_view name = mnemonic(line), all = operands(line);
  if (starts_with_any(name, {"vfmadd", "vfnmadd", "vfmsub", "vfnmsub"})) ++loop.fmas;
  const auto memory = all.find('(');
  if (memory == std::string_view::npos || starts_with_any(name, {"lea", "nop", "prefetch"})) return;
  const bool on_stack = all.find("(%rsp") != std::string_view::npos;
  if (on_stack || (framed && all.find("(%rbp") != std::string_view::npos)) ++loop.stack_accesses;
  const size_t destination = last_operand(all);
  const bool writes = destination > 0 && all.find('(', destination) != std::string_view::npos &&
                      !starts_with_any(name, {"cmp", "test"});
  ++(writes ? loop.stores : loop.loads);
}

}  // namespace

std::vector<AssemblyLoop> innermost_loops(const std::string& assembly) {
  std::vector<std::pair<std::string, std::vector<std::string>>> functions;
  for (const Line& line : lines_of(assembly)) {
    if (functions.empty() || functions.back().first != line.symbol) functions.push_back({line.symbol, {}});
    functions.back().second.push_back(line.text);
  }
  std::vector<AssemblyLoop> loops;
  for (const auto& [symbol, lines] : functions) {
    // %rbp holds the frame in functions that set it so; elsewhere it is a register like any other.
    const bool framed = std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
      return mnemonic(line) == "movq" && operands(line) == "%rsp, %rbp";
    });
    const std::vector<AssemblyBlock> blocks = blocks_of(lines);
    for (const std::vector<size_t>& cycle : innermost_cycles(blocks)) {
      AssemblyLoop loop;
      loop.function = symbol;
      loop.label = blocks[cycle[0]].label;
      for (size_t block : cycle)
        for (const std::string& line : blocks[block].lines) count(loop, line, framed);
      loops.push_back(std::move(loop));
    }
  }
  return loops;
}

}  // namespace hone::codegen
