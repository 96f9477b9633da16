#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>

namespace hone {
namespace {

TEST(Parallel, EveryPieceOnceAndResultsInOrder) {
  for (int threads : {0, 1, 2, 7}) {
    std::atomic<int> calls = 0;
    auto squares = make_in_parallel<size_t>(100, threads, [&](size_t i) -> Result<size_t> {
      ++calls;
      return i * i;
    });
    ASSERT_TRUE(squares.ok());
    EXPECT_EQ(calls, 100);
    for (size_t i = 0; i < 100; ++i) EXPECT_EQ((*squares)[i], i * i);
  }
}

TEST(Parallel, NothingToDo) {
  auto none = make_in_parallel<int>(0, 4, [](size_t) -> Result<int> { return error("never called"); });
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none->empty());
}

TEST(Parallel, TheFirstErrorByIndexIsTold) {
  auto failed = make_in_parallel<int>(50, 2, [](size_t i) -> Result<int> {
    if (i % 10 == 7) return error("piece {} is bad", i);
    return 0;
  });
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.problem().message, "piece 7 is bad");
}

TEST(Parallel, AnExceptionReachesTheCaller) {
  EXPECT_THROW(for_each_in_parallel(20, 2, [](size_t i) { HONE_CHECK(i != 13, "piece {}", i); }), InternalError);
}

}  // namespace
}  // namespace hone
