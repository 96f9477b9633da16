// What Attention and FlexAttention share: heads [batch, heads, length, width], where several query heads may read the same
// key and value head.
#pragma once

#include "import/map/steps_internal.h"

namespace hone::import {

struct AttentionHeads {
  ir::ValueId query, key, value;
};

// Sizes of heads as they are now: whoever makes sizes equal may rename them.
struct AttentionSizes {
  ir::Index batch, query_heads, heads, group;  // query_heads = heads * group
  ir::Index queries, keys, depth, width;       // lengths; width of a key and of a value
};
AttentionSizes sizes_of(const Node& node, const AttentionHeads& heads);

// The width of each of so many heads that are packed side by side.
Result<ir::Index> head_width(const ir::Index& packed, int64_t heads);

// [batch, length, heads * width] → [batch, heads, length, width]
Result<ir::ValueId> split_heads(Node& node, ir::ValueId packed, int64_t heads);

// Makes the sizes of three tensors of rank 4 agree.
Result<AttentionHeads> attention_heads(Node& node, ir::ValueId query, ir::ValueId key, ir::ValueId value);

// The type in which it all is computed: f64 if one of the operands is, else f32.
ir::DType attention_type(Node& node, const AttentionHeads& heads);

// query · keyᵀ * scale as [batch, query_heads, queries, keys], in the given type. The scale is the node's attribute or 1/√depth.
ir::ValueId attention_scores(Node& node, Steps& steps, const AttentionHeads& heads, ir::DType type);

// probabilities · value as [batch, query_heads, queries, width].
ir::ValueId attention_result(Node& node, Steps& steps, const AttentionHeads& heads, ir::ValueId probabilities);

}  // namespace hone::import
