// hone: compile, run, time, check and look into models.
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <new>

#include "base/printable.h"
#include "hone/habits.h"
#include "hone/verb.h"
#include "hone/version.h"

namespace hone::tools {
namespace {

int fail_inside(const char* what) {
  fmt::print(
      stderr,
      "hone: {}\n"
      "This is a fault in Hone, not in your model. Please report it with this text, the command line, the output\n"
      "of `hone doctor` and, if you can, the model. --skip PASS may help meanwhile (`hone compile --help`).\n",
      what);
  return kInternal;
}

int run_verb(const Verb& verb, const std::string& name) {
  try {
    Result<int> code = verb();
    if (code) return *code;
    std::fflush(stdout);
    constexpr size_t kMostBytes = 16000;
    fmt::print(stderr, "hone {}: {}\n", name, printable(code.problem().message, kMostBytes, true));
    return kFailure;
  } catch (const std::bad_alloc&) {
    std::fflush(stdout);
    fmt::print(stderr, "hone {}: out of memory\n", name);
    return kFailure;
  } catch (const std::exception& thrown) {
    std::fflush(stdout);
    return fail_inside(thrown.what());
  }
}

int main_of(std::vector<std::string> arguments) {
  CLI::App app("Compiles tensor programs and ONNX models to fast code, and shows that it is right.", "hone");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("hone ") + version());
  app.failure_message(CLI::FailureMessage::simple);
  Verb chosen;
  add_run(app, chosen);
  add_bench(app, chosen);
  add_compile(app, chosen);
  add_inspect(app, chosen);
  add_verify(app, chosen);
  add_reduce(app, chosen);
  add_doctor(app, chosen);
  add_choice(app, chosen);
  add_knobs(app, chosen);
  try {
    arguments = in_our_spelling(std::move(arguments));
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& wrong) {
    return app.exit(wrong) == 0 ? kSuccess : kUsage;
  }
  return run_verb(chosen, app.get_subcommands().front()->get_name());
}

}  // namespace
}  // namespace hone::tools

int main(int argc, char** argv) {
  return hone::tools::main_of({argv + 1, argv + argc});
}
