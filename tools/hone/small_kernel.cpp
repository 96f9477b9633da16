#include "hone/small_kernel.h"

#include "hone/inputs.h"
#include "measure/machine_figures.h"
#include "measure/rounds.h"
#include "pipeline/compile.h"
#include "pipeline/read_graph.h"

namespace hone::tools {
namespace {

// Input and output stay in the nearest cache.
constexpr int64_t kPoints = 2048;

std::string call_text(const std::string& function) {
  if (function == "exp2") return "pow(2, x[n])";
  return function + (function == "pow" ? "(x[n], 0.3)" : "(x[n])");
}

}  // namespace

Result<Call> prepare_kernel(const std::string& text, int threads, const target::Target& target) {
  HONE_TRY(pipeline::GraphSource source, pipeline::read_graph(text, {}, target));
  pipeline::Options options;
  options.threads = threads;
  options.isa = target::name_of(target.isa);
  HONE_TRY(pipeline::CompiledModel model,
           pipeline::compile_graph(std::move(source.graph), std::move(source.plan), options));
  HONE_TRY(auto session, pipeline::load(std::move(model), options));
  HONE_TRY(Inputs inputs, make_inputs(session->executable(), {}));
  return Call::make(session, inputs.tensors);
}

Result<double> seconds_of(Call& call) {
  Status status = Done{};
  auto run = [&] {
    if (status.ok()) status = call.run();
  };
  int64_t repeats = measure::repeats_for(run);
  double seconds = measure::fastest_round(1, [&](int) {
    for (int64_t k = 0; k < repeats; ++k) run();
  });
  HONE_PASS(status);
  return seconds / static_cast<double>(repeats);
}

Result<double> cycles_of_function(const std::string& function, const target::Target& target) {
  const int lanes = target.vector_bits / 32;
  std::string text = fmt::format(R"(graph points {{
    kernel points(in x: f32[N], out y: f32[N]) {{
      axis n < N
      grid n step T_n {{
        group (n) {{ y[n] = {1} }}
      }}
    }}
    input x: f32[{0}]
    output y: f32[{0}]
    call points(x, y) with N = {0}
  }}
plan points {{
    set T_n = {0}
    pin N = {0}
    group 0: vector n by {2}, tile n:4, order (n)
  }}
)",
                                 kPoints, call_text(function), lanes);
  HONE_TRY(Call call, prepare_kernel(text, 1, target));
  HONE_TRY(double seconds, seconds_of(call));
  return seconds * measure::cycles_per_second() / (static_cast<double>(kPoints) / lanes);
}

}  // namespace hone::tools
