#include "hone/print.h"

#include <algorithm>

namespace hone::tools {
namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

size_t width_of(const std::string& text) {
  return text.size() - static_cast<size_t>(std::count_if(text.begin(), text.end(), continues_character));
}

std::string cut(const std::string& text, size_t most) {
  if (width_of(text) <= most) return text;
  std::string result;
  size_t width = 0;
  for (char c : text) {
    width += !continues_character(c);
    if (width == most) break;
    result += c;
  }
  return result + "…";
}

std::string padded(const std::string& text, size_t width, Align align) {
  std::string space(width - std::min(width, width_of(text)), ' ');
  return align == Align::Left ? text + space : space + text;
}

}  // namespace

void Table::add(std::vector<std::string> row) {
  HONE_CHECK(row.size() == columns_.size(), "{} texts for {} columns", row.size(), columns_.size());
  for (size_t c = 0; c < row.size(); ++c) row[c] = cut(row[c], columns_[c].most);
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  std::vector<std::vector<std::string>> lines = {{}};
  for (const Column& column : columns_) lines[0].push_back(column.title);
  lines.insert(lines.end(), rows_.begin(), rows_.end());
  std::vector<size_t> widths(columns_.size());
  for (const auto& line : lines)
    for (size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], width_of(line[c]));
  std::string text;
  for (const auto& line : lines) {
    std::string row;
    for (size_t c = 0; c < line.size(); ++c)
      row += (c == 0 ? "" : "  ") + padded(line[c], widths[c], columns_[c].align);
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + '\n';
  }
  return text;
}

void print_fact(const std::string& name, const std::string& text) {
  fmt::print("{:<11} {}\n", name, text);
}

std::string bytes_text(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit < 3; ++unit) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3f} ms", seconds * 1e3);
  return fmt::format("{:.3f} us", seconds * 1e6);
}

std::string port_text(const runtime::PortSpec& port) {
  return fmt::format("{}: {}[{}]", port.name, port.dtype, fmt::join(port.shape_text, ", "));
}

std::string shape_text(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace hone::tools
