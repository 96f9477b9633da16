#include <lld/Common/Driver.h>
#include <llvm/Support/raw_ostream.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "codegen/llvm/codegen.h"
#include "codegen/llvm/data_object.h"
#include "codegen/llvm/embed.h"

LLD_HAS_DRIVER(elf)

namespace hone::codegen {
namespace {

namespace fs = std::filesystem;

// A folder for the linker's inputs beside its output: the same disk, so there is room for weights.
class PartsFolder {
 public:
  static Result<PartsFolder> beside(const std::string& path) {
    std::string pattern = path + ".parts-XXXXXX";
    if (!mkdtemp(pattern.data()))
      return error("cannot write '{}': its folder refuses a temporary folder ({})", path, std::strerror(errno));
    return PartsFolder(pattern);
  }
  PartsFolder(PartsFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PartsFolder& operator=(PartsFolder&&) = delete;
  ~PartsFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit PartsFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

Status write_file(const std::string& path, const void* data, size_t bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  out.close();
  if (!out) return error("cannot write '{}': {}", path, std::strerror(errno));
  return Done{};
}

// Only what is named is visible from outside.
std::string version_script(const SharedObject& parts) {
  std::string script = "{ global:";
  for (const std::string& name : parts.exports) script += fmt::format(" {};", name);
  for (const DataBlob& blob : parts.blobs) script += fmt::format(" {0}; {0}_size;", blob.symbol);
  return script + " local: *; };\n";
}

Status run_lld(const std::vector<std::string>& arguments) {
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  static bool usable = true;
  if (!usable) return error("the linker crashed earlier in this process and cannot be used again; start a new one");
  std::vector<const char*> argv;
  for (const std::string& a : arguments) argv.push_back(a.c_str());
  std::string out_text, problem_text;
  llvm::raw_string_ostream out(out_text), problems(problem_text);
  const lld::DriverDef driver{lld::Gnu, &lld::elf::link};
  const lld::Result result = lld::lldMain(argv, out, problems, {driver});
  usable = result.canRunAgain;
  if (result.retCode != 0) return error("linking failed: {}", problems.str());
  return Done{};
}

Result<std::string> with_large_blobs(const SharedObject& parts, const std::string& linked, const std::string& whole) {
  std::vector<DataBlob> large;
  for (const DataBlob& blob : parts.blobs)
    if (is_embedded(blob)) large.push_back(blob);
  if (large.empty()) return linked;
  HONE_PASS(embed_blobs(linked, large, whole));
  return whole;
}

}  // namespace

Status link_shared_object(const SharedObject& parts, const std::string& path) {
  HONE_TRY(const PartsFolder folder, PartsFolder::beside(path));
  const std::string result = folder.file("linked.so");
  std::vector<std::string> arguments = {"ld.lld", "-shared", "--build-id=none", "-z", "noexecstack", "-o", result};
  if (!parts.soname.empty()) arguments.push_back("-soname=" + parts.soname);
  for (size_t i = 0; i < parts.objects.size(); ++i) {
    const std::string file = folder.file(fmt::format("{}.o", i));
    HONE_PASS(write_file(file, parts.objects[i].data(), parts.objects[i].size()));
    arguments.push_back(file);
  }
  if (!parts.blobs.empty()) {
    HONE_PASS(write_data_object(parts.blobs, folder.file("data.o")));
    arguments.push_back(folder.file("data.o"));
  }
  const std::string script = version_script(parts);
  HONE_PASS(write_file(folder.file("exports"), script.data(), script.size()));
  arguments.push_back("--version-script=" + folder.file("exports"));
  HONE_PASS(run_lld(arguments));
  HONE_TRY(const std::string whole, with_large_blobs(parts, result, folder.file("whole.so")));
  if (parts.finish) HONE_PASS(parts.finish(whole));
  std::error_code problem;
  fs::rename(whole, path, problem);
  if (problem) return error("cannot write '{}': {}", path, problem.message());
  return Done{};
}

}  // namespace hone::codegen
