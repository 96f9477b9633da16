#include <gtest/gtest.h>

#include "hone/habits.h"
#include "hone/print.h"
#include "hone/process.h"

namespace hone::tools {
namespace {

using Arguments = std::vector<std::string>;

TEST(Habits, LongOptionsBehindOneDash) {
  EXPECT_EQ(in_our_spelling({"bench", "-m", "m.onnx", "-niter", "5", "-nthreads=2"}),
            (Arguments{"bench", "-m", "m.onnx", "--iterations", "5", "--threads=2"}));
}

TEST(Habits, ProfileTakesAFileOnlyIfItLooksLikeOne) {
  EXPECT_EQ(in_our_spelling({"--profile", "t.json"}), (Arguments{"--profile=t.json"}));
  EXPECT_EQ(in_our_spelling({"--profile", "m.onnx"}), (Arguments{"--profile", "m.onnx"}));
  EXPECT_EQ(in_our_spelling({"--profile"}), (Arguments{"--profile"}));
}

TEST(Print, TablesAlignAndCut) {
  Table table({{"name", Align::Left, 6}, {"ms", Align::Right}});
  table.add({"short", "1.5"});
  table.add({"much too long", "12.25"});
  table.add({"grün", "3"});
  EXPECT_EQ(table.text(),
            "name       ms\n"
            "short     1.5\n"
            "much …  12.25\n"
            "grün        3\n");
}

TEST(Print, UnitsThatPeopleRead) {
  EXPECT_EQ(bytes_text(12), "12 B");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(3.0 * 1024 * 1024 * 1024 * 1024), "3072.0 GiB");
  EXPECT_EQ(seconds_text(0.0123), "12.300 ms");
  EXPECT_EQ(seconds_text(2), "2.000 s");
}

TEST(Process, KeepsOutputAndExitCode) {
  auto finished = run_process({"sh", "-c", "echo out; echo err >&2; exit 3"});
  ASSERT_TRUE(finished.ok());
  EXPECT_EQ(finished->exit_code, 3);
  EXPECT_EQ(finished->output, "out\nerr\n");
  EXPECT_FALSE(run_process({"no-such-program-anywhere"}).ok());
}

}  // namespace
}  // namespace hone::tools
