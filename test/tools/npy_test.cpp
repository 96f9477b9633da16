#include "hone/npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "hone/process.h"

namespace hone::tools {
namespace {

class Npy : public testing::Test {
 protected:
  Npy() : folder_(std::move(TemporaryFolder::make()).value()) {}
  std::filesystem::path file(const char* name = "x.npy") const { return folder_.path() / name; }

  // A file of version 1 with this header and so many bytes of data.
  std::string refused(const std::string& header, size_t data_bytes) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 255);
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header + std::string(data_bytes, '\0');
    return refused(bytes);
  }
  std::string refused(const std::string& bytes) {
    std::ofstream(file(), std::ios::binary) << bytes;
    auto tensor = read_npy(file());
    return tensor.ok() ? "taken" : tensor.problem().message;
  }

  TemporaryFolder folder_;
};

TEST_F(Npy, WritesWhatItReads) {
  using ir::DType;
  for (DType type : {DType::F32, DType::F64, DType::F16, DType::I8, DType::I16, DType::I32, DType::I64, DType::U8,
                     DType::U16, DType::U32, DType::U64, DType::Bool})
    for (const std::vector<int64_t>& shape : std::vector<std::vector<int64_t>>{{}, {1}, {2, 3}, {0, 4}, {1, 2, 1, 5}}) {
      eval::Tensor tensor = eval::zeros(type, shape);
      for (int64_t k = 0; k < eval::count_of(shape); ++k)
        eval::set_element(tensor, k, static_cast<double>(type == DType::Bool ? k % 2 : k + 1));
      ASSERT_TRUE(write_npy(file(), tensor).ok());
      auto read = read_npy(file());
      ASSERT_TRUE(read.ok()) << read.problem().message;
      EXPECT_EQ(read->dtype, type);
      EXPECT_EQ(read->shape, shape);
      EXPECT_EQ(read->bytes, tensor.bytes);
    }
}

TEST_F(Npy, DataBeginsAtAMultipleOf64) {
  ASSERT_TRUE(write_npy(file(), eval::zeros(ir::DType::F32, {3, 5})).ok());
  EXPECT_EQ((std::filesystem::file_size(file()) - 60) % 64, 0u);
}

TEST_F(Npy, Bf16BecomesF32) {
  ASSERT_TRUE(write_npy(file(), eval::filled(ir::DType::BF16, {2}, {1.5, -2})).ok());
  auto read = read_npy(file());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->dtype, ir::DType::F32);
  EXPECT_EQ(eval::values_of(*read), (std::vector<double>{1.5, -2}));
}

TEST_F(Npy, RefusesWithAReason) {
  EXPECT_NE(refused("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", 8).find("big-endian"),
            std::string::npos);
  EXPECT_NE(refused("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }", 8).find("Fortran"), std::string::npos);
  EXPECT_NE(refused("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", 8).find("'<c8'"), std::string::npos);
  EXPECT_NE(refused("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 8).find("8 bytes"), std::string::npos);
  EXPECT_NE(refused("{'descr': '<f4', 'shape': (2,), }", 8).find("lacks"), std::string::npos);
  EXPECT_NE(
      refused("{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 9999999999), }", 8).find("does not go"),
      std::string::npos);
  EXPECT_NE(refused("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", 8).find("range"),
            std::string::npos);
  EXPECT_NE(refused("PK\x03\x04 an archive").find("no .npy file"), std::string::npos);
  EXPECT_NE(refused(std::string("\x93NUMPY\x01\x00\xff\xff{", 11)).find("header"), std::string::npos);
  EXPECT_FALSE(read_npy(file("absent.npy")).ok());
}

}  // namespace
}  // namespace hone::tools
