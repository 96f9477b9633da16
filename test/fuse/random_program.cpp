#include "fuse/random_program.h"

#include <numeric>

namespace hone::fuse {
namespace {

using ir::OpKind;
using ir::ValueId;
using Sizes = std::vector<int64_t>;

class Generator {
 public:
  Generator(uint64_t seed, Numbers numbers, Extents extents)
      : rng_(seed), numbers_(numbers), extents_(extents), builder_(fmt::format("random_{}", seed)) {}

  ir::Program make(int steps) {
    rng_.next();
    add_input({1, size(), size(), size()});
    add_input({size(), size()});
    for (int i = 0; i < steps; ++i) step();
    std::vector<ValueId> outputs;
    for (const Known& known : known_)
      if (known.made && (!known.used || rng_.chance(0.1))) outputs.push_back(known.id);
    if (outputs.empty()) outputs.push_back(builder_.add(OpKind::Relu, {known_[0].id}));
    return builder_.finish(outputs);
  }

 private:
  struct Known {
    ValueId id;
    Sizes sizes;
    bool made = true;
    bool used = false;
  };

  int64_t size() {
    static constexpr int64_t kSizes[] = {1, 2, 3, 5, 7, 8, 9, 13, 15, 16, 17, 31, 33};
    if (extents_ == Extents::Tiny) return rng_.between(1, 5);
    return rng_.chance(0.02) ? 0 : kSizes[rng_.below(std::size(kSizes))];
  }

  static ir::Shape shape_of(const Sizes& sizes) { return {sizes.begin(), sizes.end()}; }

  void add(ValueId id, Sizes sizes) { known_.push_back({id, std::move(sizes)}); }

  void add_input(const Sizes& sizes) { known_.push_back({fresh_input(sizes), sizes, false}); }

  ValueId fresh_input(const Sizes& sizes) { return builder_.input(fmt::format("in{}", inputs_++), shape_of(sizes)); }

  ValueId weights_or_input(const Sizes& sizes) { return rng_.chance(0.5) ? weights(sizes) : fresh_input(sizes); }

  size_t any_axis(const Known& x) { return static_cast<size_t>(rng_.below(static_cast<int64_t>(x.sizes.size()))); }

  static int64_t count_of(const Sizes& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
  }

  Known& pick() {
    Known& known = known_[static_cast<size_t>(rng_.below(static_cast<int64_t>(known_.size())))];
    known.used = true;
    return known;
  }

  // One of that rank, or an input made for the purpose.
  Known pick_rank(size_t rank) {
    for (int attempt = 0; attempt < 6; ++attempt) {
      Known& known = pick();
      if (known.sizes.size() == rank) return known;
    }
    Sizes sizes;
    for (size_t i = 0; i < rank; ++i) sizes.push_back(i == 0 && rank > 2 ? 1 : size());
    add_input(sizes);
    known_.back().used = true;
    return known_.back();
  }

  ValueId weights(const Sizes& sizes) {
    std::vector<float> values;
    for (int64_t i = 0; i < count_of(sizes); ++i)
      values.push_back(numbers_ == Numbers::Exact ? static_cast<float>(rng_.between(-2, 2))
                                                  : static_cast<float>(rng_.unit() - 0.5));
    return builder_.constant(fmt::format("w{}", known_.size()), {sizes.begin(), sizes.end()}, values);
  }

  // Keeps exact values small enough to stay exact.
  ValueId bounded(ValueId id) {
    if (numbers_ == Numbers::Float) return id;
    return builder_.add(OpKind::Clip, {id}, {{"min", -8.0}, {"max", 8.0}});
  }

  void step() {
    using Step = void (Generator::*)();
    static constexpr Step kSteps[] = {&Generator::unary,
                                      &Generator::binary,
                                      &Generator::binary_of_known,
                                      &Generator::matmul,
                                      &Generator::gemm,
                                      &Generator::conv,
                                      &Generator::conv,
                                      &Generator::conv_transpose,
                                      &Generator::pool,
                                      &Generator::reduce,
                                      &Generator::reduce,
                                      &Generator::transpose,
                                      &Generator::reshape,
                                      &Generator::slice,
                                      &Generator::concat,
                                      &Generator::concat_of_known,
                                      &Generator::softmax,
                                      &Generator::attention};
    (this->*kSteps[rng_.below(std::size(kSteps))])();
  }

  void unary() {
    const OpKind exact[] = {OpKind::Relu, OpKind::Neg, OpKind::Abs};
    const OpKind floats[] = {OpKind::Tanh, OpKind::Sigmoid, OpKind::Erf, OpKind::NormalCdf, OpKind::Exp};
    Known x = pick();
    bool smooth = numbers_ == Numbers::Float && rng_.chance(0.6);
    OpKind kind = smooth ? floats[rng_.below(std::size(floats))] : exact[rng_.below(3)];
    ValueId in = kind == OpKind::Exp ? builder_.add(OpKind::Tanh, {x.id}) : x.id;
    add(builder_.add(kind, {in}), x.sizes);
  }

  static constexpr OpKind kBinary[] = {OpKind::Add, OpKind::Sub, OpKind::Mul, OpKind::Max, OpKind::Min};

  void binary() {
    Known x = pick();
    Sizes other = x.sizes;
    for (int64_t& s : other)
      if (rng_.chance(0.3)) s = 1;
    add(bounded(builder_.add(kBinary[rng_.below(5)], {x.id, weights_or_input(other)})), x.sizes);
  }

  void binary_of_known() {
    Known x = pick(), y = pick();
    if (auto sizes = broadcast(x.sizes, y.sizes))
      add(bounded(builder_.add(kBinary[rng_.below(5)], {x.id, y.id})), *sizes);
  }

  static std::optional<Sizes> broadcast(Sizes a, const Sizes& b) {
    if (a.size() < b.size()) return broadcast(b, a);
    size_t shift = a.size() - b.size();
    for (size_t i = 0; i < b.size(); ++i) {
      int64_t& to = a[i + shift];
      if (to != b[i] && to != 1 && b[i] != 1) return std::nullopt;
      if (to == 1) to = b[i];
    }
    return a;
  }

  // Batches of x against one matrix, as many, or one for some of them.
  void matmul() {
    Known x = pick();
    if (x.sizes.size() < 2) return;
    const int64_t columns = size(), depth = x.sizes.back();
    Sizes result = x.sizes, batch(x.sizes.begin(), x.sizes.end() - 2);
    result.back() = columns;
    for (int64_t& many : batch)
      if (rng_.chance(0.3)) many = 1;
    if (rng_.chance(0.5)) batch.clear();
    auto with = [&](int64_t rows, int64_t cols) {
      Sizes sizes = batch;
      sizes.push_back(rows);
      sizes.push_back(cols);
      return sizes;
    };
    ValueId w = weights_or_input(with(depth, columns));
    if (rng_.chance(0.3)) {
      Sizes order(batch.size() + 2);
      std::iota(order.begin(), order.end(), 0);
      std::swap(order[batch.size()], order[batch.size() + 1]);
      w = builder_.transpose(fresh_input(with(columns, depth)), order);
    }
    add(bounded(builder_.add(OpKind::MatMul, {x.id, w})), result);
  }

  void gemm() {
    Known x = pick_rank(2);
    const bool turn_a = rng_.chance(0.5), turn_b = rng_.chance(0.5);
    const int64_t rows = x.sizes[turn_a ? 1 : 0], depth = x.sizes[turn_a ? 0 : 1], columns = size();
    std::vector<ValueId> inputs = {x.id, weights_or_input(turn_b ? Sizes{columns, depth} : Sizes{depth, columns})};
    if (rng_.chance(0.6)) inputs.push_back(weights_or_input({rng_.chance(0.5) ? 1 : rows, columns}));
    auto factor = [&] { return static_cast<double>(rng_.between(1, 3)); };
    ValueId y = builder_.add(
        OpKind::Gemm, inputs,
        {{"transA", int64_t{turn_a}}, {"transB", int64_t{turn_b}}, {"alpha", factor()}, {"beta", factor()}});
    add(bounded(y), {rows, columns});
  }

  // How a window slides, drawn for each dimension by itself.
  struct Sliding {
    Sizes kernel, strides, dilations, begin, end;

    int64_t span(size_t d) const { return dilations[d] * (kernel[d] - 1) + 1; }

    ProgramBuilder::Attributes attributes(int64_t group) const {
      Sizes pads = begin;
      pads.insert(pads.end(), end.begin(), end.end());
      return {
          {"strides", strides}, {"pads", pads}, {"dilations", dilations}, {"group", group}, {"kernel_shape", kernel}};
    }
  };

  Sliding draw_sliding(size_t rank) {
    Sliding sliding;
    for (size_t d = 0; d < rank; ++d) {
      sliding.kernel.push_back(rng_.between(1, rank == 3 ? 3 : 5));
      sliding.strides.push_back(rng_.between(1, 3));
      sliding.dilations.push_back(rng_.chance(0.2) ? 2 : 1);
      sliding.begin.push_back(rng_.below(sliding.span(d)));
      sliding.end.push_back(rng_.chance(0.6) ? sliding.begin[d] : rng_.below(sliding.span(d)));
    }
    return sliding;
  }

  // Something for a window of that rank to slide over, with a channel at least.
  Known draw_pixels(size_t rank) {
    Known x = pick_rank(rank + 2);
    constexpr int64_t kMostElements = 40000;
    if (x.sizes[1] > 0 && count_of(x.sizes) <= kMostElements) return x;
    Sizes sizes = {rng_.between(1, 3), std::max<int64_t>(1, size())};
    for (size_t d = 0; d < rank; ++d) sizes.push_back(rng_.between(1, rank == 3 ? 6 : 17));
    add_input(sizes);
    known_.back().used = true;
    return known_.back();
  }

  size_t draw_rank() { return rng_.chance(0.7) ? 2 : rng_.chance(0.5) ? 1 : 3; }

  // One, a group for every channel, or any number that divides them.
  int64_t draw_groups(int64_t channels) {
    if (rng_.chance(0.5)) return 1;
    if (rng_.chance(0.5)) return channels;
    int64_t groups = rng_.between(1, channels);
    while (channels % groups != 0) --groups;
    return groups;
  }

  std::vector<ValueId> with_weights(const Known& x, Sizes shape, const Sizes& taps, int64_t channels) {
    shape.insert(shape.end(), taps.begin(), taps.end());
    std::vector<ValueId> inputs = {x.id, rng_.chance(0.8) ? weights(shape) : fresh_input(shape)};
    if (rng_.chance(0.5)) inputs.push_back(weights({channels}));
    return inputs;
  }

  void conv() {
    const size_t rank = draw_rank();
    Known x = draw_pixels(rank);
    const Sliding sliding = draw_sliding(rank);
    const int64_t groups = draw_groups(x.sizes[1]), in = x.sizes[1] / groups;
    const int64_t out = groups == 1 ? std::max<int64_t>(1, size()) : groups * rng_.between(1, 3);
    Sizes result = {x.sizes[0], out};
    for (size_t d = 0; d < rank; ++d) {
      const int64_t room = x.sizes[d + 2] + sliding.begin[d] + sliding.end[d] - sliding.span(d);
      if (room < 0 || x.sizes[d + 2] == 0) return;
      result.push_back(room / sliding.strides[d] + 1);
    }
    ValueId y = builder_.add(OpKind::Conv, with_weights(x, {out, in}, sliding.kernel, out), sliding.attributes(groups));
    add(bounded(y), result);
  }

  void conv_transpose() {
    const size_t rank = draw_rank();
    Known x = draw_pixels(rank);
    const Sliding sliding = draw_sliding(rank);
    const int64_t groups = draw_groups(x.sizes[1]), each = groups == 1 ? rng_.between(1, 17) : rng_.between(1, 3);
    Sizes result = {x.sizes[0], groups * each}, more;
    for (size_t d = 0; d < rank; ++d) {
      more.push_back(rng_.below(std::max(sliding.strides[d], sliding.dilations[d])));
      const int64_t full = (x.sizes[d + 2] - 1) * sliding.strides[d] + sliding.span(d) + more[d];
      result.push_back(full - sliding.begin[d] - sliding.end[d]);
      if (x.sizes[d + 2] == 0 || result.back() < 1) return;
    }
    ProgramBuilder::Attributes attributes = sliding.attributes(groups);
    attributes.emplace("output_padding", more);
    ValueId y = builder_.add(OpKind::ConvTranspose, with_weights(x, {x.sizes[1], each}, sliding.kernel, groups * each),
                             attributes);
    add(bounded(y), result);
  }

  void pool() {
    Known x = pick_rank(4);
    if (x.sizes[2] < 2 || x.sizes[3] < 2) return;
    int64_t kernel = rng_.between(2, 3), stride = rng_.between(1, 3), pad = kernel == 3 ? 1 : rng_.below(2);
    Sizes out = {x.sizes[0], x.sizes[1], (x.sizes[2] + 2 * pad - kernel) / stride + 1,
                 (x.sizes[3] + 2 * pad - kernel) / stride + 1};
    add(builder_.add(OpKind::MaxPool, {x.id},
                     {{"kernel_shape", Sizes{kernel, kernel}},
                      {"strides", Sizes{stride, stride}},
                      {"pads", Sizes{pad, pad, pad, pad}},
                      {"dilations", Sizes{1, 1}}}),
        out);
  }

  void reduce() {
    Known x = pick();
    Sizes axes, result;
    bool keep = rng_.chance(0.7), empty = false;
    for (size_t i = 0; i < x.sizes.size(); ++i) {
      bool reduced = rng_.chance(0.4);
      if (reduced) axes.push_back(static_cast<int64_t>(i));
      if (!reduced || keep) result.push_back(reduced ? 1 : x.sizes[i]);
      empty |= reduced && x.sizes[i] == 0;
    }
    if (axes.empty() || empty) return;
    const OpKind kinds[] = {OpKind::ReduceSum, OpKind::ReduceMax, OpKind::ReduceMean, OpKind::ReduceL2};
    OpKind kind = kinds[rng_.below(numbers_ == Numbers::Exact ? 2 : 4)];
    add(bounded(builder_.add(kind, {x.id}, {{"axes", axes}, {"keepdims", int64_t{keep}}})), result);
  }

  void softmax() {
    Known x = pick();
    if (numbers_ == Numbers::Exact || x.sizes.empty() || count_of(x.sizes) == 0) return;
    add(builder_.add(OpKind::Softmax, {x.id}, {{"axis", static_cast<int64_t>(any_axis(x))}}), x.sizes);
  }

  // Softmax(x kT + mask) v, with the heads in front or behind the rows.
  void attention() {
    Known x = pick();
    size_t rank = x.sizes.size();
    if (numbers_ == Numbers::Exact || rank < 2 || rank > 3 || count_of(x.sizes) == 0) return;
    int64_t heads = rank == 3 ? x.sizes[0] : 1, rows = x.sizes[rank - 2], keys = std::max<int64_t>(1, size()),
            wide = size();
    auto operand = [&](int64_t width, bool turned) {
      if (rank == 2)
        return turned ? builder_.transpose(fresh_input({keys, width}), {1, 0}) : fresh_input({keys, width});
      bool behind = rng_.chance(0.5);
      ValueId given = fresh_input(behind ? Sizes{keys, heads, width} : Sizes{heads, keys, width});
      if (behind) return builder_.transpose(given, turned ? Sizes{1, 2, 0} : Sizes{1, 0, 2});
      return turned ? builder_.transpose(given, {0, 2, 1}) : given;
    };
    ValueId logits = builder_.add(OpKind::MatMul, {x.id, operand(x.sizes.back(), true)});
    if (rng_.chance(0.5))
      logits = builder_.add(OpKind::Add, {logits, fresh_input({rng_.chance(0.5) ? 1 : rows, keys})});
    ValueId shares = builder_.add(OpKind::Softmax, {logits}, {{"axis", static_cast<int64_t>(rank) - 1}});
    Sizes result = x.sizes;
    result.back() = wide;
    add(builder_.add(OpKind::MatMul, {shares, operand(wide, false)}), result);
  }

  void transpose() {
    Known x = pick();
    Sizes order, result;
    for (size_t i = 0; i < x.sizes.size(); ++i) order.push_back(static_cast<int64_t>(i));
    for (size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[static_cast<size_t>(rng_.below(static_cast<int64_t>(i) + 1))]);
    for (int64_t from : order) result.push_back(x.sizes[static_cast<size_t>(from)]);
    add(builder_.transpose(x.id, order), result);
  }

  void reshape() {
    Known x = pick();
    int64_t count = count_of(x.sizes);
    if (count == 0) return;
    Sizes sizes;
    while (count > 1 && sizes.size() < 3) {
      int64_t size = rng_.between(1, count);
      while (count % size != 0) --size;
      sizes.push_back(size);
      count /= size;
    }
    sizes.push_back(count);
    add(builder_.reshape(x.id, shape_of(sizes)), sizes);
  }

  void slice() {
    Known x = pick();
    if (x.sizes.empty() || count_of(x.sizes) == 0) return;
    size_t axis = any_axis(x);
    Sizes starts(x.sizes.size(), 0), steps(x.sizes.size(), 1), sizes = x.sizes;
    starts[axis] = rng_.below(sizes[axis]);
    steps[axis] = rng_.between(1, 2);
    sizes[axis] = rng_.between(1, (sizes[axis] - starts[axis] + steps[axis] - 1) / steps[axis]);
    add(builder_.add_typed(OpKind::Slice, {x.id}, {ir::DType::F32, shape_of(sizes)},
                           {{"starts", starts}, {"steps", steps}}),
        sizes);
  }

  void concat() {
    Known x = pick();
    if (x.sizes.empty()) return;
    size_t axis = any_axis(x);
    Sizes other = x.sizes, result = x.sizes;
    other[axis] = size();
    result[axis] += other[axis];
    add(builder_.add(OpKind::Concat, {builder_.add(OpKind::Relu, {x.id}), fresh_input(other)},
                     {{"axis", static_cast<int64_t>(axis)}}),
        result);
  }

  void concat_of_known() {
    Known x = pick();
    if (x.sizes.empty()) return;
    size_t axis = any_axis(x);
    Sizes result = x.sizes;
    std::vector<ValueId> pieces = {x.id};
    for (int attempt = 0; attempt < 4; ++attempt) {
      Known y = pick();
      Sizes rest = y.sizes;
      if (rest.size() == result.size()) rest[axis] = result[axis];
      if (rest != result) continue;
      result[axis] += y.sizes[axis];
      pieces.push_back(y.id);
    }
    add(builder_.add(OpKind::Concat, pieces, {{"axis", static_cast<int64_t>(axis)}}), result);
  }

  Rng rng_;
  Numbers numbers_;
  Extents extents_;
  ProgramBuilder builder_;
  std::vector<Known> known_;
  int inputs_ = 0;
};

}  // namespace

int steps_of(uint64_t seed) {
  return static_cast<int>(Rng(seed).between(1, 12));
}

ir::Program random_program(uint64_t seed, Numbers numbers, Extents extents, int steps) {
  return Generator(seed, numbers, extents).make(steps);
}

}  // namespace hone::fuse
