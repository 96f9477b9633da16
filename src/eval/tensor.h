// Tensor: dense row-major elements with run-time sizes; what evaluation takes and gives.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "base/result.h"
#include "ir/program/program.h"

namespace hone::eval {

struct Tensor {
  ir::DType dtype = ir::DType::F32;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;
};

int64_t count_of(const std::vector<int64_t>& shape);  // product of the sizes
std::string text_of(const std::vector<int64_t>& shape);

Tensor zeros(ir::DType dtype, std::vector<int64_t> shape);
Tensor tensor_of(ir::DType dtype, std::vector<int64_t> shape, const ir::ConstantData& data);
// Element as a double and back; a value that the type cannot hold saturates or rounds as a cast does.
double element(const Tensor& tensor, int64_t number);
void set_element(Tensor& tensor, int64_t number, double value);
// Values converted to the type, one per element.
Tensor filled(ir::DType dtype, std::vector<int64_t> shape, const std::vector<double>& values);
std::vector<double> values_of(const Tensor& tensor);

}  // namespace hone::eval
