// Profiles as JSON.
#include <algorithm>
#include <cstring>

#include "capi/runtime_inputs.h"

namespace hone::capi {

namespace {

using Rounds = std::vector<std::vector<runtime::StepTime>>;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  }
  return out + "\"";
}

double median(std::vector<double> values) {
  auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Result<Rounds> profile(runtime::Runner& runner, std::span<const runtime::InputTensor> inputs, int rounds) {
  HONE_TRY(std::vector<runtime::OutputTensor> outputs, runner.run(inputs));  // also warms up
  std::vector<runtime::OutputMemory> memory;
  for (const runtime::OutputTensor& output : outputs) memory.push_back({output.data.data(), output.data.size()});
  Rounds all;
  for (int round = 0; round < rounds; ++round) {
    HONE_TRY(std::vector<runtime::StepTime> times, runner.run_profiled(inputs, memory));
    all.push_back(std::move(times));
  }
  return all;
}

// The same inputs take the same branches, so all rounds list the same steps.
std::string json_of(const runtime::Runner& runner, const Rounds& rounds) {
  std::vector<double> totals;
  for (const auto& round : rounds) {
    double total = 0;
    for (const runtime::StepTime& step : round) total += step.seconds;
    totals.push_back(total);
  }
  std::string steps;
  for (size_t i = 0; i < rounds[0].size(); ++i) {
    const runtime::StepTime& step = rounds[0][i];
    std::vector<double> seconds;
    for (const auto& round : rounds) seconds.push_back(round[i].seconds);
    steps += fmt::format("{}{{\"label\": {}, \"function\": {}, \"seconds\": {:.9f}, \"flops\": {}, \"bytes\": {}}}",
                         i == 0 ? "" : ",\n  ", quoted(step.label), quoted(step.function), median(seconds), step.flops,
                         step.bytes);
  }
  return fmt::format("{{\"model\": {}, \"threads\": {}, \"rounds\": {}, \"seconds\": {:.9f},\n \"steps\": [\n  {}]}}\n",
                     quoted(runner.face().name), runner.threads(), rounds.size(), median(totals), steps);
}

char* copied(const std::string& text) {
  auto* copy = new char[text.size() + 1];
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace

}  // namespace hone::capi

extern "C" hone_status* hone_session_profile(hone_session* session, const hone_tensor* inputs, size_t input_count,
                                             int32_t rounds, char** json) {
  return hone::capi::guarded([&]() -> hone::Status {
    if (rounds < 1) return hone::error("a profile needs at least one round, not {}", rounds);
    hone::capi::FewOrMany<hone::runtime::InputTensor> tensors(input_count);
    HONE_PASS(hone::capi::read_inputs(tensors, *session->runner, inputs, input_count, false));
    HONE_TRY(hone::capi::Rounds all, hone::capi::profile(*session->runner, tensors.all(), rounds));
    *json = hone::capi::copied(hone::capi::json_of(*session->runner, all));
    return hone::Done{};
  });
}
