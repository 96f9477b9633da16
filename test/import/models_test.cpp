// Whole models, where the weight-free ones of the project's neighbour folder are at hand: their weights are made zero.
#include <filesystem>
#include <fstream>

#include "model_builder.h"

namespace hone::import {
namespace {

namespace fs = std::filesystem;

void fill_weights(onnx::GraphProto& graph) {
  for (onnx::TensorProto& tensor : *graph.mutable_initializer()) {
    if (tensor.doc_string().empty()) continue;
    size_t count = 1;
    for (int64_t dim : tensor.dims()) count *= static_cast<size_t>(dim);
    tensor.set_raw_data(std::string(count * sizeof(float), '\0'));
  }
}

TEST(Models, AreImported) {
  fs::path folder = fs::path(HONE_SOURCE_DIR).parent_path() / "shared" / "models";
  if (!fs::exists(folder)) GTEST_SKIP() << "no models at " << folder;
  for (const char* name : {"bert_tiny", "mobilenet_v2", "efficientnet_b0", "mirage_gqa_b1", "mirage_qknorm_b1"}) {
    std::ifstream stream(folder / (std::string(name) + ".skeleton.onnx"), std::ios::binary);
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromIstream(&stream)) << name;
    fill_weights(*model.mutable_graph());
    std::string bytes = model.SerializeAsString();
    auto program = import_model(std::as_bytes(std::span(bytes.data(), bytes.size())));
    ASSERT_TRUE(program.ok()) << name << ": " << program.problem().message;
    auto valid = ir::validate(*program);
    EXPECT_TRUE(valid.ok()) << name << ": " << valid.problem().message;
  }
}

}  // namespace
}  // namespace hone::import
