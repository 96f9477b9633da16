#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "codegen/gemm.h"
#include "codegen/llvm/codegen.h"

namespace hone::codegen {
namespace {

std::vector<std::byte> object_of(const std::string& name) {
  auto compiled = compile_to_object({test::gemm_kernel(name, 2, 8, 8)}, {.isa = "avx2"});
  EXPECT_TRUE(compiled.ok());
  return std::move(compiled).value().object;
}

TEST(Jit, LoadsSeveralObjects) {
  const auto first = object_of("first"), second = object_of("second");
  auto module = JitModule::load({first, second});
  ASSERT_TRUE(module.ok()) << module.problem().message;
  EXPECT_NE((*module)->find("first"), nullptr);
  EXPECT_NE((*module)->find("second"), nullptr);
  EXPECT_EQ((*module)->find("third"), nullptr);
}

TEST(Jit, TellsPerfTheNames) {
  const std::string path = fmt::format("/tmp/perf-{}.map", getpid());
  const auto object = object_of("kernel_seen_by_perf");
  auto module = JitModule::load({object}, {.perf_map = true});
  ASSERT_TRUE(module.ok()) << module.problem().message;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const auto address = reinterpret_cast<uintptr_t>((*module)->find("kernel_seen_by_perf"));
  EXPECT_NE(text.str().find(fmt::format("{:x} ", address)), std::string::npos) << text.str();
  EXPECT_NE(text.str().find(" kernel_seen_by_perf\n"), std::string::npos) << text.str();
  std::filesystem::remove(path);
}

TEST(Jit, RefusesWhatIsNoObject) {
  const std::string nonsense = "not an object";
  auto module = JitModule::load({std::as_bytes(std::span(nonsense))});
  ASSERT_FALSE(module.ok());
  EXPECT_NE(module.problem().message.find("reading generated code failed"), std::string::npos);
}

TEST(Jit, CompilesInSeveralThreads) {
  std::vector<std::vector<std::byte>> objects(8);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (size_t i = t; i < objects.size(); i += 4) {
        objects[i] = object_of("kernel");
        EXPECT_TRUE(JitModule::load({objects[i]}).ok());
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& object : objects) EXPECT_EQ(object, objects[0]) << "the same function gives the same bytes";
}

TEST(Jit, RefusesAnInvalidFunction) {
  ir::loop::Function f;
  f.name = "broken";
  f.body = {ir::loop::assign("v", ir::loop::variable("w", {}))};
  const auto compiled = compile_to_object({f}, {});
  ASSERT_FALSE(compiled.ok());
  EXPECT_NE(compiled.problem().message.find("'w' may be used before it is assigned"), std::string::npos);
}

}  // namespace
}  // namespace hone::codegen
