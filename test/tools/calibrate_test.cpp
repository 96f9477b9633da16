#include "hone/calibrate.h"

#include <gtest/gtest.h>

namespace hone::tools {
namespace {

TEST(FiguresText, NamesEveryFigureAndItsOrigin) {
  EXPECT_EQ(figures_text({}),
            "figures of the cost model, built-in; `hone doctor --calibrate` measures them:\n"
            "figure                   value  meaning\n"
            "multiply_adds_per_cycle      2  vectors of multiply-adds that start in a cycle\n"
            "multiply_add_latency         4  cycles until a multiply-add can use the result of the one before it\n"
            "loads_per_cycle              2  vectors loaded from L1 in a cycle\n"
            "l2_bytes_per_cycle          30  bytes read from L2 in a cycle\n"
            "l3_bytes_per_cycle          16  bytes read from L3 in a cycle\n"
            "memory_bytes_per_cycle       7  bytes read from memory in a cycle\n"
            "alone_speedup                1  times as fast as else that short runs come from L2 if nothing is fetched "
            "behind them\n"
            "task_cycles                200  cycles that a task takes beside its work\n");
  pipeline::Calibration measured;
  measured.file = "/somewhere/calibration-1";
  EXPECT_TRUE(figures_text(measured).starts_with(
      "figures of the cost model, measured by `hone doctor --calibrate`, from /somewhere/calibration-1:\n"));
}

}  // namespace
}  // namespace hone::tools
