#include "import/node_internal.h"

#include <algorithm>

namespace hone::import {

Node::Node(Importer& importer, Scope& scope, const onnx::NodeProto& proto, const Entry& entry, int depth)
    : importer_(importer), scope_(scope), proto_(proto), entry_(entry), attributes_(proto), depth_(depth) {
  for (const std::string& name : proto.input()) terms_.push_back(name.empty() ? nullptr : importer.find(scope, name));
  while (!terms_.empty() && !terms_.back()) terms_.pop_back();
}

ValueId Node::input(size_t k) {
  return has(k) ? importer_.value_of(*scope_.frame, *terms_[k]) : ir::kAbsent;
}

Values Node::inputs() {
  Values values;
  for (size_t k = 0; k < input_count(); ++k) values.push_back(input(k));
  return values;
}

ir::TensorType Node::type(size_t k) const {
  HONE_CHECK(has(k), "input {} of {} is not given", k, proto_.op_type());
  return importer_.type_of(*scope_.frame, *terms_[k]);
}

const Known* Node::known(size_t k) const {
  if (!has(k)) return nullptr;
  if (terms_[k]->known) return &*terms_[k]->known;
  asked_in_vain_.insert(terms_[k]->id);
  return nullptr;
}

Result<std::vector<Index>> Node::sizes(size_t k, const char* what) const {
  if (!has(k)) return error("its {} are missing", what);
  if (rank(k) > 1) return error("its {} are of rank {}; a list would work", what, rank(k));
  if (const Known* elements = known(k)) return elements->elements;
  return error("its {} ('{}') depend on data; numbers and sizes of the inputs would work", what,
               proto_.input(static_cast<int>(k)));
}

Result<std::vector<int64_t>> Node::integers(size_t k, const char* what) const {
  HONE_TRY(std::vector<Index> elements, sizes(k, what));
  std::vector<int64_t> numbers;
  for (const Index& element : elements) {
    if (!element.constant())
      return error("its {} depend on the run-time size {}; numbers would work", what, element.text());
    numbers.push_back(*element.constant());
  }
  return numbers;
}

Result<std::vector<int64_t>> Node::integers(const char* name, size_t k, const std::vector<int64_t>& otherwise) {
  if (attributes_.has(name)) return attributes_.integers(name);
  return has(k) ? integers(k, name) : Result<std::vector<int64_t>>(otherwise);
}

std::optional<std::vector<double>> Node::numbers(size_t k) const {
  if (!has(k)) return std::nullopt;
  if (terms_[k]->id == ir::kAbsent) {
    std::vector<double> values;
    for (const Index& element : terms_[k]->known->elements) {
      if (!element.constant()) return std::nullopt;
      values.push_back(static_cast<double>(*element.constant()));
    }
    return values;
  }
  const ir::Value& value = program().values[static_cast<size_t>(terms_[k]->id)];
  if (!value.constant) {
    asked_in_vain_.insert(terms_[k]->id);
    return std::nullopt;
  }
  return numbers_of(value.type, *value.constant, kMostKnown);
}

Result<Values> Node::emit_many(OpKind kind, Values inputs, AttributeMap attributes, std::vector<ir::Program> bodies,
                               const std::vector<ir::TensorType>& types) {
  std::string stem = proto_.output_size() > 0 && !proto_.output(0).empty() ? proto_.output(0) : proto_.op_type();
  ir::Op op{kind,
            proto_.name().empty() ? stem : proto_.name(),
            std::move(inputs),
            {},
            std::move(attributes),
            std::move(bodies)};
  return importer_.emit(*scope_.frame, {std::move(op), types, stem});
}

Result<ValueId> Node::emit(OpKind kind, Values inputs, AttributeMap attributes, const ir::TensorType& type) {
  HONE_TRY(Values made, emit_many(kind, std::move(inputs), std::move(attributes), {}, {type}));
  return made[0];
}

Result<ValueId> Node::reshape(ValueId value, const ir::Shape& shape) {
  ir::TensorType type{type_of(value).dtype, shape};
  if (type == type_of(value)) return value;
  return emit(OpKind::Reshape, {value}, {}, type);
}

ValueId Node::constant(const ir::TensorType& type, ir::ConstantData data) {
  return importer_.add_constant(*scope_.frame, proto_.output_size() > 0 ? proto_.output(0) : proto_.op_type(), type,
                                std::move(data));
}

ValueId Node::size(const Index& size) {
  Term term{ir::kAbsent, Known{ir::DType::I64, {}, {size}}, false, {}};
  return importer_.value_of(*scope_.frame, term);
}

Result<ValueId> Node::scalar(ir::DType type, double value) {
  if (!is_storage(type)) return constant({type, {}}, constant_of(type, std::vector<double>{value}));
  HONE_TRY(ValueId wide, scalar(ir::DType::F32, value));
  return cast(wide, type);
}

Result<ValueId> Node::trim(ValueId value, ValueId count, size_t axis) {
  if (scope_.frame->outer)
    return error("a size depends on data inside a body of If or Loop; outside of bodies it would work");
  ir::TensorType type = type_of(value);
  type.shape[axis] = importer_.computed_size(proto_.op_type() + "_count");
  return emit(OpKind::Trim, {value, count}, {{"axis", static_cast<int64_t>(axis)}}, type);
}

Result<ValueId> Node::cast(ValueId value, ir::DType type) {
  if (type_of(value).dtype == type) return value;
  return emit(OpKind::Cast, {value}, {{"to", std::string(name_of(type))}});
}

Status Node::match(ValueId a, size_t axis_a, ValueId& b, size_t axis_b) {
  auto dim_a = [&] { return type_of(a).shape[axis_a]; };
  auto dim_b = [&] { return type_of(b).shape[axis_b]; };
  if (provably_different(dim_a(), dim_b()))
    return error("sizes {} and {} must be equal", dim_a().text(), dim_b().text());
  if (importer_.equate(dim_a(), dim_b())) return Done{};
  ir::Shape shape = type_of(b).shape;
  shape[axis_b] = dim_a();
  HONE_TRY(b, reshape(b, shape));
  return Done{};
}

Status Node::match_open(ValueId a, size_t axis_a, ValueId& b, size_t axis_b) {
  if (b == ir::kAbsent || axis_a >= type_of(a).shape.size() || axis_b >= type_of(b).shape.size()) return Done{};
  if (type_of(a).shape[axis_a].constant() && type_of(b).shape[axis_b].constant()) return Done{};
  return match(a, axis_a, b, axis_b);
}

Status Node::require(size_t k, size_t axis, const Index& size) {
  const Index given = shape(k)[axis];
  if (given == size || importer_.equate(size, given)) return Done{};
  return error("dimension {} of input number {} is {} where {} is needed", axis, k, given.text(), size.text());
}

Status Node::match_broadcast(Values& values) {
  for (size_t i = 1; i < values.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      size_t rank_a = type_of(values[j]).shape.size(), rank_b = type_of(values[i]).shape.size();
      for (size_t d = 1; d <= std::min(rank_a, rank_b); ++d) {
        Index a = type_of(values[j]).shape[rank_a - d], b = type_of(values[i]).shape[rank_b - d];
        if (importer_.mentions_computed(a) || importer_.mentions_computed(b) || !must_equal_each_other(a, b)) continue;
        // A number is what a size is taken to be, not the other way round.
        if (!a.constant() && b.constant()) {
          HONE_PASS(match(values[i], rank_b - d, values[j], rank_a - d));
        } else {
          HONE_PASS(match(values[j], rank_a - d, values[i], rank_b - d));
        }
      }
    }
  return Done{};
}

Result<Values> Node::single(Result<ValueId> value) {
  if (!value) return value.problem();
  return Values{*value};
}

}  // namespace hone::import
