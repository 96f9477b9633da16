#include "target/cores.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace hone::target {

namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::vector<int> allowed_processors() {
  // The mask must be as long as the kernel's own, which is not known beforehand.
  for (size_t count = 1024; count <= (1u << 20); count *= 2) {
    cpu_set_t* set = CPU_ALLOC(count);
    if (set == nullptr) break;
    size_t bytes = CPU_ALLOC_SIZE(count);
    std::vector<int> found;
    bool read = sched_getaffinity(0, bytes, set) == 0;
    if (read)
      for (size_t i = 0; i < count; ++i)
        if (CPU_ISSET_S(i, bytes, set)) found.push_back(static_cast<int>(i));
    CPU_FREE(set);
    if (read) return found;
  }
  return {0};
}

// Hyperthreads share their vector units, so they count once. Processors without topology count each.
int physical_cores() {
  std::set<std::string> cores;
  for (int processor : allowed_processors()) {
    std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/";
    std::string siblings = first_line(folder + "thread_siblings_list");
    cores.insert(siblings.empty() ? "alone " + std::to_string(processor) : siblings);
  }
  return static_cast<int>(cores.size());
}

// The folder of this process below a hierarchy's mount point, from "id:controllers:path" lines.
std::string group_path(std::string_view controller) {
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    size_t first = line.find(':');
    size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::stringstream names(line.substr(first + 1, second - first - 1));
    std::string name;
    if (second == first + 1 && controller.empty()) return line.substr(second + 1);
    while (std::getline(names, name, ','))
      if (name == controller) return line.substr(second + 1);
  }
  return "/";
}

int smaller_limit(int a, int b) {
  return a == 0 ? b : b == 0 ? a : std::min(a, b);
}

// The tightest quota from the process's group up to the root. Inside a container the path may lead outside what is
// mounted; the root of the mount is then the container's own group.
template <typename Read>
int quota_along(const std::string& mount, std::string path, Read read) {
  int limit = read(mount);
  while (path.size() > 1) {
    limit = smaller_limit(limit, read(mount + path));
    path.resize(path.rfind('/'));
  }
  return limit;
}

int group_quota() {
  int unified = quota_along("/sys/fs/cgroup", group_path(""), [](const std::string& folder) {
    return quota_of_cpu_max(first_line(folder + "/cpu.max"));
  });
  int legacy = quota_along("/sys/fs/cgroup/cpu", group_path("cpu"), [](const std::string& folder) {
    return quota_of_cpu_max(first_line(folder + "/cpu.cfs_quota_us") + " " + first_line(folder + "/cpu.cfs_period_us"));
  });
  return smaller_limit(unified, legacy);
}

}  // namespace

int quota_of_cpu_max(std::string_view text) {
  int64_t quota = 0, period = 0;
  const char* end = text.data() + text.size();
  auto first = std::from_chars(text.data(), end, quota);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ' ') return 0;
  auto second = std::from_chars(first.ptr + 1, end, period);
  if (second.ec != std::errc() || quota <= 0 || period <= 0) return 0;
  int64_t processors = quota / period + (quota % period != 0);
  return static_cast<int>(std::min<int64_t>(processors, 1 << 20));
}

int available_cores() {
  int cores = std::max(1, physical_cores());
  int quota = group_quota();
  return quota == 0 ? cores : std::min(cores, quota);
}

}  // namespace hone::target
