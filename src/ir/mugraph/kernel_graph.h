// Kernel graph: which kernels run, on which buffers, in which order. Edges live in main memory.
//
//   graph := 'graph' name '{' kernel* edge* call* '}'
//   edge  := ('input' | 'output') name ':' type ('at' number)?        (position in the signature, if not in the order here)
//          | 'const' name ':' type ('=' constant)?                    (ir/text/constants.h)
//          | 'buffer' name ':' type
//   type  := dtype '[' (index (',' index)*)? ']'
//   call  := 'call' kernel edges ('with' symbol '=' index (',' symbol '=' index)*)? label?
//          | 'alias' edge '=' edge label?                             (same bytes, another shape)
//          | 'library' function edges '->' edges ('with' index (',' index)*)? label?         (inputs, outputs, integers)
//          | 'if' edge '{' call* '}' 'else' '{' call* '}' label?
//          | 'loop' edge 'below' edge 'carry' triple (',' triple)* ('stack' pair (',' pair)*)? '{' call* '}' label?
//                     (round, number of rounds; the first triple is the condition)
//   triple := edge '=' edge 'then' edge                              (what is carried: first value, next value)
//   pair  := edge '=' edge                                           (all rounds' slices, slice of one round)
//   edges := '(' (edge (',' edge)*)? ')'
//   label := 'as' "text"
//
//   graph two_layers {
//     kernel matmul(…) {…}
//     input x: f32[batch, 64]
//     output y: f32[batch, 10]
//     const w: f32[64, 10] = hash 0x7f3a0c5512de9b04
//     call matmul(x, w, y) with M = batch, K = 64, N = 10 as "MatMul_0"
//   }
//
// Dimensions are over the symbols of the model; a call binds the kernel's symbols to expressions of them.
#pragma once

#include "ir/mugraph/kernel.h"

namespace hone::ir {

struct Edge {
  enum class Kind { Input, Output, Constant, Buffer };
  Kind kind = Kind::Buffer;
  std::string name;
  TensorType type;
  int number = 0;                        // Input, Output: position in the model's signature
  std::optional<ConstantData> constant;  // Constant: row-major
};

struct Call {
  enum class Kind { Kernel, Alias, Library, If, Loop };
  Kind kind = Kind::Kernel;
  std::string label;     // the model's nodes that it computes, for profiles and messages
  int kernel = 0;        // Kernel
  std::string function;  // Library
  // Kernel: one per buffer. Alias: {to, from}. If: {condition}. Library: inputs then outputs. Loop: {number of rounds, round},
  // then {value, first, next} per carried value, the condition being the first of them, then {stack, slice} per stack.
  std::vector<int> edges;
  int carried = 0;                        // Loop: values, with the condition
  std::map<std::string, Index> sizes;     // Kernel: its symbols
  size_t outputs = 0;                     // Library: how many of the edges, the last ones, it writes
  std::vector<Index> integers;            // Library: its integer arguments
  std::vector<std::vector<Call>> bodies;  // If: then, else. Loop: one round. They share the edges of the graph
};

struct KernelGraph {
  std::string name;
  std::vector<Kernel> kernels;  // distinct ones; calls share them
  std::vector<Edge> edges;
  std::vector<Call> calls;
};

Status validate(const KernelGraph& graph);
std::string text_of(const KernelGraph& graph);
Result<KernelGraph> parse_kernel_graph(std::string_view text);

}  // namespace hone::ir
