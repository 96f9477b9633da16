// hone knobs: the environment variables that Hone reads.
#include "base/knobs.h"

#include "hone/print.h"
#include "hone/verb.h"

namespace hone::tools {

void add_knobs(CLI::App& app, Verb& chosen) {
  CLI::App* verb = app.add_subcommand("knobs", "List the environment variables that Hone reads");
  verb->callback([&chosen] {
    chosen = []() -> Result<int> {
      Table table({{"variable"}, {"value"}, {"meaning", Align::Left, 120}});
      for (const KnobInfo& info : all_knobs()) table.add({info.variable, knob(info.knob).value_or("-"), info.meaning});
      fmt::print("{}", table.text());
      return kSuccess;
    };
  });
}

}  // namespace hone::tools
