#include <algorithm>

#include "import/map/contraction/einsum_internal.h"
#include "import/map/steps_internal.h"

namespace hone::import {

namespace {

using Labels = std::vector<int>;

// An operand on its way: a value and the label of each of its dimensions.
struct Labelled {
  ValueId value;
  Labels labels;
};

bool contains(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

// Operands are contracted two at a time, from left to right, as products of matrices.
class Contraction {
 public:
  explicit Contraction(Node& node) : node_(node), steps_(node) {}

  Result<Values> run(const EinsumTerms& terms) {
    for (size_t k = 0; k < terms.operands.size(); ++k) {
      HONE_TRY(Labelled operand, prepared({node_.input(k), terms.operands[k]}));
      operands_.push_back(std::move(operand));
    }
    HONE_PASS(agree());
    Labelled all = operands_[0];
    for (size_t k = 0; k < operands_.size(); ++k) {
      Labels wanted = terms.result;
      for (size_t later = k + 1; later < operands_.size(); ++later)
        wanted.insert(wanted.end(), operands_[later].labels.begin(), operands_[later].labels.end());
      if (k > 0) all = contracted(all, summed(operands_[k], joined(wanted, all.labels)), wanted);
      all = summed(all, wanted);
    }
    if (steps_.failed()) return steps_.done({});
    return steps_.done({ordered(all, terms.result).value});
  }

 private:
  static Labels joined(Labels a, const Labels& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  // A label that an operand has twice takes its diagonal: what lies off it becomes zero, and is summed.
  Result<Labelled> prepared(Labelled operand) {
    for (size_t a = 0; a < operand.labels.size(); ++a)
      for (size_t b = operand.labels.size(); b-- > a + 1;) {
        if (operand.labels[a] != operand.labels[b]) continue;
        auto dim = [&](size_t d) { return node_.type_of(operand.value).shape[d]; };
        if (!node_.importer().equate(dim(a), dim(b)))
          return error("a diagonal of sizes {} and {}; equal ones would work", dim(a).text(), dim(b).text());
        size_t rank = operand.labels.size();
        ValueId here = steps_.positions(dim(a), rank - 1 - a), there = steps_.positions(dim(b), rank - 1 - b);
        ValueId zero = steps_.number(steps_.dtype(operand.value), 0);
        ValueId kept = steps_.where(steps_.op(OpKind::Equal, {here, there}), operand.value, zero);
        operand.value = steps_.reduce(OpKind::ReduceSum, kept, {static_cast<int64_t>(b)}, false);
        operand.labels.erase(operand.labels.begin() + static_cast<std::ptrdiff_t>(b));
        HONE_PASS(steps_.done({}));
      }
    return operand;
  }

  // Sizes of a label are one everywhere; a dimension of 1 that meets another size is dropped, which broadcasts it.
  Status agree() {
    for (size_t k = 0; k < operands_.size(); ++k)
      for (size_t d = operands_[k].labels.size(); d-- > 0;) {
        if (!dim(k, d).is(1)) continue;
        bool meets_other = false;
        for (size_t o = 0; o < operands_.size(); ++o)
          if (auto at = place(o, operands_[k].labels[d])) meets_other |= !dim(o, *at).is(1);
        if (!meets_other) continue;
        ir::Shape shape = node_.type_of(operands_[k].value).shape;
        shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(d));
        operands_[k].labels.erase(operands_[k].labels.begin() + static_cast<std::ptrdiff_t>(d));
        HONE_TRY(operands_[k].value, node_.reshape(operands_[k].value, shape));
      }
    for (size_t k = 1; k < operands_.size(); ++k)
      for (size_t d = 0; d < operands_[k].labels.size(); ++d)
        for (size_t o = 0; o < k; ++o)
          if (auto at = place(o, operands_[k].labels[d]))
            HONE_PASS(node_.match(operands_[o].value, *at, operands_[k].value, d));
    return Done{};
  }

  Index dim(size_t k, size_t d) const { return node_.type_of(operands_[k].value).shape[d]; }
  std::optional<size_t> place(size_t k, int label) const {
    const Labels& labels = operands_[k].labels;
    auto found = std::find(labels.begin(), labels.end(), label);
    if (found == labels.end()) return std::nullopt;
    return static_cast<size_t>(found - labels.begin());
  }

  Labelled summed(const Labelled& operand, const Labels& wanted) {
    std::vector<int64_t> axes;
    Labels rest;
    for (size_t d = 0; d < operand.labels.size(); ++d) {
      if (contains(wanted, operand.labels[d]))
        rest.push_back(operand.labels[d]);
      else
        axes.push_back(static_cast<int64_t>(d));
    }
    if (axes.empty()) return operand;
    return {steps_.reduce(OpKind::ReduceSum, operand.value, axes, false), rest};
  }

  Labelled ordered(const Labelled& operand, const Labels& order) {
    if (operand.labels == order) return operand;
    std::vector<int64_t> perm;
    for (int label : order)
      perm.push_back(std::find(operand.labels.begin(), operand.labels.end(), label) - operand.labels.begin());
    return {steps_.transpose(operand.value, perm), order};
  }

  ir::Shape sizes(const Labelled& a, const Labelled& b, const Labels& labels) const {
    ir::Shape shape;
    for (int label : labels)
      for (const Labelled* operand : {&b, &a})
        if (auto at = std::find(operand->labels.begin(), operand->labels.end(), label); at != operand->labels.end()) {
          shape.push_back(node_.type_of(operand->value).shape[static_cast<size_t>(at - operand->labels.begin())]);
          break;
        }
    return shape;
  }

  // [both, a alone, summed] times [both, summed, b alone].
  Labelled contracted(const Labelled& a, const Labelled& b, const Labels& wanted) {
    if (steps_.failed()) return a;
    Labels both, gone, rows, columns;
    for (int label : a.labels)
      (!contains(b.labels, label) ? rows : contains(wanted, label) ? both : gone).push_back(label);
    for (int label : b.labels)
      if (!contains(a.labels, label)) columns.push_back(label);
    auto count = [&](const Labels& labels) { return ir::product(sizes(a, b, labels)); };
    Labels result = joined(joined(both, rows), columns);
    ir::Shape shape = sizes(a, b, result);
    ValueId left =
        steps_.reshape(ordered(a, joined(joined(both, rows), gone)).value, {count(both), count(rows), count(gone)});
    ValueId right = steps_.reshape(ordered(b, joined(joined(both, gone), columns)).value,
                                   {count(both), count(gone), count(columns)});
    ValueId product = gone.empty() ? steps_.mul(left, right) : steps_.op(OpKind::MatMul, {left, right});
    return {steps_.reshape(product, shape), result};
  }

  Node& node_;
  Steps steps_;
  std::vector<Labelled> operands_;
};

}  // namespace

Result<Values> map_einsum(Node& node) {
  std::vector<size_t> ranks;
  for (size_t k = 0; k < node.input_count(); ++k) {
    if (!node.has(k)) return error("input number {} is missing", k);
    if (node.type(k).dtype != node.type(0).dtype) return error("its operands are of different types");
    if (node.type(k).dtype == ir::DType::Bool) return error("is not defined on bool tensors");
    ranks.push_back(node.rank(k));
  }
  HONE_TRY(EinsumTerms terms, parse_einsum(node.attributes().text("equation", ""), ranks));
  return Contraction(node).run(terms);
}

}  // namespace hone::import
