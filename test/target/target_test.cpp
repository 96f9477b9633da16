#include "target/target.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "base/knobs.h"
#include "target/cores.h"

namespace hone::target {
namespace {

TEST(Target, HostIsPlausible) {
  Target host = host_target();
  EXPECT_FALSE(host.name.empty());
  EXPECT_GE(host.cores, 1);
  EXPECT_GE(host.l1_bytes, 8 << 10);
  EXPECT_GE(host.l2_bytes, host.l1_bytes);
  EXPECT_EQ(host, host_target());
}

TEST(Target, CapLowersAndNeverRaises) {
  Target t;
  t.isa = Isa::Avx2;
  t.vector_bits = 256;
  EXPECT_EQ(capped(t, Isa::Avx512), t);
  Target plain = capped(t, Isa::X86_64);
  EXPECT_EQ(plain.vector_bits, 128);
  EXPECT_EQ(plain.vector_registers, 16);
}

TEST(Target, CapTakesTheFiguresOfItsInstructionSet) {
  Target measured = host_target();
  measured.isa = Isa::Avx512;
  measured.figures.multiply_adds_per_cycle = 1;
  EXPECT_EQ(capped(measured, Isa::Avx2).figures, Figures{});
}

TEST(Target, NamesRoundTrip) {
  for (Isa isa : {Isa::X86_64, Isa::Avx2, Isa::Avx512}) EXPECT_EQ(isa_named(name_of(isa)).value(), isa);
  auto wrong = isa_named("sse9");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.problem().message, "unknown instruction set 'sse9': use avx512, avx2 or x86-64");
}

TEST(Target, TextRoundTrips) {
  Target host = host_target();
  auto read = parse_target(text_of(host));
  ASSERT_TRUE(read.ok()) << read.problem().message;
  EXPECT_EQ(*read, host);
  EXPECT_FALSE(parse_target("name = x\n").ok());
  EXPECT_FALSE(parse_target(text_of(host) + "extra = 1\n").ok());
  EXPECT_FALSE(parse_target("no equals sign").ok());
}

TEST(Figures, TextRoundTrips) {
  Figures figures;
  figures.l3_bytes_per_cycle = 13;
  figures.task_cycles = 170;
  auto read = parse_figures(text_of(figures));
  ASSERT_TRUE(read.ok()) << read.problem().message;
  EXPECT_EQ(*read, figures);
  Target target;
  target.figures = figures;
  EXPECT_EQ(parse_target(text_of(target)).value(), target);
}

TEST(Figures, WhatIsNoFigureIsRefused) {
  std::string text = text_of(Figures{});
  EXPECT_FALSE(parse_figures("").ok());
  EXPECT_FALSE(parse_figures(text + "moods_per_cycle = 1\n").ok());
  for (const char* value : {"nan", "-1", "two", ""}) {
    std::string wrong = text;
    wrong.replace(wrong.find("loads_per_cycle = 2"), 19, std::string("loads_per_cycle = ") + value);
    EXPECT_FALSE(parse_figures(wrong).ok()) << value;
  }
}

TEST(Figures, StayWithinWhatAMachineCanBe) {
  Figures wild;
  wild.multiply_adds_per_cycle = 1e9;
  wild.loads_per_cycle = 0;
  wild.memory_bytes_per_cycle = std::numeric_limits<double>::infinity();
  wild.task_cycles = -50;
  Figures tame = sane(wild);
  for (const FigureInfo& figure : all_figures()) {
    EXPECT_GE(tame.*figure.value, figure.least) << figure.name;
    EXPECT_LE(tame.*figure.value, figure.most) << figure.name;
  }
  EXPECT_EQ(tame.loads_per_cycle, 0.5);
  EXPECT_EQ(sane(Figures{}), Figures{}) << "what holds otherwise is within its own bounds";
}

TEST(Figures, KeepTwoDigits) {
  Figures figures;
  figures.l2_bytes_per_cycle = 30.46;
  figures.multiply_add_latency = 3.98;
  figures.task_cycles = 187;
  EXPECT_EQ(sane(figures).l2_bytes_per_cycle, 30);
  EXPECT_EQ(sane(figures).multiply_add_latency, 4);
  EXPECT_EQ(sane(figures).task_cycles, 190);
}

TEST(Target, QuotaOfControlGroup) {
  EXPECT_EQ(quota_of_cpu_max("max 100000"), 0);
  EXPECT_EQ(quota_of_cpu_max("-1 100000"), 0);
  EXPECT_EQ(quota_of_cpu_max("200000 100000"), 2);
  EXPECT_EQ(quota_of_cpu_max("150000 100000"), 2);
  EXPECT_EQ(quota_of_cpu_max("50000 100000"), 1);
  EXPECT_EQ(quota_of_cpu_max(""), 0);
  EXPECT_EQ(quota_of_cpu_max("100"), 0);
}

TEST(Knobs, IsaKnobCapsTheDefaultTarget) {
  setenv("HONE_ISA", "x86-64", 1);
  EXPECT_EQ(default_target().value().isa, Isa::X86_64);
  setenv("HONE_ISA", "mmx", 1);
  EXPECT_FALSE(default_target().ok());
  unsetenv("HONE_ISA");
  EXPECT_EQ(default_target().value(), host_target());
}

TEST(Knobs, NumbersAreChecked) {
  setenv("HONE_NUM_THREADS", "3", 1);
  EXPECT_EQ(positive_knob(Knob::NumThreads).value(), 3);
  setenv("HONE_NUM_THREADS", "many", 1);
  auto wrong = positive_knob(Knob::NumThreads);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.problem().message, "HONE_NUM_THREADS is 'many', but must be a positive number");
  unsetenv("HONE_NUM_THREADS");
  EXPECT_EQ(positive_knob(Knob::NumThreads).value(), std::nullopt);
}

}  // namespace
}  // namespace hone::target
