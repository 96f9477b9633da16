#include "hone/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "base/knobs.h"

extern char** environ;

namespace hone::tools {
namespace {

std::string read_all(int file) {
  std::string text;
  char piece[4096];
  for (;;) {
    ssize_t got = read(file, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(piece, static_cast<size_t>(got));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Result<Finished> run_process(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return error("no pipe to '{}': {}", command[0], std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Finished finished;
  if (failed == 0) {
    finished.output = read_all(ends[0]);
    finished.exit_code = wait_for(child);
  }
  close(ends[0]);
  if (failed != 0) return error("'{}' cannot be started: {}", command[0], std::strerror(failed));
  return finished;
}

std::string python_path() {
  if (auto chosen = knob(Knob::Python)) return *chosen;
  std::error_code failed;
  auto folder = std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
  for (; !failed && folder.has_relative_path(); folder = folder.parent_path()) {
    auto python = folder / ".venv" / "bin" / "python";
    if (std::filesystem::exists(python, failed)) return python.string();
  }
  return "python3";
}

Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code failed;
  std::string name = (std::filesystem::temp_directory_path(failed) / "hone-XXXXXX").string();
  if (failed || mkdtemp(name.data()) == nullptr)
    return error("no temporary folder can be made: {}", std::strerror(errno));
  return TemporaryFolder(name);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace hone::tools
