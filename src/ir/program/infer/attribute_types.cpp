#include <algorithm>

#include "ir/program/infer/infer.h"

namespace hone::ir {
namespace {

enum class Form { Integer, Number, Text, Integers };

const char* name_of(Form form) {
  switch (form) {
    case Form::Integer:
      return "an integer";
    case Form::Number:
      return "a number";
    case Form::Text:
      return "a text";
    case Form::Integers:
      return "a list of integers";
  }
  HONE_CHECK(false, "unknown form");
}

bool has_form(const Attribute& value, Form form) {
  switch (form) {
    case Form::Integer:
      return std::holds_alternative<int64_t>(value);
    case Form::Number:
      return std::holds_alternative<int64_t>(value) || std::holds_alternative<double>(value);
    case Form::Text:
      return std::holds_alternative<std::string>(value);
    case Form::Integers:
      return std::holds_alternative<std::vector<int64_t>>(value);
  }
  HONE_CHECK(false, "unknown form");
}

// What every operator that has an attribute of that name takes for it.
constexpr std::pair<const char*, Form> kForms[] = {
    {"axis", Form::Integer},
    {"batch_dims", Form::Integer},
    {"carried", Form::Integer},
    {"ceil_mode", Form::Integer},
    {"center_point_box", Form::Integer},
    {"count_include_pad", Form::Integer},
    {"exclusive", Form::Integer},
    {"fmod", Form::Integer},
    {"group", Form::Integer},
    {"half_pixel", Form::Integer},
    {"hidden_size", Form::Integer},
    {"keepdims", Form::Integer},
    {"largest", Form::Integer},
    {"output_height", Form::Integer},
    {"output_width", Form::Integer},
    {"p", Form::Integer},
    {"rounded", Form::Integer},
    {"sampling_ratio", Form::Integer},
    {"saturate", Form::Integer},
    {"scored", Form::Integer},
    {"sorted", Form::Integer},
    {"states", Form::Integer},
    {"storage_order", Form::Integer},
    {"transA", Form::Integer},
    {"transB", Form::Integer},
    {"alpha", Form::Number},
    {"beta", Form::Number},
    {"delta", Form::Number},
    {"epsilon", Form::Number},
    {"max", Form::Number},
    {"min", Form::Number},
    {"scale", Form::Number},
    {"spatial_scale", Form::Number},
    {"start", Form::Number},
    {"value", Form::Number},
    {"approximate", Form::Text},
    {"coordinate", Form::Text},
    {"direction", Form::Text},
    {"dtype", Form::Text},
    {"mode", Form::Text},
    {"nearest", Form::Text},
    {"reduction", Form::Text},
    {"round_mode", Form::Text},
    {"to", Form::Text},
    {"axes", Form::Integers},
    {"denominators", Form::Integers},
    {"dilations", Form::Integers},
    {"kernel_shape", Form::Integers},
    {"numerators", Form::Integers},
    {"out_axes", Form::Integers},
    {"out_reverse", Form::Integers},
    {"output_padding", Form::Integers},
    {"pads", Form::Integers},
    {"perm", Form::Integers},
    {"starts", Form::Integers},
    {"steps", Form::Integers},
    {"strides", Form::Integers},
};

std::optional<Form> form_of(const Op& op, const std::string& name) {
  // A scan has several sequences, each with its direction.
  if (name == "reverse") return op.kind == OpKind::Scan ? Form::Integers : Form::Integer;
  auto found =
      std::find_if(std::begin(kForms), std::end(kForms), [&](const auto& known) { return known.first == name; });
  return found == std::end(kForms) ? std::nullopt : std::optional(found->second);
}

}  // namespace

Status check_attributes(const Op& op) {
  for (const auto& [name, value] : op.attributes) {
    auto form = form_of(op, name);
    if (form && !has_form(value, *form)) return refusal(op, "attribute {} must be {}", name, name_of(*form));
  }
  return Done{};
}

}  // namespace hone::ir
