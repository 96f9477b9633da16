// The machine's figures kept beside compiled models: they come back as they were, and damage never costs more than them.
#include "pipeline/cache/calibration.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "ir/program/program.h"
#include "pipeline/cache/cache_key.h"
#include "pipeline/compile.h"

namespace hone::pipeline {
namespace {

namespace fs = std::filesystem;

class Calibrated : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "hone-calibration-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    options_.cache_dir = folder_.string();
    plain_ = target_ = target_of(options_).value();
    target_.figures.l3_bytes_per_cycle = 11;
    target_.figures.task_cycles = 170;
  }
  void TearDown() override { fs::remove_all(folder_); }

  target::Figures found() const { return find_calibration(plain_, options_.cache_dir).value().figures; }

  fs::path folder_;
  Options options_;
  target::Target plain_, target_;  // with built-in figures, and with measured ones
};

TEST_F(Calibrated, WithoutAFileTheBuiltInFiguresHold) {
  Calibration calibration = find_calibration(plain_, options_.cache_dir).value();
  EXPECT_EQ(calibration.figures, plain_.figures);
  EXPECT_TRUE(calibration.file.empty());
}

TEST_F(Calibrated, WhatIsKeptIsWhatCompilingUses) {
  auto file = keep_calibration(target_, options_.cache_dir);
  ASSERT_TRUE(file.ok()) << file.problem().message;
  Calibration calibration = find_calibration(target_, options_.cache_dir).value();
  EXPECT_EQ(calibration.figures, target_.figures);
  EXPECT_EQ(calibration.file, *file);
  EXPECT_EQ(target_of(options_).value(), target_);
}

TEST_F(Calibrated, HoldsForAnyNumberOfThreads) {
  ASSERT_TRUE(keep_calibration(target_, options_.cache_dir).ok());
  options_.threads = 1;
  target::Target one = target_of(options_).value();
  EXPECT_EQ(one.cores, 1);
  EXPECT_EQ(one.figures, target_.figures);
  options_.threads = plain_.cores + 1;
  EXPECT_EQ(target_of(options_).value().cores, plain_.cores);
}

TEST_F(Calibrated, AnotherInstructionSetHasItsOwn) {
  ASSERT_TRUE(keep_calibration(target_, options_.cache_dir).ok());
  plain_ = target::capped(plain_, target::Isa::X86_64);
  plain_.name += " of another kind";
  EXPECT_EQ(found(), plain_.figures);
}

TEST_F(Calibrated, WithoutAFolderNothingCanBeKept) {
  unsetenv("HONE_CACHE_DIR");
  auto kept = keep_calibration(target_, "");
  ASSERT_FALSE(kept.ok());
  EXPECT_EQ(kept.problem().message,
            "there is no folder to keep the calibration in; with HONE_CACHE_DIR set to one it would work");
}

TEST_F(Calibrated, DamageIsSetAsideWithAWarning) {
  fs::path file = keep_calibration(target_, options_.cache_dir).value();
  std::string good;
  {
    std::ifstream in(file, std::ios::binary);
    good.assign(std::istreambuf_iterator<char>(in), {});
  }
  auto write = [&](const std::string& text) { std::ofstream(file, std::ios::binary) << text; };
  std::vector<std::string> damaged = {"", good.substr(0, good.size() / 2), good + "x"};
  for (size_t at = 0; at < good.size(); ++at) {
    damaged.push_back(good);
    damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 1);
  }
  for (const std::string& text : damaged) {
    write(text);
    testing::internal::CaptureStderr();
    EXPECT_EQ(found(), plain_.figures) << text;
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              fmt::format("hone: the calibration '{}' is damaged and was set aside; `hone doctor --calibrate` makes a "
                          "new one\n",
                          file.string()));
    EXPECT_FALSE(fs::exists(file));
  }
  write(good);
  EXPECT_EQ(found(), target_.figures);
}

TEST_F(Calibrated, FiguresArePartOfTheKeyOfAModel) {
  auto program = ir::parse_program("program small(x: f32[n]) -> (y) {\n  y: f32[n] = relu(x)\n}\n");
  ASSERT_TRUE(program.ok()) << program.problem().message;
  target::Target other = target_;
  EXPECT_EQ(cache_key(*program, target_), cache_key(*program, other));
  other.figures.task_cycles = 180;
  EXPECT_NE(cache_key(*program, target_), cache_key(*program, other));
}

}  // namespace
}  // namespace hone::pipeline
