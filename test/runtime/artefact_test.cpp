#include "runtime/artefact.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "runtime/toy_artefact.h"
#include "target/target.h"

namespace hone::runtime {
namespace {

class Artefact : public ToyArtefact {
 protected:
  static std::string problem_of(const std::string& file) {
    auto loaded = load_artefact(file, 1);
    return loaded.ok() ? "" : loaded.problem().message;
  }
  static std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  // A seal that fits lets the damage through to the readers behind it.
  static std::string sealed_again(const std::string& content) {
    Seal seal = seal_of(std::as_bytes(std::span(content)));
    return content + std::string(reinterpret_cast<const char*>(seal.data()), seal.size());
  }
};

TEST_F(Artefact, LoadsAndRuns) {
  std::string library = build("adder", adder());
  EXPECT_EQ(read_artefact(library).value(), adder());
  auto session = load_artefact(library, 2);
  ASSERT_TRUE(session.ok()) << session.problem().message;
  EXPECT_EQ(run_floats(**session, {Floats{1, 2, 3, 4}}).value(), (Floats{4, 6, 8, 7}));
}

TEST_F(Artefact, AForeignInstructionSetIsRefusedBeforeAnyCodeRuns) {
  Executable executable = adder();
  executable.isa = "avx512";
  std::string mark = path("mark");
  std::string library = build("wide", executable,
                              "long syscall(long, ...);\n__attribute__((constructor)) static void run(void) {\n"
                              "  long r; __asm__ volatile(\"syscall\" : \"=a\"(r) : \"0\"(85), \"D\"(\"" +
                                  mark + "\"), \"S\"(0644) : \"rcx\", \"r11\", \"memory\");\n}\n");
  if (target::host_target().isa >= target::Isa::Avx512) GTEST_SKIP() << "this host has AVX-512";
  EXPECT_NE(problem_of(library).find("was compiled for avx512"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(mark)) << "the constructor ran";
}

TEST_F(Artefact, TellsWhatIsWrongWithTheFile) {
  EXPECT_NE(problem_of(path("absent.so")).find("No such file"), std::string::npos);
  std::ofstream(path("text.so")) << "hello";
  EXPECT_NE(problem_of(path("text.so")).find("is not a shared library for x86-64"), std::string::npos);
  EXPECT_NE(problem_of(folder_.string()).find("no regular file"), std::string::npos);
  Executable lacking = adder();
  lacking.functions = {"other_kernel"};
  EXPECT_NE(problem_of(build("lacking", lacking)).find("lacks the function 'other_kernel'"), std::string::npos);
  Executable hungry = adder();
  hungry.weight_bytes = 65;
  EXPECT_NE(problem_of(build("hungry", hungry)).find("64 bytes of weights instead of 65"), std::string::npos);
  std::ofstream(path("plain.c")) << "int f(void) { return 1; }";
  ASSERT_EQ(std::system(("cc -shared -fPIC -o " + path("plain.so") + " " + path("plain.c")).c_str()), 0);
  EXPECT_NE(problem_of(path("plain.so")).find("no model compiled by Hone"), std::string::npos);
}

TEST_F(Artefact, AnyChangeIsRefused) {
  const std::string good = content_of(build("adder", adder()));
  const std::string said = "was changed or cut off since it was compiled; compile it again";
  ASSERT_EQ(problem_of(write("same.so", good)), "");
  std::vector<std::string> changed = {good + '\0', good.substr(0, good.size() - 1),
                                      good.substr(0, good.size() - sizeof(Seal))};
  for (size_t at : {good.find("add_kernel"), good.find("adder"), good.size() - 1, good.size() - sizeof(Seal),
                    good.size() - 2 * sizeof(Seal)}) {
    changed.push_back(good);
    changed.back()[at] ^= 1;
  }
  for (const std::string& content : changed)
    EXPECT_NE(problem_of(write("changed.so", content)).find(said), std::string::npos) << problem_of(path("changed.so"));
  // Nowhere in the file is there a bit that may flip.
  for (size_t at = 0; at < good.size(); at += 97) {
    std::string content = good;
    content[at] ^= 4;
    EXPECT_FALSE(read_artefact(write("changed.so", content)).ok()) << "byte " << at;
  }
}

TEST_F(Artefact, DamagedFilesNeverCrashTheReader) {
  std::string good = content_of(build("adder", adder()));
  good.resize(good.size() - sizeof(Seal));
  Rng rng(3);
  for (int round = 0; round < 400; ++round) {
    std::string bad = good;
    if (rng.chance(0.5)) bad.resize(static_cast<size_t>(rng.below(static_cast<int64_t>(bad.size()))));
    for (int64_t i = rng.between(0, 20); i > 0 && !bad.empty(); --i)
      bad[static_cast<size_t>(rng.below(static_cast<int64_t>(bad.size())))] = static_cast<char>(rng.below(256));
    (void)read_artefact(write("bad.so", sealed_again(bad))).ok();
  }
  for (size_t at = 0; at < 64; ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(0xff);
    (void)read_artefact(write("bad.so", sealed_again(bad))).ok();
  }
}

}  // namespace
}  // namespace hone::runtime
