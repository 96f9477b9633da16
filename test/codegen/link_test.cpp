#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "codegen/gemm.h"
#include "codegen/llvm/codegen.h"

namespace hone::codegen {
namespace {

std::vector<std::byte> object_of(const std::string& name) {
  auto compiled = compile_to_object({test::gemm_kernel(name, 2, 8, 8)}, {.isa = "avx2"});
  EXPECT_TRUE(compiled.ok());
  return std::move(compiled).value().object;
}

std::string path_of(const std::string& name) {
  return testing::TempDir() + name;
}

TEST(Link, MakesALibraryWithCodeAndWeights) {
  const auto first = object_of("first"), second = object_of("second");
  std::vector<std::byte> weights(100'003);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<std::byte>(i * 7);
  const std::string text = "an executable";
  const SharedObject parts{
      .objects = {first, second},
      .blobs = {{"hone_executable", std::as_bytes(std::span(text)), 64}, {"hone_weights", weights, 4096}},
      .exports = {"first"},
      .soname = "model.so"};
  const std::string path = path_of("hone_link_test.so");
  const Status linked = link_shared_object(parts, path);
  ASSERT_TRUE(linked.ok()) << linked.problem().message;

  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_NE(dlsym(library, "first"), nullptr);
  EXPECT_EQ(dlsym(library, "second"), nullptr) << "only what is named is exported";
  const auto* bytes = static_cast<const std::byte*>(dlsym(library, "hone_weights"));
  const auto* size = static_cast<const uint64_t*>(dlsym(library, "hone_weights_size"));
  ASSERT_TRUE(bytes && size);
  EXPECT_EQ(*size, weights.size());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % 4096, 0u);
  EXPECT_EQ(std::memcmp(bytes, weights.data(), weights.size()), 0);
  const auto* stored = static_cast<const char*>(dlsym(library, "hone_executable"));
  EXPECT_EQ(std::string(stored, *static_cast<const uint64_t*>(dlsym(library, "hone_executable_size"))), text);

  const auto kernel = reinterpret_cast<hone_kernel_fn>(dlsym(library, "first"));
  const float a[2] = {2, 3}, b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float c[16] = {};
  void* buffers[] = {const_cast<float*>(a), const_cast<float*>(b), c};
  const int64_t sizes[] = {1, 1, 8};
  kernel(buffers, sizes, 0, 1, nullptr);
  EXPECT_EQ(c[0], 2.0f);
  EXPECT_EQ(c[15], 24.0f);
  dlclose(library);
  std::filesystem::remove(path);
}

TEST(Link, ReportsWhatLldSays) {
  const std::string nonsense = "not an object";
  const Status linked =
      link_shared_object({.objects = {std::as_bytes(std::span(nonsense))}}, path_of("hone_link_bad.so"));
  ASSERT_FALSE(linked.ok());
  EXPECT_NE(linked.problem().message.find("linking failed"), std::string::npos) << linked.problem().message;
}

TEST(Link, WorksAgainAfterAFailure) {
  const auto object = object_of("kernel");
  const std::string path = path_of("hone_link_again.so");
  const Status linked = link_shared_object({.objects = {object}, .exports = {"kernel"}}, path);
  EXPECT_TRUE(linked.ok()) << linked.problem().message;
  std::filesystem::remove(path);
}

TEST(Link, NamesAFolderThatIsNotThere) {
  const Status linked = link_shared_object({}, "/nonexistent/folder/model.so");
  ASSERT_FALSE(linked.ok());
  EXPECT_NE(linked.problem().message.find("/nonexistent/folder/model.so"), std::string::npos);
}

}  // namespace
}  // namespace hone::codegen
