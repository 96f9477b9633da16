#include "ir/program/program.h"

#include <iterator>

namespace hone::ir {
namespace {

struct OpEntry {
  const char* text;
  MeaningKind meaning;
};

constexpr OpEntry kOps[] = {
#define HONE_OP(name, text, kind, min_inputs, max_inputs) {text, MeaningKind::kind},
#include "ir/ops.def"
#undef HONE_OP
};

// The attribute as T, or nothing if it is absent. A present one of another type is a fault of whoever built the op.
template <typename T>
const T* attribute(const Op& op, const std::string& key) {
  auto found = op.attributes.find(key);
  if (found == op.attributes.end()) return nullptr;
  const T* value = std::get_if<T>(&found->second);
  HONE_CHECK(value, "attribute {} of {} '{}' has another type", key, name_of(op.kind), op.name);
  return value;
}

}  // namespace

const char* name_of(OpKind kind) {
  return kOps[static_cast<size_t>(kind)].text;
}
MeaningKind meaning_kind(OpKind kind) {
  return kOps[static_cast<size_t>(kind)].meaning;
}

std::optional<OpKind> op_named(std::string_view name) {
  for (size_t i = 0; i < std::size(kOps); ++i)
    if (name == kOps[i].text) return static_cast<OpKind>(i);
  return std::nullopt;
}

int64_t Op::integer(const std::string& key, int64_t otherwise) const {
  const int64_t* value = attribute<int64_t>(*this, key);
  return value ? *value : otherwise;
}

double Op::number(const std::string& key, double otherwise) const {
  auto found = attributes.find(key);
  if (found == attributes.end()) return otherwise;
  if (const int64_t* whole = std::get_if<int64_t>(&found->second)) return static_cast<double>(*whole);
  return *attribute<double>(*this, key);
}

std::string Op::text(const std::string& key, const std::string& otherwise) const {
  const std::string* value = attribute<std::string>(*this, key);
  return value ? *value : otherwise;
}

std::vector<int64_t> Op::integers(const std::string& key, const std::vector<int64_t>& otherwise) const {
  const std::vector<int64_t>* value = attribute<std::vector<int64_t>>(*this, key);
  return value ? *value : otherwise;
}

ValueId Program::add_value(Value value) {
  values.push_back(std::move(value));
  return static_cast<ValueId>(values.size() - 1);
}

}  // namespace hone::ir
