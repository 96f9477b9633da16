// The cache of compiled models: hits equal what was kept, damage is noticed, the folder stays within its bound.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <set>

#include "base/digest.h"
#include "base/rng.h"
#include "pipeline/cache/cache_key.h"
#include "pipeline/cache/model_cache.h"

namespace hone::pipeline {
namespace {

namespace fs = std::filesystem;

ir::Program program_with(const std::string& weight) {
  auto program = ir::parse_program("program small(x: f32[n, 2]) -> (y) {\n  const w: f32[2, 2] = {1, 2, 3, " + weight +
                                   "}\n  h: f32[n, 2] = matmul(x, w)\n  y: f32[n, 2] = relu(h)\n}\n");
  EXPECT_TRUE(program.ok()) << program.problem().message;
  return *program;
}

class Cache : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "hone-cache-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    options_.cache_dir = (folder_ / "kept").string();
    options_.threads = 1;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(options_.cache_dir)) all.push_back(entry.path());
    return all;
  }

  // The result for x = {{1, 1}}, and whether the model came from the cache.
  std::pair<std::vector<float>, bool> run(const ir::Program& program) {
    auto compiled = compile_program(program, options_);
    EXPECT_TRUE(compiled.ok()) << compiled.problem().message;
    bool generated = false;
    for (const PassTime& pass : compiled->report.passes) generated = generated || pass.name == "codegen";
    auto session = load(std::move(*compiled), options_);
    EXPECT_TRUE(session.ok()) << session.problem().message;
    float x[] = {1, 1};
    std::vector<int64_t> shape = {1, 2};
    std::vector<runtime::InputTensor> inputs{{"f32", shape, x}};
    auto outputs = (*session)->run(inputs);
    EXPECT_TRUE(outputs.ok());
    auto* y = reinterpret_cast<const float*>((*outputs)[0].data.data());
    return {{y[0], y[1]}, !generated};
  }

  fs::path folder_;
  Options options_;
};

TEST_F(Cache, TheSecondTimeNothingIsGenerated) {
  EXPECT_EQ(run(program_with("4")), std::pair(std::vector<float>({4, 6}), false));
  EXPECT_EQ(run(program_with("4")), std::pair(std::vector<float>({4, 6}), true));
}

TEST_F(Cache, TheContentOfConstantsCounts) {
  run(program_with("4"));
  EXPECT_EQ(run(program_with("5")), std::pair(std::vector<float>({4, 7}), false));
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(Cache, WithoutAFolderNothingIsKept) {
  options_.cache_dir.clear();
  run(program_with("4"));
  EXPECT_FALSE(run(program_with("4")).second);
}

TEST_F(Cache, DamageIsNoticedSetAsideAndMended) {
  run(program_with("4"));
  fs::path entry = files()[0];
  std::string good;
  {
    std::ifstream file(entry, std::ios::binary);
    good.assign(std::istreambuf_iterator<char>(file), {});
  }
  auto write = [&](const std::string& content) { std::ofstream(entry, std::ios::binary) << content; };
  auto target = target_of(options_);
  std::string key = cache_key(program_with("4"), *target);
  auto cache = ModelCache::open(options_);
  ASSERT_TRUE(cache.ok() && *cache);
  Rng rng(11);
  for (int round = 0; round < 2000; ++round) {
    std::string bad = good;
    auto at = static_cast<size_t>(rng.below(static_cast<int64_t>(bad.size())));
    bad[at] = static_cast<char>(bad[at] ^ (1 << rng.below(8)));
    write(bad);
    EXPECT_FALSE((*cache)->find(key)) << "byte " << at << " was flipped, seed 11, round " << round;
    EXPECT_FALSE(fs::exists(entry)) << "a damaged file stays";
  }
  for (size_t length : {size_t{0}, size_t{1}, size_t{100}, good.size() - 1}) {
    write(good.substr(0, length));
    EXPECT_FALSE((*cache)->find(key)) << "cut to " << length;
  }
  write(good + "x");
  EXPECT_FALSE((*cache)->find(key)) << "a byte too many";
  EXPECT_EQ(run(program_with("4")), std::pair(std::vector<float>({4, 6}), false));
  EXPECT_TRUE(run(program_with("4")).second) << "mended";
}

TEST_F(Cache, ALinkIsNotFollowed) {
  run(program_with("4"));
  fs::path entry = files()[0];
  fs::rename(entry, folder_ / "elsewhere");
  fs::create_symlink(folder_ / "elsewhere", entry);
  EXPECT_FALSE(run(program_with("4")).second);
}

TEST_F(Cache, StaysWithinItsBound) {
  auto folder = CacheFolder::open(folder_ / "small", 1000);
  ASSERT_TRUE(folder.ok());
  std::vector<std::byte> content(400);
  std::span<const std::byte> pieces[] = {content};
  for (int k = 0; k < 5; ++k) {
    std::string name = "entry" + std::to_string(k);
    ASSERT_TRUE(folder->write(name, pieces).ok());
    fs::last_write_time(folder->path_of(name), fs::file_time_type::clock::now() - std::chrono::seconds(100 - k));
  }
  folder->touch("entry0");
  folder->shrink();
  EXPECT_TRUE(fs::exists(folder->path_of("entry0"))) << "the latest used";
  EXPECT_TRUE(fs::exists(folder->path_of("entry4")));
  EXPECT_FALSE(fs::exists(folder->path_of("entry1")));
  EXPECT_FALSE(fs::exists(folder->path_of("entry3")));
}

TEST_F(Cache, AFolderThatCannotBeMadeIsTold) {
  std::ofstream(folder_ / "file") << "x";
  options_.cache_dir = (folder_ / "file").string();
  auto compiled = compile_program(program_with("4"), options_);
  ASSERT_FALSE(compiled.ok());
  EXPECT_EQ(compiled.problem().message, "the cache folder '" + options_.cache_dir + "' is no folder");
}

TEST(Digest, TellsAllSmallChangesApart) {
  std::set<std::string> seen;
  std::vector<std::byte> bytes(67);
  for (size_t length = 0; length <= bytes.size(); ++length)
    EXPECT_TRUE(seen.insert(text_of(digest_of(std::span(bytes).first(length)))).second) << length;
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    EXPECT_TRUE(seen.insert(text_of(digest_of(bytes))).second) << bit;
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
  }
}

}  // namespace
}  // namespace hone::pipeline
