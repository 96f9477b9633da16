// Artefacts for tests: C compiled to what the compiler would write, a library of nothing but data and kernels.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/seal.h"
#include "runtime/toy_model.h"

namespace hone::runtime {

class ToyArtefact : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("hone_artefact_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string build(const std::string& name, const Executable& executable, const std::string& more_code = "") {
    std::ostringstream source;
    source << "#include <stdint.h>\n_Alignas(64) const unsigned char hone_executable[] = {";
    std::vector<std::byte> bytes = serialize(executable);
    for (std::byte b : bytes) source << static_cast<int>(b) << ",";
    source
        << "};\nconst uint64_t hone_executable_size = " << bytes.size() << ";\n"
        << "_Alignas(4096) const float hone_weights[16] = {3, 4, 5};\n"
        << "void add_kernel(void* const* b, const int64_t* n, int64_t from, int64_t to, void* scratch) {\n"
        << "  for (int64_t i = from; i < to; ++i) ((float*)b[2])[i] = ((float*)b[0])[i] + ((float*)b[1])[i % 3];\n}\n"
        << more_code;
    std::ofstream(path(name + ".c")) << source.str();
    std::string library = path(name + ".so");
    std::string command = "cc -shared -fPIC -nostdlib -O1 -o " + library + " " + path(name + ".c");
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_TRUE(seal_file(library).ok());
    return library;
  }

  // y = x + (3, 4, 5, 3, 4, 5, …)
  static Executable adder() {
    ToyModel model("adder");
    int64_t x = model.input("x"), w = model.constant("w", Floats(16)), y = model.output("y");
    model.add(model.kernel(scale_kernel, {x, w, y}, ToyModel::n()));
    model.executable().functions = {"add_kernel"};
    model.executable().weight_bytes = 64;
    return model.executable();
  }

  std::filesystem::path folder_;
};

}  // namespace hone::runtime
