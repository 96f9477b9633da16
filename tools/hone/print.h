// How figures are shown: aligned tables, bytes and times in units that people read.
#pragma once

#include <string>
#include <vector>

#include "runtime/executable.h"

namespace hone::tools {

enum class Align { Left, Right };

struct Column {
  std::string title;
  Align align = Align::Left;
  size_t most = 60;  // longer texts are cut
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> row);  // one text per column
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// "model      demo.onnx": a name, and what is to be said about it, in one column.
void print_fact(const std::string& name, const std::string& text);

std::string bytes_text(double bytes);                       // "1.2 MiB"
std::string seconds_text(double seconds);                   // "1.23 ms"
std::string port_text(const runtime::PortSpec& port);       // "image: f32[1, 3, 64, 64]"
std::string shape_text(const std::vector<int64_t>& shape);  // "[1, 3]"

}  // namespace hone::tools
