// Graphs as text, and what the analytic model makes of them.
#pragma once

#include "cost/complete.h"
#include "cost/desktop.h"

namespace hone::cost {

inline std::string gemm_text(int64_t m, int64_t k, int64_t n) {
  return fmt::format(R"(graph one {{
    kernel gemm(in a: f32[M, K], in b: f32[K, N], out y: f32[M, N]) {{
      axis m < M, n < N, k < K
      grid m step T_m {{ grid n step T_n {{
        group (m, n) over (k) {{ s = sum a[m, k] * b[k, n] then y[m, n] = s }}
      }} }}
    }}
    input a: f32[{0}, {1}]
    const b: f32[{1}, {2}]
    output y: f32[{0}, {2}]
    call gemm(a, b, y) with M = {0}, K = {1}, N = {2}
  }})",
                     m, k, n);
}

inline Completed completed(const std::string& text, const target::Target& target = desktop()) {
  auto graph = ir::parse_kernel_graph(text);
  HONE_CHECK(graph.ok(), "{}", graph.problem().message);
  auto result = complete(*graph, target);
  HONE_CHECK(result.ok(), "{}", result.problem().message);
  return std::move(*result);
}

}  // namespace hone::cost
