// Text form of a Target and of Figures: "field = value" lines.
#include <charconv>
#include <map>

#include "target/target.h"

namespace hone::target {

namespace {

using Lines = std::map<std::string, std::string, std::less<>>;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

Result<Lines> split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (trimmed(line).empty()) continue;
    size_t equals = line.find('=');
    if (equals == std::string_view::npos) return error("target line '{}' has no '='", line);
    lines[std::string(trimmed(line.substr(0, equals)))] = trimmed(line.substr(equals + 1));
  }
  return lines;
}

Result<std::string> take(Lines& lines, const char* field) {
  auto found = lines.find(field);
  if (found == lines.end()) return error("target has no line '{} = …'", field);
  std::string value = found->second;
  lines.erase(found);
  return value;
}

template <typename Number>
Status take_number(Lines& lines, const char* field, Number& into) {
  HONE_TRY(std::string text, take(lines, field));
  auto parsed = std::from_chars(text.data(), text.data() + text.size(), into);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || !(into >= 0))
    return error("target line '{} = {}' needs a number that is not negative", field, text);
  return Done{};
}

Status take_figures(Lines& lines, Figures& into) {
  for (const FigureInfo& figure : all_figures()) HONE_PASS(take_number(lines, figure.name, into.*figure.value));
  return Done{};
}

}  // namespace

std::string text_of(const Target& t) {
  return fmt::format(
             "name = {}\nisa = {}\nvector_bits = {}\nvector_registers = {}\nl1_bytes = {}\nl2_bytes = {}\nl3_bytes "
             "= {}\n"
             "cores = {}\n",
             t.name, name_of(t.isa), t.vector_bits, t.vector_registers, t.l1_bytes, t.l2_bytes, t.l3_bytes, t.cores) +
         text_of(t.figures);
}

Result<Target> parse_target(std::string_view text) {
  HONE_TRY(Lines lines, split(text));
  Target target;
  HONE_TRY(target.name, take(lines, "name"));
  HONE_TRY(std::string isa, take(lines, "isa"));
  HONE_TRY(target.isa, isa_named(isa));
  HONE_PASS(take_number(lines, "vector_bits", target.vector_bits));
  HONE_PASS(take_number(lines, "vector_registers", target.vector_registers));
  HONE_PASS(take_number(lines, "l1_bytes", target.l1_bytes));
  HONE_PASS(take_number(lines, "l2_bytes", target.l2_bytes));
  HONE_PASS(take_number(lines, "l3_bytes", target.l3_bytes));
  HONE_PASS(take_number(lines, "cores", target.cores));
  HONE_PASS(take_figures(lines, target.figures));
  if (!lines.empty()) return error("target has no field '{}'", lines.begin()->first);
  return target;
}

std::string text_of(const Figures& figures) {
  std::string text;
  for (const FigureInfo& figure : all_figures()) text += fmt::format("{} = {}\n", figure.name, figures.*figure.value);
  return text;
}

Result<Figures> parse_figures(std::string_view text) {
  HONE_TRY(Lines lines, split(text));
  Figures figures;
  HONE_PASS(take_figures(lines, figures));
  if (!lines.empty()) return error("there is no figure '{}'", lines.begin()->first);
  return figures;
}

}  // namespace hone::target
