#include "hone/hone.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/toy_artefact.h"

namespace hone::runtime {
namespace {

// The message, and frees the status.
std::string message_of(hone_status* status) {
  std::string message = hone_status_message(status);
  hone_status_free(status);
  return message;
}

hone_tensor floats(std::vector<float>& values, const std::vector<int64_t>& shape) {
  return {HONE_F32, static_cast<int32_t>(shape.size()), shape.data(), values.data(), values.size() * 4};
}

class CApi : public ToyArtefact {
 protected:
  void SetUp() override {
    ToyArtefact::SetUp();
    std::string library = build("adder", adder());
    hone_options* options = hone_options_create();
    hone_options_set_threads(options, 2);
    ASSERT_EQ(message_of(hone_session_load(library.c_str(), options, &session_)), "");
    hone_options_free(options);
  }
  void TearDown() override {
    hone_session_free(session_);
    ToyArtefact::TearDown();
  }

  hone_session* session_ = nullptr;
  std::vector<float> x_ = {1, 2, 3, 4};
  std::vector<int64_t> shape_ = {4};
};

TEST_F(CApi, DescribesTheModel) {
  EXPECT_EQ(hone_abi_version(), static_cast<uint32_t>(HONE_ABI_VERSION));
  EXPECT_STREQ(hone_session_model_name(session_), "adder");
  EXPECT_STREQ(hone_session_isa(session_), "x86-64");
  EXPECT_EQ(hone_session_threads(session_), 2);
  ASSERT_EQ(hone_session_input_count(session_), 1u);
  const hone_port* input = hone_session_input(session_, 0);
  EXPECT_STREQ(input->name, "x");
  EXPECT_EQ(input->dtype, HONE_F32);
  ASSERT_EQ(input->rank, 1);
  EXPECT_EQ(input->shape[0], -1);
  EXPECT_STREQ(input->shape_text[0], "n");
  EXPECT_EQ(hone_session_input(session_, 1), nullptr);
  EXPECT_STREQ(hone_session_output(session_, 0)->name, "y");
}

TEST_F(CApi, RunsIntoMemoryOfEitherSide) {
  hone_tensor input = floats(x_, shape_);
  hone_tensors* outputs = nullptr;
  ASSERT_EQ(message_of(hone_session_run(session_, &input, 1, &outputs)), "");
  ASSERT_EQ(hone_tensors_count(outputs), 1u);
  const hone_tensor* y = hone_tensors_get(outputs, 0);
  EXPECT_EQ(y->rank, 1);
  EXPECT_EQ(y->shape[0], 4);
  EXPECT_EQ(y->bytes, 16u);
  std::vector<float> expected = {4, 6, 8, 7};
  EXPECT_EQ(std::memcmp(y->data, expected.data(), 16), 0);
  hone_tensors_free(outputs);

  std::vector<float> own(4);
  hone_tensor output = floats(own, shape_);
  ASSERT_EQ(message_of(hone_session_run_into(session_, &input, 1, &output, 1)), "");
  EXPECT_EQ(own, expected);

  input.data = nullptr;
  ASSERT_EQ(message_of(hone_session_output_shapes(session_, &input, 1, &outputs)), "");
  EXPECT_EQ(hone_tensors_get(outputs, 0)->bytes, 16u);
  EXPECT_EQ(hone_tensors_get(outputs, 0)->data, nullptr);
  hone_tensors_free(outputs);
}

TEST_F(CApi, ErrorsBelongToTheCall) {
  hone_tensors* outputs = nullptr;
  hone_tensor input = floats(x_, shape_);
  input.bytes = 15;
  hone_status* status = hone_session_run(session_, &input, 1, &outputs);
  EXPECT_EQ(hone_status_code(status), HONE_INVALID);
  EXPECT_EQ(message_of(status), "input 'x' of type f32 and shape [4] comes with only 15 bytes");
  input = floats(x_, shape_);
  input.dtype = 77;
  EXPECT_EQ(message_of(hone_session_run(session_, &input, 1, &outputs)), "input 'x' has the unknown element type 77");
  std::vector<int64_t> matrix = {2, 2};
  input = floats(x_, matrix);
  EXPECT_EQ(message_of(hone_session_run(session_, &input, 1, &outputs)),
            "input 'x' must be f32[n], got f32[2, 2]: rank 2 instead of 1");
  EXPECT_EQ(message_of(hone_session_run(session_, nullptr, 0, &outputs)), "model 'adder' takes 1 inputs, got 0");
  EXPECT_EQ(outputs, nullptr);
  EXPECT_EQ(hone_status_code(nullptr), HONE_OK);
  hone_session* other = nullptr;
  EXPECT_NE(message_of(hone_session_load(path("absent.so").c_str(), nullptr, &other)), "");
  EXPECT_EQ(other, nullptr);
}

TEST_F(CApi, ProfilesAsJson) {
  hone_tensor input = floats(x_, shape_);
  char* json = nullptr;
  ASSERT_EQ(message_of(hone_session_profile(session_, &input, 1, 3, &json)), "");
  std::string text = json;
  hone_text_free(json);
  EXPECT_NE(text.find("\"function\": \"add_kernel\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"rounds\": 3"), std::string::npos) << text;
  EXPECT_NE(message_of(hone_session_profile(session_, &input, 1, 0, &json)), "");
}

TEST_F(CApi, OpensCompiledModelsAndRefusesOtherFiles) {
  hone_session* again = nullptr;
  ASSERT_EQ(message_of(hone_session_open(path("adder.so").c_str(), nullptr, &again)), "");
  hone_session_free(again);
  hone_session* none = nullptr;
  const char junk[] = "this is no model";
  EXPECT_NE(message_of(hone_session_open_bytes(junk, sizeof(junk), nullptr, &none)), "");
  EXPECT_NE(message_of(hone_session_open(path("absent.onnx").c_str(), nullptr, &none)), "");
  EXPECT_EQ(none, nullptr);
}

TEST(CApiTypes, HaveNamesAndSizes) {
  EXPECT_STREQ(hone_dtype_name(HONE_BF16), "bf16");
  EXPECT_EQ(hone_dtype_size(HONE_I64), 8u);
  EXPECT_STREQ(hone_dtype_name(HONE_F8E4M3FN), "f8e4m3fn");
  EXPECT_STREQ(hone_dtype_name(HONE_U2), "u2");
  EXPECT_EQ(hone_dtype_size(HONE_I4), 1u);
  EXPECT_EQ(hone_dtype_name(0), nullptr);
  EXPECT_EQ(hone_dtype_size(99), 0u);
}

}  // namespace
}  // namespace hone::runtime
