#include "codegen/llvm/assembly_blocks.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>

namespace hone::codegen {
namespace {

bool ends_flow(std::string_view line) {
  return line.starts_with("jmp") || line.starts_with("ret") || line.starts_with("ud2");
}

std::string target_of(std::string_view jump) {
  const size_t space = jump.find_first_of(" \t");
  if (space == std::string_view::npos) return {};
  return std::string(jump.substr(jump.find_first_not_of(" \t", space)));
}

// Strongly connected parts of a graph (Tarjan), without those of one block that does not follow itself. A part with an
// entry is entered there: edges back to it do not count any more.
class Cycles {
 public:
  Cycles(const std::vector<AssemblyBlock>& blocks, const std::set<size_t>& inside, const std::set<size_t>& entries)
      : blocks_(blocks), inside_(inside), entries_(entries) {
    for (size_t block : inside)
      if (!number_.contains(block)) visit(block);
  }

  std::vector<std::set<size_t>> found;

 private:
  bool counts(size_t to) const { return inside_.contains(to) && !entries_.contains(to); }

  void visit(size_t block) {
    number_[block] = lowest_[block] = number_.size();
    stack_.push_back(block);
    for (size_t to : blocks_[block].next) {
      if (!counts(to)) continue;
      if (!number_.contains(to)) {
        visit(to);
        lowest_[block] = std::min(lowest_[block], lowest_[to]);
      } else if (std::find(stack_.begin(), stack_.end(), to) != stack_.end()) {
        lowest_[block] = std::min(lowest_[block], number_[to]);
      }
    }
    if (lowest_[block] != number_[block]) return;
    std::set<size_t> part;
    size_t member = 0;
    do {
      member = stack_.back();
      stack_.pop_back();
      part.insert(member);
    } while (member != block);
    const auto& next = blocks_[block].next;
    const bool follows_itself = counts(block) && std::find(next.begin(), next.end(), block) != next.end();
    if (part.size() > 1 || follows_itself) found.push_back(std::move(part));
  }

  const std::vector<AssemblyBlock>& blocks_;
  const std::set<size_t>& inside_;
  const std::set<size_t>& entries_;
  std::map<size_t, size_t> number_, lowest_;
  std::vector<size_t> stack_;
};

size_t entry_of(const std::vector<AssemblyBlock>& blocks, const std::set<size_t>& part) {
  for (size_t from = 0; from < blocks.size(); ++from) {
    if (part.contains(from)) continue;
    for (size_t to : blocks[from].next)
      if (part.contains(to)) return to;
  }
  return *part.begin();
}

void collect(const std::vector<AssemblyBlock>& blocks, const std::set<size_t>& inside, const std::set<size_t>& entries,
             std::vector<std::vector<size_t>>& innermost) {
  for (const std::set<size_t>& part : Cycles(blocks, inside, entries).found) {
    const size_t entry = entry_of(blocks, part);
    std::set<size_t> entered = entries;
    entered.insert(entry);
    const size_t before = innermost.size();
    collect(blocks, part, entered, innermost);
    if (innermost.size() > before) continue;
    std::vector<size_t> loop = {entry};
    for (size_t block : part)
      if (block != entry) loop.push_back(block);
    innermost.push_back(std::move(loop));
  }
}

}  // namespace

std::vector<AssemblyBlock> blocks_of(const std::vector<std::string>& lines) {
  std::vector<AssemblyBlock> blocks(1);
  std::map<std::string, size_t> labels;
  for (const std::string& line : lines) {
    if (line.ends_with(':')) {
      if (!blocks.back().lines.empty() || !blocks.back().label.empty()) blocks.emplace_back();
      blocks.back().label = line.substr(0, line.size() - 1);
      labels[blocks.back().label] = blocks.size() - 1;
      continue;
    }
    blocks.back().lines.push_back(line);
    if (line.starts_with('j') || ends_flow(line)) blocks.emplace_back();
  }
  for (size_t k = 0; k < blocks.size(); ++k) {
    const std::string last = blocks[k].lines.empty() ? "" : blocks[k].lines.back();
    if (!ends_flow(last) && k + 1 < blocks.size()) blocks[k].next.push_back(k + 1);
    if (!last.starts_with('j')) continue;
    if (auto found = labels.find(target_of(last)); found != labels.end()) blocks[k].next.push_back(found->second);
  }
  return blocks;
}

std::vector<std::vector<size_t>> innermost_cycles(const std::vector<AssemblyBlock>& blocks) {
  std::set<size_t> all;
  for (size_t k = 0; k < blocks.size(); ++k) all.insert(k);
  std::vector<std::vector<size_t>> innermost;
  collect(blocks, all, {}, innermost);
  std::sort(innermost.begin(), innermost.end());
  return innermost;
}

}  // namespace hone::codegen
