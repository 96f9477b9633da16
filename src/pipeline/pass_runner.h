// Runs every pass the same way: timed, skippable by name, validated after, dumped on request.
#pragma once

#include <chrono>
#include <fstream>

#include "pipeline/compile.h"

namespace hone::pipeline {

class PassRunner {
 public:
  PassRunner(const Options& options, Report& report) : options_(options), report_(report) {}

  // A pass from T to T; without it the value stays.
  template <typename T, typename Pass>
  Result<T> rewrite(const std::string& name, T value, Pass pass) {
    for (const std::string& skipped : options_.skip)
      if (skipped == name) return value;
    return step(name, [&]() -> Result<T> { return pass(std::move(value)); });
  }

  // A pass that nothing can go on without.
  template <typename Pass>
  auto step(const std::string& name, Pass pass) {
    auto begin = std::chrono::steady_clock::now();
    auto result = pass();
    report_.passes.push_back({name, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()});
    return result;
  }

  void dump(const std::string& name, const std::string& text);

 private:
  const Options& options_;
  Report& report_;
  int dumped_ = 0;
};

}  // namespace hone::pipeline
