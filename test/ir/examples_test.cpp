// The kernels and plans that users read first: every one is valid, and reads back from its own print.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/plan/plan.h"

namespace hone::ir {
namespace {

namespace fs = std::filesystem;

std::string contents_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> files_with(const std::string& extension) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(HONE_SOURCE_DIR) / "examples"))
    if (entry.path().extension() == extension) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool holds_kernel(const std::string& text) {
  return text.starts_with("kernel ") || text.find("\nkernel ") != std::string::npos;
}

TEST(Examples, KernelsAreValidAndReadBack) {
  int count = 0;
  for (const fs::path& path : files_with(".hone")) {
    SCOPED_TRACE(path.filename().string());
    std::string source = contents_of(path);
    if (!holds_kernel(source)) continue;
    ++count;
    Result<Kernel> kernel = parse_kernel(source);
    ASSERT_TRUE(kernel.ok()) << kernel.problem().message;
    EXPECT_TRUE(validate(*kernel).ok()) << validate(*kernel).problem().message;
    Result<Kernel> again = parse_kernel(text_of(*kernel));
    ASSERT_TRUE(again.ok()) << again.problem().message;
    EXPECT_EQ(text_of(*again), text_of(*kernel));
    EXPECT_LE(std::count(source.begin(), source.end(), '\n'), 50) << "fits a screen";
  }
  EXPECT_GE(count, 5);
}

// What stands at the top of the folder is written just as Hone prints it.
TEST(Examples, PrintAsWritten) {
  for (const char* name : {"gemm", "softmax", "layer_norm", "elementwise", "conv3x3"}) {
    std::string source = contents_of(fs::path(HONE_SOURCE_DIR) / "examples" / (std::string(name) + ".hone"));
    size_t begin = source.find("\nkernel ");
    ASSERT_NE(begin, std::string::npos) << name;
    Result<Kernel> kernel = parse_kernel(source);
    ASSERT_TRUE(kernel.ok()) << kernel.problem().message;
    EXPECT_EQ(text_of(*kernel), source.substr(begin + 1));
  }
}

TEST(Examples, PlansFitTheirKernels) {
  for (const fs::path& path : files_with(".plan")) {
    SCOPED_TRACE(path.filename().string());
    Result<KernelPlan> plan = parse_kernel_plan(contents_of(path));
    ASSERT_TRUE(plan.ok()) << plan.problem().message;
    Result<Kernel> kernel = parse_kernel(contents_of(fs::path(path).replace_extension(".hone")));
    ASSERT_TRUE(kernel.ok()) << kernel.problem().message;
    EXPECT_TRUE(validate(*plan, *kernel).ok()) << validate(*plan, *kernel).problem().message;
  }
}

}  // namespace
}  // namespace hone::ir
