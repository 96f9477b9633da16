// ONNX Scan → Scan. The form of opset 8, which has a batch in front of everything, becomes one Scan per element of the batch.
#include "import/map/control/body_internal.h"

namespace hone::import {
namespace {

constexpr int64_t kMostBatches = 64;

class ScanNode {
 public:
  explicit ScanNode(Node& node) : node_(node), graph_(node.attributes().graph("body")) {}

  Result<Values> run() {
    HONE_PASS(read());
    if (!batched_) return scan(inputs_);
    auto batch = node_.type_of(inputs_[0]).shape[0].constant();
    if (!batch || *batch < 1 || *batch > kMostBatches)
      return error("its batch has the size {}; a number up to {}, or the form of opset 9, would work",
                   node_.type_of(inputs_[0]).shape[0].text(), kMostBatches);
    std::vector<Values> parts(graph_outputs());
    for (int64_t b = 0; b < *batch; ++b) {
      HONE_TRY(Values inputs, of_batch(b));
      HONE_TRY(Values results, scan(inputs));
      for (size_t k = 0; k < results.size(); ++k) {
        HONE_TRY(ValueId part, with_batch(results[k]));
        parts[k].push_back(part);
      }
    }
    Values joined;
    for (const Values& part : parts) {
      HONE_TRY(ValueId value, node_.emit(OpKind::Concat, part, {{"axis", int64_t{0}}}));
      joined.push_back(value);
    }
    return joined;
  }

 private:
  Status read() {
    if (!graph_) return error("it lacks its body");
    batched_ = node_.opset() < 9;
    if (batched_ && node_.has(0)) return error("sequence_lens is not supported; sequences of equal length would work");
    size_t first = batched_ ? 1 : 0;
    if (node_.input_count() < first + 1) return error("it scans no input");
    for (size_t k = first; k < node_.input_count(); ++k) {
      if (!node_.has(k)) return error("input number {} is missing", k);
      inputs_.push_back(node_.input(k));
      if (batched_ && node_.rank(k) == 0) return error("input number {} has no batch", k);
    }
    int64_t scanned = node_.attributes().integer("num_scan_inputs", 0);
    if (scanned < 1 || scanned > static_cast<int64_t>(inputs_.size()))
      return error("it has {} inputs and scans {} of them", inputs_.size(), scanned);
    scanned_ = static_cast<size_t>(scanned);
    if (static_cast<size_t>(graph_->input_size()) != inputs_.size() || graph_outputs() < states())
      return error("its body has {} inputs and {} outputs, which does not fit {} states and {} scanned inputs",
                   graph_->input_size(), graph_->output_size(), states(), scanned_);
    if (node_.output_count() > graph_outputs()) return error("it has more outputs than its body");
    const char* directions = batched_ ? "directions" : "scan_input_directions";
    HONE_TRY(directions_, list(directions, scanned_));
    HONE_TRY(axes_, list("scan_input_axes", scanned_));
    HONE_TRY(out_axes_, list("scan_output_axes", graph_outputs() - states()));
    HONE_TRY(out_directions_, list("scan_output_directions", graph_outputs() - states()));
    return Done{};
  }

  size_t states() const { return inputs_.size() - scanned_; }
  size_t graph_outputs() const { return static_cast<size_t>(graph_->output_size()); }

  Result<std::vector<int64_t>> list(const char* name, size_t count) {
    std::vector<int64_t> numbers = node_.attributes().integers(name, std::vector<int64_t>(count, 0));
    if (numbers.size() != count) return error("{} has {} entries, {} are needed", name, numbers.size(), count);
    return numbers;
  }

  Result<Values> of_batch(int64_t b) {
    Values parts;
    for (ValueId id : inputs_) {
      ir::TensorType type = node_.type_of(id);
      type.shape[0] = 1;
      std::vector<int64_t> starts(type.shape.size(), 0);
      starts[0] = b;
      HONE_TRY(ValueId row, node_.emit(OpKind::Slice, {id}, {{"starts", starts}}, type));
      HONE_TRY(row, node_.reshape(row, {type.shape.begin() + 1, type.shape.end()}));
      parts.push_back(row);
    }
    return parts;
  }

  Result<ValueId> with_batch(ValueId value) {
    ir::Shape shape = node_.type_of(value).shape;
    shape.insert(shape.begin(), Index(1));
    return node_.reshape(value, shape);
  }

  Result<Values> scan(Values inputs) {
    std::vector<int64_t> axes;
    for (size_t k = 0; k < scanned_; ++k) {
      size_t rank = node_.type_of(inputs[states() + k]).shape.size();
      HONE_TRY(int axis, normal_axis(axes_[k], rank));
      axes.push_back(axis);
      if (k > 0)
        HONE_PASS(node_.match(inputs[states()], static_cast<size_t>(axes[0]), inputs[states() + k],
                              static_cast<size_t>(axis)));
    }
    Body body;
    HONE_PASS(read_body(inputs, axes, body));
    std::vector<int64_t> out_axes;
    for (size_t k = states(); k < graph_outputs(); ++k) {
      size_t rank = body.frame.program.type(body.frame.program.outputs[k]).shape.size() + 1;
      HONE_TRY(int axis, normal_axis(out_axes_[k - states()], rank));
      out_axes.push_back(axis);
    }
    inputs.insert(inputs.end(), body.frame.captured.begin(), body.frame.captured.end());
    AttributeMap attributes{{"states", static_cast<int64_t>(states())},
                            {"axes", axes},
                            {"reverse", directions_},
                            {"out_axes", out_axes},
                            {"out_reverse", out_directions_}};
    return node_.emit_many(OpKind::Scan, inputs, attributes, {std::move(body.frame.program)},
                           std::vector<ir::TensorType>(graph_outputs()));
  }

  Status read_body(const Values& inputs, const std::vector<int64_t>& axes, Body& body) {
    begin_body(node_, body, "step");
    Importer::Open open(node_.importer(), body.scope);
    for (size_t k = 0; k < inputs.size(); ++k) {
      ir::TensorType type = node_.type_of(inputs[k]);
      if (k >= states()) type.shape.erase(type.shape.begin() + axes[k - states()]);
      add_input(node_, body, graph_->input(static_cast<int>(k)).name(), type);
    }
    HONE_PASS(import_body(node_, *graph_, body));
    HONE_PASS(add_results(node_.importer(), body));
    for (size_t s = 0; s < states(); ++s)
      HONE_PASS(
          settle_type(node_.importer(), body, s, [&] { return node_.type_of(inputs[s]); }, fmt::format("state {}", s)));
    return Done{};
  }

  Node& node_;
  const onnx::GraphProto* graph_;
  bool batched_ = false;
  Values inputs_;
  size_t scanned_ = 0;
  std::vector<int64_t> axes_, directions_, out_axes_, out_directions_;
};

}  // namespace

Result<Values> map_scan(Node& node) {
  return ScanNode(node).run();
}

}  // namespace hone::import
