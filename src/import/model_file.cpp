#include "import/model_file_internal.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <optional>

#include "import/tensor_internal.h"

namespace hone::import {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

constexpr size_t kMostBytes = INT32_MAX;  // of one protobuf message
constexpr int64_t kMostNodes = 1'000'000;

Status check_bytes(const std::string& what, size_t bytes) {
  if (bytes <= kMostBytes) return Done{};
  return error("{} has {} bytes; below 2 GiB with external data would work", what, bytes);
}

// Counts nodes in the bytes of a message: parsed, each takes ten times as much memory. Where the bytes are no message it
// stops, and leaves it to the parser to say so.
class NodeCount {
 public:
  explicit NodeCount(std::span<const std::byte> bytes)
      : in_(reinterpret_cast<const uint8_t*>(bytes.data()), static_cast<int>(bytes.size())) {
    look_into(Level::Model);
  }
  bool too_many() const { return nodes_ > kMostNodes; }

 private:
  enum class Level { Model, Graph, Function, Node, Attribute };

  static std::optional<Level> inner(Level level, int field) {
    struct Way {
      Level from;
      int field;
      Level to;
    };
    static constexpr Way ways[] = {
        {Level::Model, onnx::ModelProto::kGraphFieldNumber, Level::Graph},
        {Level::Model, onnx::ModelProto::kFunctionsFieldNumber, Level::Function},
        {Level::Graph, onnx::GraphProto::kNodeFieldNumber, Level::Node},
        {Level::Function, onnx::FunctionProto::kNodeFieldNumber, Level::Node},
        {Level::Node, onnx::NodeProto::kAttributeFieldNumber, Level::Attribute},
        {Level::Attribute, onnx::AttributeProto::kGFieldNumber, Level::Graph},
        {Level::Attribute, onnx::AttributeProto::kGraphsFieldNumber, Level::Graph},
    };
    for (const Way& way : ways)
      if (way.from == level && way.field == field) return way.to;
    return std::nullopt;
  }

  bool look_into(Level level) {
    nodes_ += level == Level::Node;
    if (too_many()) return false;
    while (uint32_t tag = in_.ReadTag()) {
      auto next = inner(level, WireFormatLite::GetTagFieldNumber(tag));
      if (!next || WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
        if (!WireFormatLite::SkipField(&in_, tag)) return false;
        continue;
      }
      uint32_t length = 0;
      if (!in_.ReadVarint32(&length)) return false;
      // The parser goes as deep as this and no deeper.
      auto [outer, depth_left] = in_.IncrementRecursionDepthAndPushLimit(static_cast<int>(length));
      if (depth_left < 0 || !look_into(*next) || !in_.DecrementRecursionDepthAndPopLimit(outer)) return false;
    }
    return true;
  }

  CodedInputStream in_;
  int64_t nodes_ = 0;
};

}  // namespace

Result<ir::ConstantData> map_model(const std::filesystem::path& file) {
  std::string what = fmt::format("'{}'", file.string());
  std::error_code failed;
  auto bytes = std::filesystem::file_size(file, failed);  // fails for what map_file refuses
  if (!failed) HONE_PASS(check_bytes(what, bytes));
  return map_file(file, what);
}

Result<std::shared_ptr<const onnx::ModelProto>> parse_model(std::span<const std::byte> bytes) {
  HONE_PASS(check_bytes("the model", bytes.size()));
  if (NodeCount(bytes).too_many()) return error("the model has more than {} nodes", kMostNodes);
  auto model = std::make_shared<onnx::ModelProto>();
  if (!model->ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return error("the bytes are not an ONNX model, or only a part of one");
  if (!model->has_graph()) return error("the file holds no ONNX graph");
  return std::shared_ptr<const onnx::ModelProto>(std::move(model));
}

}  // namespace hone::import
