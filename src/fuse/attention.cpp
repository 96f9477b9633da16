#include "fuse/attention.h"

#include <algorithm>
#include <limits>
#include <numbers>

namespace hone::fuse {
namespace {

using ir::Combine;
using ir::DType;
using ir::Index;
using ir::Scalar;
using ir::ScalarOp;
using ir::ValueId;
using partition::Cluster;

Scalar at(int read) {
  return ir::access_value(DType::F32, read);
}

// One step of the kernel's own: reads tiles and steps before it.
Step step_of(ValueId result, bool point, Combine combine, std::vector<Read> reads, Scalar body) {
  Step step;
  step.result = result;
  step.type = DType::F32;
  step.point = point;
  step.combine = combine;
  step.reads = std::move(reads);
  step.body = std::move(body);
  return step;
}

class AttentionEmitter {
 public:
  AttentionEmitter(const Draft& draft, const ir::Program& program)
      : draft_(draft),
        attention_(*draft.attention),
        next_(static_cast<ValueId>(program.values.size())),
        query_{attention_.query, extent(attention_.query)},
        key_{attention_.key, extent(attention_.key)},
        element_{attention_.element, extent(attention_.element)} {
    result_.buffers = add_buffers(draft, program, writer_, homes_);
  }

  Emitted emit() {
    for (const auto* axes : {&draft_.rows, &draft_.cols})
      for (const ir::Axis& axis : *axes) writer_.add_axis(axis);
    writer_.add_axis(attention_.feature);
    Tile queries = tile("queries", {attention_.feature.name, query_.name});
    std::vector<ir::Node> task = turned_queries(queries);
    for (ir::Node& node : loop(queries)) task.push_back(std::move(node));
    for (ir::Node& node : results()) task.push_back(std::move(node));
    task = {nested(true, query_.name, Index::symbol("T_" + query_.name), std::move(task))};
    for (size_t k = draft_.rows.size(); k-- > 0;)
      if (const std::string& axis = draft_.rows[k].name; axis != query_.name && axis != element_.name)
        task = {nested(true, axis, 1, std::move(task))};
    result_.kernel = writer_.finish(draft_.name, std::move(task));
    return std::move(result_);
  }

 private:
  // A tile of the kernel under an id of its own, read and written at its axes.
  struct Tile {
    ValueId id;
    int place;
    std::vector<Index> index;

    Read read() const { return {id, false, index, {}}; }
    Store keep(ValueId from) const { return {from, id, index}; }
  };

  Tile tile(const std::string& name, const std::vector<std::string>& axes) {
    Tile result{next_++, writer_.add_tile(name, DType::F32, axes), {}};
    for (const std::string& axis : axes) result.index.push_back(Index::axis(axis));
    homes_.reads[result.id] = homes_.writes[result.id] = whole(result.place);
    return result;
  }

  const Index& extent(const std::string& name) const {
    for (const auto* axes : {&draft_.rows, &draft_.cols})
      for (const ir::Axis& axis : *axes)
        if (axis.name == name) return axis.extent;
    HONE_CHECK(false, "attention has no axis {}", name);
  }

  const Step& step(ValueId result) const {
    return *std::find_if(draft_.steps.begin(), draft_.steps.end(),
                         [&](const Step& step) { return step.result == result; });
  }

  std::vector<ir::Node> groups(Cluster::Kind kind, std::vector<ir::Axis> rows, std::vector<ir::Axis> cols,
                               std::vector<Step> steps, std::vector<Store> stores) {
    Draft part;
    part.kind = kind;
    part.rows = std::move(rows);
    part.cols = std::move(cols);
    part.steps = std::move(steps);
    part.stores = std::move(stores);
    return emit_groups(part, homes_, {}, writer_);
  }

  // The read of a factor's step that is no number.
  size_t scaled_read(const Step& factor) const {
    bool first = std::any_of(factor.reads[0].index.begin(), factor.reads[0].index.end(),
                             [&](const Index& index) { return index.uses_axis(attention_.feature.name); });
    return first ? 0 : 1;
  }

  // Queries or keys as they lie in memory: the product's operand, or what its factor scales.
  Read unscaled(size_t side) const {
    const Read& read = step(attention_.scores).reads[side];
    if (!read.inside) return read;
    const Step& factor = step(read.value);
    return factor.reads[scaled_read(factor)];
  }

  // Factors of keys are factors of queries just as well, and those are read once a task.
  std::vector<ir::Node> turned_queries(const Tile& queries) {
    std::vector<Step> steps = {step_of(next_++, true, Combine::None, {unscaled(attention_.query_side)}, at(0))};
    for (ValueId result : attention_.factors) {
      Step factor = step(result);
      factor.reads[scaled_read(factor)] = Read{steps.back().result, true, {}, {}};
      factor.prologue.clear();
      factor.point = true;
      steps.push_back(std::move(factor));
    }
    ValueId last = steps.back().result;
    return groups(Cluster::Kind::Elementwise, {query_, attention_.feature}, {}, std::move(steps), {queries.keep(last)});
  }

  std::vector<ir::Node> loop(const Tile& queries) {
    top_ = tile("top", {query_.name});
    sum_ = tile("total", {query_.name});
    mean_ = tile("reached", {element_.name, query_.name});
    Tile logits = tile("logits", {key_.name, query_.name}), scale = tile("scale", {query_.name});
    std::vector<ir::Node> body;
    Read keys = unscaled(1 - attention_.query_side);
    if (lies_along_keys(keys)) {
      Tile turned = tile("keys", {key_.name, attention_.feature.name});
      body = turned_keys(keys, turned);
      keys = turned.read();
    }
    for (auto& part : {scores(queries, keys, logits), raised_top(logits, scale), exponentials(logits, scale),
                       weighted(logits, scale)})
      body.insert(body.end(), part.begin(), part.end());
    auto state = [&](const Tile& tile, double start) {
      return ir::State{writer_.name_of(tile.place), ir::constant(DType::F32, start)};
    };
    return {nested(false, key_.name, Index::symbol("T_" + key_.name), std::move(body),
                   {state(top_, std::numeric_limits<float>::lowest()), state(sum_, 0), state(mean_, 0)})};
  }

  bool lies_along_keys(const Read& read) const {
    const Index& innermost = read.index.back();
    return innermost.uses_axis(key_.name) && !innermost.uses_axis(attention_.feature.name);
  }

  // Features of a key that lie a row of all keys apart would push each other out of the near caches.
  std::vector<ir::Node> turned_keys(const Read& keys, const Tile& turned) {
    Step copy = step_of(next_++, true, Combine::None, {keys}, at(0));
    Store kept = turned.keep(copy.result);
    return groups(Cluster::Kind::Elementwise, {key_, attention_.feature}, {}, {std::move(copy)}, {std::move(kept)});
  }

  std::vector<ir::Node> scores(const Tile& queries, const Read& keys, const Tile& logits) {
    std::vector<Step> steps;
    for (Step one : draft_.steps) {
      if (one.prologue.empty() || attention_.factors.count(one.result)) continue;
      one.prologue.clear();
      if (one.result == attention_.scores) {
        one.reads[attention_.query_side] = queries.read();
        one.reads[1 - attention_.query_side] = keys;
      }
      steps.push_back(std::move(one));
    }
    return groups(Cluster::Kind::Contraction, {key_, query_}, {attention_.feature}, std::move(steps),
                  {logits.keep(attention_.logits)});
  }

  // The greatest logit so far (a NaN will make the sum NaN), and by what everything that is relative to the old one shrinks.
  std::vector<ir::Node> raised_top(const Tile& logits, const Tile& scale) {
    ValueId here = next_++, top = next_++, shrunk = next_++;
    Read inside_top{top, true, {}, {}};
    return groups(Cluster::Kind::Rows, {query_}, {key_},
                  {step_of(here, false, Combine::MaxNumber, {logits.read()}, at(0)),
                   step_of(top, false, Combine::None, {top_.read(), Read{here, true, {}, {}}},
                           ir::apply(ScalarOp::Max, {at(0), at(1)})),
                   step_of(shrunk, false, Combine::None, {top_.read(), inside_top}, grown_from(at(0), at(1)))},
                  {scale.keep(shrunk), top_.keep(top)});
  }

  // exp(a - b) as a power of two: the product rounds no worse than the difference did. No logit exceeds the greatest; saying so
  // by min makes the power cheaper.
  static Scalar grown_from(Scalar a, Scalar b) {
    Scalar difference = ir::apply(ScalarOp::Sub, {std::move(a), std::move(b)});
    Scalar exponent = ir::apply(ScalarOp::Mul, {difference, ir::constant(DType::F32, std::numbers::log2e)});
    return ir::apply(ScalarOp::Pow,
                     {ir::constant(DType::F32, 2), ir::apply(ScalarOp::Min, {exponent, ir::constant(DType::F32, 0)})});
  }

  std::vector<ir::Node> exponentials(const Tile& logits, const Tile& scale) {
    ValueId grown = next_++, here = next_++, sum = next_++;
    return groups(
        Cluster::Kind::Rows, {query_}, {key_},
        {step_of(grown, true, Combine::None, {logits.read(), top_.read()}, grown_from(at(0), at(1))),
         step_of(here, false, Combine::Sum, {Read{grown, true, {}, {}}}, at(0)),
         step_of(sum, false, Combine::None, {sum_.read(), scale.read(), Read{here, true, {}, {}}}, rescaled())},
        {logits.keep(grown), sum_.keep(sum)});
  }

  // Vectors of queries, like all of the loop; values are read one by one, however they lie.
  std::vector<ir::Node> weighted(const Tile& shares, const Tile& scale) {
    Step product = step(attention_.weighted);
    for (Read& read : product.reads)
      if (read.inside) read = shares.read();
    ValueId mean = next_++;
    std::vector<Step> steps = {
        product, step_of(mean, false, Combine::None, {mean_.read(), scale.read(), Read{product.result, true, {}, {}}},
                         rescaled())};
    return groups(Cluster::Kind::Contraction, {element_, query_}, {key_}, std::move(steps), {mean_.keep(mean)});
  }

  static Scalar rescaled() { return ir::apply(ScalarOp::Add, {ir::apply(ScalarOp::Mul, {at(0), at(1)}), at(2)}); }

  // Without keys there is nothing to add up. All shares of a query are NaN, or none: then its sum is 0 or NaN.
  Scalar divided() const {
    Scalar total = at(1), zero = ir::constant(DType::F32, 0);
    if (attention_.guarded) {
      Scalar none = ir::apply(ScalarOp::Equal, {total, zero});
      total = ir::apply(ScalarOp::Select, {none, ir::constant(DType::F32, 1), total});
    }
    Scalar quotient = ir::apply(ScalarOp::Div, {at(0), total});
    if (attention_.guarded)
      quotient = ir::apply(ScalarOp::Select, {ir::apply(ScalarOp::IsNan, {at(1)}), zero, quotient});
    if (key_.extent.constant()) return quotient;
    Scalar empty =
        ir::apply(ScalarOp::Less, {ir::index_value(DType::I64, key_.extent), ir::integer_constant(DType::I64, 1)});
    return ir::apply(ScalarOp::Select, {empty, zero, quotient});
  }

  // What the second contraction yields, and element-wise ops on that.
  std::vector<ir::Node> results() {
    std::vector<Step> steps;
    for (Step one : draft_.steps) {
      if (!one.prologue.empty() || attention_.factors.count(one.result)) continue;
      if (one.result == attention_.weighted)
        one = step_of(one.result, true, Combine::None, {mean_.read(), sum_.read()}, divided());
      one.point = true;
      steps.push_back(std::move(one));
    }
    return groups(Cluster::Kind::Elementwise, {query_, element_}, {}, std::move(steps), draft_.stores);
  }

  const Draft& draft_;
  const DraftedAttention& attention_;
  ValueId next_;
  ir::Axis query_, key_, element_;
  KernelWriter writer_;
  Homes homes_;
  Tile top_{}, sum_{}, mean_{};  // carried by the loop over keys
  Emitted result_;
};

}  // namespace

Emitted emit_attention(const Draft& draft, const ir::Program& program) {
  return AttentionEmitter(draft, program).emit();
}

}  // namespace hone::fuse
