// TensorProto → type and bytes, without a copy where the bytes already lie as a constant needs them.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "ir/program/program.h"
#include "onnx.pb.h"

namespace hone::import {

struct Tensor {
  ir::TensorType type;  // all dimensions are numbers
  ir::ConstantData data;
};

// The element type of an ONNX tensor, or a refusal that names it.
Result<ir::DType> dtype_of(int onnx_type);

// A regular file, mapped; `what` names it in the refusal.
Result<ir::ConstantData> map_file(const std::filesystem::path& path, const std::string& what);

// Files of external data, each mapped once. Only regular files inside the model's folder are opened.
class ExternalFiles {
 public:
  explicit ExternalFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Result<ir::ConstantData> find(const onnx::TensorProto& tensor, size_t bytes);

 private:
  Result<ir::ConstantData> map(const std::string& location);
  std::filesystem::path folder_;
  std::map<std::string, ir::ConstantData> mapped_;
};

// `owner` keeps the message alive.
Result<Tensor> read_tensor(const onnx::TensorProto& proto, const std::shared_ptr<const void>& owner,
                           ExternalFiles& files);

// A constant that owns a copy of the bytes.
ir::ConstantData owned(std::vector<std::byte> bytes);

// The elements as numbers; nothing for storage types or more than `most` elements.
std::optional<std::vector<double>> numbers_of(const ir::TensorType& type, const ir::ConstantData& data, size_t most);
// Integers and booleans exactly; nothing for other types or more than `most` elements.
std::optional<std::vector<int64_t>> integers_of(const ir::TensorType& type, const ir::ConstantData& data, size_t most);

// Numbers laid down as elements of a type that is no storage type.
ir::ConstantData constant_of(ir::DType type, const std::vector<double>& values);
ir::ConstantData constant_of(ir::DType type, const std::vector<int64_t>& values);

}  // namespace hone::import
