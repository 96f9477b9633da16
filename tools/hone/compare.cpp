#include "hone/compare.h"

#include <cmath>
#include <limits>

#include "hone/print.h"

namespace hone::tools {
namespace {

double distance(double got, double wanted) {
  if (got == wanted || (std::isnan(got) && std::isnan(wanted))) return 0;
  double apart = std::abs(got - wanted);
  return std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
}

}  // namespace

void add_tolerance_options(CLI::App& verb, Tolerance& tolerance) {
  auto add = [&](const char* name, double& value, const char* what) {
    verb.add_option(name, value, what)->check(CLI::NonNegativeNumber)->capture_default_str();
  };
  add("--atol", tolerance.absolute, "absolute tolerance");
  add("--rtol", tolerance.relative, "relative tolerance");
}

Result<Difference> compare(const eval::Tensor& got, const eval::Tensor& wanted, const Tolerance& tolerance) {
  if (got.dtype != wanted.dtype || got.shape != wanted.shape)
    return error("{}{} was computed where {}{} is right", ir::name_of(got.dtype), shape_text(got.shape),
                 ir::name_of(wanted.dtype), shape_text(wanted.shape));
  Difference difference;
  difference.elements = eval::count_of(got.shape);
  bool exact = !ir::is_float(got.dtype);
  for (int64_t k = 0; k < difference.elements; ++k) {
    double right = eval::element(wanted, k), apart = distance(eval::element(got, k), right);
    double size = std::isfinite(right) ? std::abs(right) : 0;
    if (apart > (exact ? 0 : tolerance.absolute + tolerance.relative * size)) ++difference.outside;
    if (apart > difference.absolute) {
      difference.absolute = apart;
      difference.absolute_at = k;
    }
    if (size > tolerance.absolute && apart / size > difference.relative) {
      difference.relative = apart / size;
      difference.relative_at = k;
    }
  }
  return difference;
}

std::string place_text(const std::vector<int64_t>& shape, int64_t element) {
  std::vector<int64_t> place(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    place[d] = shape[d] > 0 ? element % shape[d] : 0;
    element = shape[d] > 0 ? element / shape[d] : 0;
  }
  return shape_text(place);
}

}  // namespace hone::tools
