// A node of the model as its mapping sees it: operands, attributes, and the means to build ops of the Program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "import/graph_internal.h"
#include "import/sizes_internal.h"

namespace hone::import {

// The words of every mapping.
using ir::DType;
using ir::Index;
using ir::OpKind;
using ir::ValueId;
using Values = std::vector<ValueId>;
using AttributeMap = std::map<std::string, ir::Attribute>;

class Node;
// The values of the node's outputs, in order; fewer if the rest is not supported.
using Mapping = Result<Values> (*)(Node&);
// The same as terms: for operators that take or give sequences, or whose results may be known. An error without a text
// says that the reasons were told already.
using TermMapping = Result<std::vector<Term>> (*)(Node&);

// What the table knows of an operator.
struct Entry {
  const char* op_type;  // with its domain before it, unless that is ONNX itself
  Mapping map;          // null if it has map_terms
  ir::OpKind kind;      // for the mappings that serve several operators
  size_t fewest, most;  // inputs
  TermMapping map_terms = nullptr;
};
inline bool is_onnx_itself(const std::string& domain) {
  return domain.empty() || domain == "ai.onnx";
}
const Entry* find_entry(const std::string& domain, const std::string& op_type);

class Node {
 public:
  Node(Importer& importer, Scope& scope, const onnx::NodeProto& proto, const Entry& entry, int depth);

  const std::string& op_type() const { return proto_.op_type(); }
  ir::OpKind kind() const { return entry_.kind; }
  int opset() const { return importer_.opset(); }
  int depth() const { return depth_; }
  Attributes& attributes() { return attributes_; }
  Importer& importer() { return importer_; }
  Scope& scope() { return scope_; }
  const ir::Program& program() const { return scope_.frame->program; }

  size_t input_count() const { return terms_.size(); }
  size_t output_count() const { return static_cast<size_t>(proto_.output_size()); }
  bool has(size_t k) const { return k < terms_.size() && terms_[k]; }
  bool wants(size_t k) const { return k < output_count() && !proto_.output(static_cast<int>(k)).empty(); }
  ir::ValueId input(size_t k);  // kAbsent if it is not given
  Values inputs();
  const Term& term(size_t k) const { return *terms_[k]; }
  bool is_tensor(size_t k) const { return has(k) && terms_[k]->is_tensor(); }
  ir::TensorType type(size_t k) const;
  ir::Shape shape(size_t k) const { return type(k).shape; }
  size_t rank(size_t k) const { return type(k).shape.size(); }

  // Elements of an operand that shape arithmetic knows. Operands asked for in vain are remembered: their values would
  // answer a refusal.
  const Known* known(size_t k) const;
  const std::set<ir::ValueId>& asked_in_vain() const { return asked_in_vain_; }
  void no_value_helps() { asked_in_vain_.clear(); }
  // Whether a size is 1, if that is known. Sizes asked for in vain are remembered too.
  std::optional<bool> is_one(const ir::Index& size) { return importer_.is_one(size, sizes_asked_in_vain_); }
  const std::set<std::string>& sizes_asked_in_vain() const { return sizes_asked_in_vain_; }
  // Elements of an integer operand as sizes, or as numbers; refused if they depend on data.
  Result<std::vector<ir::Index>> sizes(size_t k, const char* what) const;
  Result<std::vector<int64_t>> integers(size_t k, const char* what) const;
  // An attribute in old opsets, an input in new ones; `otherwise` if neither is given.
  Result<std::vector<int64_t>> integers(const char* name, size_t k, const std::vector<int64_t>& otherwise = {});
  // Elements of a small constant.
  std::optional<std::vector<double>> numbers(size_t k) const;

  // Builds an op with one result. Where the result's type carries what is wanted (Reshape, Slice, …), `type` is it.
  Result<ir::ValueId> emit(ir::OpKind kind, Values inputs, AttributeMap attributes = {},
                           const ir::TensorType& type = {});
  Result<Values> emit_many(ir::OpKind kind, Values inputs, AttributeMap attributes, std::vector<ir::Program> bodies,
                           const std::vector<ir::TensorType>& types);
  Result<ir::ValueId> reshape(ir::ValueId value, const ir::Shape& shape);
  Result<ir::ValueId> scalar(ir::DType type, double value);
  Result<ir::ValueId> cast(ir::ValueId value, ir::DType type);  // the value itself if it has that type
  ir::ValueId constant(const ir::TensorType& type, ir::ConstantData data);
  ir::ValueId size(const ir::Index& size);  // as data: an i64 scalar
  const ir::TensorType& type_of(ir::ValueId id) const { return program().type(id); }

  // Makes two dimensions of two values equal, as import.h says; `b` may be replaced by a reshaped value.
  Status match(ir::ValueId a, size_t axis_a, ir::ValueId& b, size_t axis_b);
  // As match, unless both dimensions are numbers: inference compares those, and has a text of its own for each op. Does
  // nothing for values that are absent or lack the dimension.
  Status match_open(ir::ValueId a, size_t axis_a, ir::ValueId& b, size_t axis_b);
  // Whether a size that broadcasts to another has to match it, and whether one of two that broadcast has to.
  bool must_equal(const ir::Index& size, const ir::Index& to) { return importer_.must_equal(size, to); }
  bool must_equal_each_other(const ir::Index& a, const ir::Index& b) { return importer_.must_equal_each_other(a, b); }
  // The front of a value, as long as a number that is computed says (Trim). Refused inside a body.
  Result<ir::ValueId> trim(ir::ValueId value, ir::ValueId count, size_t axis);
  // Makes a dimension of an input the given size; refused if it cannot be shown. Symbols may be replaced by this.
  Status require(size_t k, size_t axis, const ir::Index& size);
  // Prepares operands of an op that broadcasts.
  Status match_broadcast(Values& values);

  static Result<Values> single(Result<ir::ValueId> value);

 private:
  Importer& importer_;
  Scope& scope_;
  const onnx::NodeProto& proto_;
  const Entry& entry_;
  Attributes attributes_;
  int depth_;
  std::vector<Term*> terms_;  // null: not given
  mutable std::set<ir::ValueId> asked_in_vain_;
  std::set<std::string> sizes_asked_in_vain_;
};

// One function per operator or family; the table names them.
Result<Values> map_plain(Node& node);      // same inputs, no attributes
Result<Values> map_broadcast(Node& node);  // operands that broadcast
Result<Values> map_variadic(Node& node);   // Min, Max, Sum as chains
Result<Values> map_mean(Node& node);
Result<Values> map_pow(Node& node);
Result<Values> map_prelu(Node& node);
Result<Values> map_mod(Node& node);
Result<Values> map_alpha(Node& node);  // LeakyRelu, Elu
Result<Values> map_hard_sigmoid(Node& node);
Result<Values> map_clip(Node& node);
Result<Values> map_cast(Node& node);
Result<Values> map_logic(Node& node);  // And, BitwiseAnd, …
Result<Values> map_bit_shift(Node& node);
Result<Values> map_bit_cast(Node& node);
Result<Values> map_is_inf(Node& node);
Result<Values> map_selu(Node& node);
Result<Values> map_celu(Node& node);
Result<Values> map_swish(Node& node);
Result<Values> map_softsign(Node& node);
Result<Values> map_thresholded_relu(Node& node);
Result<Values> map_shrink(Node& node);
Result<Values> map_quantize(Node& node);
Result<Values> map_dequantize(Node& node);
Result<Values> map_dynamic_quantize(Node& node);
Result<Values> map_matmul_integer(Node& node);
Result<Values> map_conv_integer(Node& node);
Result<Values> map_qlinear_matmul(Node& node);
Result<Values> map_qlinear_conv(Node& node);
Result<Values> map_gelu(Node& node);
Result<Values> map_mish(Node& node);
Result<Values> map_binarizer(Node& node);
Result<Values> map_array_feature_extractor(Node& node);
Result<Values> map_adagrad(Node& node);
Result<Values> map_adam(Node& node);
Result<Values> map_momentum(Node& node);
Result<Values> map_reduce(Node& node);
Result<Values> map_global_pool(Node& node);
Result<Values> map_matmul(Node& node);
Result<Values> map_gemm(Node& node);
Result<Values> map_conv(Node& node);
Result<Values> map_conv_transpose(Node& node);
Result<Values> map_pool(Node& node);
Result<Values> map_resize(Node& node);
Result<Values> map_gather(Node& node);
Result<Values> map_gather_elements(Node& node);
Result<Values> map_pad(Node& node);
Result<Values> map_range(Node& node);
Result<Values> map_constant_of_shape(Node& node);
Result<Values> map_cumulative(Node& node);  // CumSum, CumProd
Result<Values> map_identity(Node& node);
Result<Values> map_dropout(Node& node);
Result<Values> map_reshape(Node& node);
Result<Values> map_flatten(Node& node);
Result<Values> map_squeeze(Node& node);
Result<Values> map_unsqueeze(Node& node);
Result<Values> map_transpose(Node& node);
Result<Values> map_slice(Node& node);
Result<Values> map_split(Node& node);
Result<Values> map_concat(Node& node);
Result<Values> map_expand(Node& node);
Result<Values> map_tile(Node& node);
Result<Values> map_depth_to_space(Node& node);
Result<Values> map_space_to_depth(Node& node);
Result<Values> map_constant(Node& node);
Result<Values> map_softmax(Node& node);
Result<Values> map_layer_norm(Node& node);
Result<Values> map_batch_norm(Node& node);
Result<Values> map_instance_norm(Node& node);
Result<Values> map_arg_extremum(Node& node);  // ArgMax, ArgMin
Result<Values> map_hardmax(Node& node);
Result<Values> map_reduce_log_sum_exp(Node& node);
Result<Values> map_lp_normalization(Node& node);
Result<Values> map_group_norm(Node& node);
Result<Values> map_mean_variance_norm(Node& node);
Result<Values> map_lrn(Node& node);
Result<Values> map_trilu(Node& node);
Result<Values> map_eye_like(Node& node);
Result<Values> map_one_hot(Node& node);
Result<Values> map_center_crop_pad(Node& node);
Result<Values> map_negative_log_likelihood(Node& node);
Result<Values> map_softmax_cross_entropy(Node& node);
Result<Values> map_gather_nd(Node& node);
Result<Values> map_reverse_sequence(Node& node);
Result<Values> map_top_k(Node& node);
Result<Values> map_scatter_elements(Node& node);
Result<Values> map_scatter_nd(Node& node);
Result<Values> map_det(Node& node);
Result<Values> map_max_unpool(Node& node);
Result<Values> map_col2im(Node& node);
Result<Values> map_grid_sample(Node& node);
Result<Values> map_affine_grid(Node& node);
Result<Values> map_roi_align(Node& node);
Result<Values> map_deform_conv(Node& node);
Result<Values> map_dft(Node& node);
Result<Values> map_stft(Node& node);
Result<Values> map_window_function(Node& node);  // HannWindow, HammingWindow, BlackmanWindow
Result<Values> map_mel_weight_matrix(Node& node);
Result<Values> map_nonzero(Node& node);
Result<Values> map_compress(Node& node);
Result<Values> map_unique(Node& node);
Result<Values> map_non_max_suppression(Node& node);
Result<Values> map_attention(Node& node);
Result<Values> map_flex_attention(Node& node);
Result<Values> map_rotary_embedding(Node& node);
Result<Values> map_linear_attention(Node& node);
Result<Values> map_causal_conv(Node& node);
Result<Values> map_tensor_scatter(Node& node);
Result<Values> map_einsum(Node& node);
Result<Values> map_recurrent(Node& node);  // RNN, GRU, LSTM
Result<Values> map_scan(Node& node);

using Terms = std::vector<Term>;
Result<Terms> map_if(Node& node);
Result<Terms> map_loop(Node& node);
Result<Terms> map_identity_of_any(Node& node);
Result<Terms> map_sequence_empty(Node& node);
Result<Terms> map_sequence_construct(Node& node);
Result<Terms> map_sequence_at(Node& node);
Result<Terms> map_sequence_insert(Node& node);
Result<Terms> map_sequence_erase(Node& node);
Result<Terms> map_sequence_length(Node& node);
Result<Terms> map_sequence_map(Node& node);
Result<Terms> map_split_to_sequence(Node& node);
Result<Terms> map_concat_from_sequence(Node& node);
Result<Terms> map_optional(Node& node);
Result<Terms> map_optional_has_element(Node& node);
Result<Terms> map_optional_get_element(Node& node);

}  // namespace hone::import
