// Random programs: whatever the rules make of them must compute the same.
#include "fuse/judge.h"
#include "fuse/program_builder.h"

namespace hone::fuse {
namespace {

using ir::OpKind;
using ir::ValueId;
using Numbers = std::vector<int64_t>;

class RandomProgram {
 public:
  explicit RandomProgram(uint64_t seed) : rng_(seed), b_(fmt::format("seed {}", seed)) {}

  ir::Program make() {
    for (int i = 0; i < 2; ++i) add(b_.input(fmt::format("x{}", i), {2, 3, 4}), {2, 3, 4});
    int count = static_cast<int>(rng_.between(3, 14));
    for (int i = 0; i < count; ++i) step();
    std::vector<ValueId> outputs;
    for (const Known& known : known_)
      if (!known.used || rng_.chance(0.1)) outputs.push_back(known.id);
    return b_.finish(outputs);
  }

 private:
  struct Known {
    ValueId id;
    Numbers shape;
    bool used = false;
  };

  void add(ValueId id, Numbers shape) { known_.push_back({id, std::move(shape)}); }

  Known pick() {
    Known& known = known_[static_cast<size_t>(rng_.below(static_cast<int64_t>(known_.size())))];
    known.used = true;
    return known;
  }

  static ir::Shape shape_of(const Numbers& sizes) { return {sizes.begin(), sizes.end()}; }
  int64_t any_axis(const Known& x) { return rng_.below(static_cast<int64_t>(x.shape.size())); }

  void step() {
    switch (rng_.below(10)) {
      case 0:
        return unary();
      case 1:
      case 2:
        return binary();
      case 3:
        return reduce();
      case 4:
        return softmax();
      case 5:
        return transpose();
      case 6:
        return reshape();
      case 7:
        return slice();
      case 8:
        return concat();
      default:
        return matmul();
    }
  }

  void unary() {
    const OpKind kinds[] = {OpKind::Relu, OpKind::Tanh, OpKind::Sigmoid, OpKind::Abs, OpKind::Neg};
    Known x = pick();
    add(b_.add(kinds[rng_.below(5)], {x.id}), x.shape);
  }

  void binary() {
    const OpKind kinds[] = {OpKind::Add, OpKind::Sub, OpKind::Mul, OpKind::Max};
    Known x = pick();
    for (int attempt = 0; attempt < 8; ++attempt) {
      Known y = pick();
      auto shape = broadcast(x.shape, y.shape);
      if (shape) return add(b_.add(kinds[rng_.below(4)], {x.id, y.id}), *shape);
    }
    auto y = b_.input("y", {x.shape.empty() ? 1 : x.shape.back()});
    add(b_.add(kinds[rng_.below(4)], {x.id, y}), x.shape.empty() ? Numbers{1} : x.shape);
  }

  static std::optional<Numbers> broadcast(Numbers a, const Numbers& b) {
    if (a.size() < b.size()) return broadcast(b, a);
    size_t shift = a.size() - b.size();
    for (size_t i = 0; i < b.size(); ++i) {
      if (a[i + shift] != b[i] && a[i + shift] != 1 && b[i] != 1) return std::nullopt;
      a[i + shift] = std::max(a[i + shift], b[i]);
    }
    return a;
  }

  void reduce() {
    const OpKind kinds[] = {OpKind::ReduceSum, OpKind::ReduceMean, OpKind::ReduceMax, OpKind::ReduceL2};
    Known x = pick();
    if (x.shape.empty()) return;
    Numbers axes, shape;
    bool keep = rng_.chance(0.7);
    for (size_t i = 0; i < x.shape.size(); ++i) {
      bool reduced = rng_.chance(0.4);
      if (reduced) axes.push_back(static_cast<int64_t>(i));
      if (!reduced || keep) shape.push_back(reduced ? 1 : x.shape[i]);
    }
    if (axes.empty()) return;
    add(b_.add(kinds[rng_.below(4)], {x.id}, {{"axes", axes}, {"keepdims", int64_t{keep}}}), shape);
  }

  void softmax() {
    Known x = pick();
    if (!x.shape.empty()) add(b_.add(OpKind::Softmax, {x.id}, {{"axis", any_axis(x)}}), x.shape);
  }

  void transpose() {
    Known x = pick();
    if (x.shape.size() < 2) return;
    Numbers order, shape;
    for (size_t i = 0; i < x.shape.size(); ++i) order.push_back(static_cast<int64_t>(i));
    for (size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[static_cast<size_t>(rng_.below(static_cast<int64_t>(i) + 1))]);
    for (int64_t from : order) shape.push_back(x.shape[static_cast<size_t>(from)]);
    add(b_.transpose(x.id, order), shape);
  }

  void reshape() {
    Known x = pick();
    int64_t count = 1;
    for (int64_t size : x.shape) count *= size;
    Numbers shape;
    while (count > 1 && shape.size() < 3) {
      int64_t size = rng_.between(1, count);
      while (count % size != 0) --size;
      shape.push_back(size);
      count /= size;
    }
    shape.push_back(count);
    add(b_.reshape(x.id, shape_of(shape)), shape);
  }

  void slice() {
    Known x = pick();
    if (x.shape.empty()) return;
    size_t axis = static_cast<size_t>(any_axis(x));
    Numbers starts(x.shape.size(), 0), steps(x.shape.size(), 1), shape = x.shape;
    starts[axis] = rng_.below(shape[axis]);
    shape[axis] = rng_.between(1, shape[axis] - starts[axis]);
    add(b_.add_typed(OpKind::Slice, {x.id}, {ir::DType::F32, shape_of(shape)}, {{"starts", starts}, {"steps", steps}}),
        shape);
  }

  void concat() {
    Known x = pick();
    if (x.shape.empty()) return;
    Numbers shape = x.shape;
    size_t axis = static_cast<size_t>(any_axis(x));
    std::vector<ValueId> pieces = {x.id};
    for (int attempt = 0; attempt < 6; ++attempt) {
      Known y = pick();
      if (y.shape.size() != shape.size()) continue;
      Numbers rest = y.shape;
      rest[axis] = shape[axis];
      if (rest != shape) continue;
      shape[axis] += y.shape[axis];
      pieces.push_back(y.id);
    }
    add(b_.add(OpKind::Concat, pieces, {{"axis", static_cast<int64_t>(axis)}}), shape);
  }

  void matmul() {
    Known x = pick();
    if (x.shape.empty()) return;
    int64_t columns = rng_.between(1, 4);
    auto w = b_.input("w", {x.shape.back(), columns});
    Numbers shape = x.shape;
    shape.back() = columns;
    add(b_.add(OpKind::MatMul, {x.id, w}), shape);
  }

  Rng rng_;
  ProgramBuilder b_;
  std::vector<Known> known_;
};

TEST(RandomPrograms, ComputeTheSame) {
  for (uint64_t seed = 1; seed <= 300 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    expect_same(RandomProgram(seed).make(), {}, 1e-4);
  }
}

}  // namespace
}  // namespace hone::fuse
