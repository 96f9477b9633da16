#include "e2e/random_program.h"

namespace hone::e2e {
namespace {

using ir::OpKind;
using ir::ValueId;
using Sizes = std::vector<int64_t>;

class Generator {
 public:
  Generator(uint64_t seed, Numbers numbers) : rng_(seed), numbers_(numbers), builder_(fmt::format("random_{}", seed)) {}

  ir::Program make(int steps) {
    rng_.next();
    add(builder_.input("a", shape({1, size(), size(), size()})), {});
    add(builder_.input("b", shape({size(), size()})), {});
    for (int i = 0; i < steps; ++i) step();
    std::vector<ValueId> outputs;
    for (const Known& known : known_)
      if (!known.used && known.made) outputs.push_back(known.id);
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
    return rng_.chance(0.02) ? 0 : kSizes[rng_.below(std::size(kSizes))];
  }

  ir::Shape shape(Sizes sizes) {
    last_ = sizes;
    return {sizes.begin(), sizes.end()};
  }

  void add(ValueId id, Sizes sizes) {
    bool made = !sizes.empty();
    known_.push_back({id, made ? sizes : last_, made});
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
    add(builder_.input(fmt::format("in{}", known_.size()), shape(sizes)), {});
    known_.back().used = true;
    return known_.back();
  }

  ValueId weights(const Sizes& sizes) {
    int64_t count = 1;
    for (int64_t s : sizes) count *= s;
    std::vector<float> values;
    for (int64_t i = 0; i < count; ++i)
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
    switch (rng_.below(11)) {
      case 0:
        return unary();
      case 1:
      case 2:
        return binary();
      case 3:
        return matmul();
      case 4:
      case 5:
        return conv();
      case 6:
        return pool();
      case 7:
        return reduce();
      case 8:
        return transpose();
      case 9:
        return concat();
      default:
        return numbers_ == Numbers::Float ? rows() : unary();
    }
  }

  void unary() {
    const OpKind exact[] = {OpKind::Relu, OpKind::Neg, OpKind::Abs};
    const OpKind floats[] = {OpKind::Tanh, OpKind::Sigmoid, OpKind::Erf, OpKind::Exp};
    Known x = pick();
    bool smooth = numbers_ == Numbers::Float && rng_.chance(0.6);
    OpKind kind = smooth ? floats[rng_.below(4)] : exact[rng_.below(3)];
    ValueId in = kind == OpKind::Exp ? builder_.add(OpKind::Tanh, {x.id}) : x.id;
    add(builder_.add(kind, {in}), x.sizes);
  }

  void binary() {
    const OpKind kinds[] = {OpKind::Add, OpKind::Sub, OpKind::Mul, OpKind::Max, OpKind::Min};
    Known x = pick();
    Sizes other = x.sizes;
    for (int64_t& s : other)
      if (rng_.chance(0.3)) s = 1;
    ValueId y = rng_.chance(0.5) ? weights(other)
                                 : builder_.input(fmt::format("in{}_{}", known_.size(), rng_.below(1000000)),
                                                  {other.begin(), other.end()});
    add(bounded(builder_.add(kinds[rng_.below(5)], {x.id, y})), x.sizes);
  }

  void matmul() {
    Known x = pick();
    if (x.sizes.size() < 2) return;
    int64_t columns = size();
    Sizes by = {x.sizes.back(), columns};
    ValueId w = rng_.chance(0.6) ? weights(by)
                                 : builder_.input(fmt::format("in{}_{}", known_.size(), rng_.below(1000000)),
                                                  {by.begin(), by.end()});
    Sizes result = x.sizes;
    result.back() = columns;
    add(bounded(builder_.add(OpKind::MatMul, {x.id, w})), result);
  }

  void conv() {
    Known x = pick_rank(4);
    int64_t kernel = rng_.between(1, 3), stride = rng_.between(1, 2), pad = rng_.below(kernel),
            dilation = rng_.chance(0.2) ? 2 : 1;
    Sizes out = {x.sizes[0], 0};
    for (size_t d = 2; d < 4; ++d) {
      int64_t span = dilation * (kernel - 1) + 1, room = x.sizes[d] + 2 * pad - span;
      if (room < 0 || x.sizes[d] == 0) return;
      out.push_back(room / stride + 1);
    }
    int64_t channels = x.sizes[1];
    if (channels == 0) return;
    bool depthwise = rng_.chance(0.3);
    out[1] = depthwise ? channels : std::max<int64_t>(1, size());
    ValueId w = weights({out[1], depthwise ? 1 : channels, kernel, kernel});
    std::vector<ValueId> inputs = {x.id, w};
    if (rng_.chance(0.5)) inputs.push_back(weights({out[1]}));
    builder_attributes_ = {{"strides", Sizes{stride, stride}},
                           {"pads", Sizes{pad, pad, pad, pad}},
                           {"dilations", Sizes{dilation, dilation}},
                           {"group", depthwise ? channels : int64_t{1}},
                           {"kernel_shape", Sizes{kernel, kernel}}};
    add(bounded(builder_.add(OpKind::Conv, inputs, builder_attributes_)), out);
  }

  void pool() {
    Known x = pick_rank(4);
    if (x.sizes[2] < 2 || x.sizes[3] < 2) return;
    int64_t kernel = 2, stride = rng_.between(1, 2), pad = rng_.below(2);
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
    for (size_t i = 0; i < x.sizes.size(); ++i) {
      bool reduced = rng_.chance(0.4);
      if (reduced) axes.push_back(static_cast<int64_t>(i));
      result.push_back(reduced ? 1 : x.sizes[i]);
    }
    bool empty = false;
    for (int64_t a : axes) empty |= x.sizes[static_cast<size_t>(a)] == 0;
    if (axes.empty() || empty) return;
    OpKind kind = rng_.chance(0.5) ? OpKind::ReduceSum : OpKind::ReduceMax;
    if (numbers_ == Numbers::Float && rng_.chance(0.3)) kind = OpKind::ReduceMean;
    add(bounded(builder_.add(kind, {x.id}, {{"axes", axes}, {"keepdims", int64_t{1}}})), result);
  }

  void rows() {
    Known x = pick();
    for (int64_t s : x.sizes)
      if (s == 0) return;
    add(builder_.add(OpKind::Softmax, {x.id}, {{"axis", rng_.below(static_cast<int64_t>(x.sizes.size()))}}), x.sizes);
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

  void concat() {
    Known x = pick();
    size_t axis = static_cast<size_t>(rng_.below(static_cast<int64_t>(x.sizes.size())));
    Sizes other = x.sizes;
    other[axis] = size();
    ValueId y =
        builder_.input(fmt::format("in{}_{}", known_.size(), rng_.below(1000000)), {other.begin(), other.end()});
    Sizes result = x.sizes;
    result[axis] += other[axis];
    add(builder_.add(OpKind::Concat, {builder_.add(OpKind::Relu, {x.id}), y}, {{"axis", static_cast<int64_t>(axis)}}),
        result);
  }

  Rng rng_;
  Numbers numbers_;
  fuse::ProgramBuilder builder_;
  fuse::ProgramBuilder::Attributes builder_attributes_;
  std::vector<Known> known_;
  Sizes last_;
};

}  // namespace

int steps_of(uint64_t seed) {
  return static_cast<int>(Rng(seed).between(1, 8));
}

ir::Program random_program(uint64_t seed, Numbers numbers, int steps) {
  return Generator(seed, numbers).make(steps);
}

}  // namespace hone::e2e
