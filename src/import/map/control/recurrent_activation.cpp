#include <algorithm>
#include <cctype>

#include "import/map/control/recurrent_internal.h"

namespace hone::import {
namespace {

// What an activation takes beside its operand; no default: it must be given.
struct Takes {
  const char* name;
  bool alpha, beta;
  std::optional<double> default_alpha, default_beta;
};

const Takes kActivations[] = {
    {"affine", true, true, 1.0, 0.0},
    {"elu", true, false, 1.0, {}},
    {"hardsigmoid", true, true, 0.2, 0.5},
    {"leakyrelu", true, false, 0.01, {}},
    {"relu", false, false, {}, {}},
    {"scaledtanh", true, true, {}, {}},
    {"sigmoid", false, false, {}, {}},
    {"softplus", false, false, {}, {}},
    {"softsign", false, false, {}, {}},
    {"tanh", false, false, {}, {}},
    {"thresholdedrelu", true, false, 1.0, {}},
};

// Numbers are handed out in the order of the functions that take them.
class Numbers {
 public:
  explicit Numbers(std::vector<double> numbers) : numbers_(std::move(numbers)) {}

  std::optional<double> next(bool takes, std::optional<double> otherwise) {
    if (!takes) return 0.0;
    return next_ < numbers_.size() ? numbers_[next_++] : otherwise;
  }

 private:
  std::vector<double> numbers_;
  size_t next_ = 0;
};

Result<Activation> activation_named(const std::string& name, Numbers& alphas, Numbers& betas) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const Takes& takes : kActivations) {
    if (lower != takes.name) continue;
    auto alpha = alphas.next(takes.alpha, takes.default_alpha), beta = betas.next(takes.beta, takes.default_beta);
    if (!alpha || !beta) return error("activation '{}' needs activation_alpha and activation_beta", name);
    return Activation{lower, *alpha, *beta};
  }
  return error("activation '{}' is not supported; those of the ONNX standard would work", name);
}

}  // namespace

Result<std::vector<std::vector<Activation>>> read_activations(Node& node, size_t directions,
                                                              const std::vector<std::string>& defaults) {
  std::vector<std::string> names = node.attributes().texts("activations");
  if (names.empty())
    for (size_t d = 0; d < directions; ++d) names.insert(names.end(), defaults.begin(), defaults.end());
  if (names.size() != directions * defaults.size())
    return error("it names {} activations, {} are needed", names.size(), directions * defaults.size());
  Numbers alphas(node.attributes().numbers("activation_alpha")), betas(node.attributes().numbers("activation_beta"));
  std::vector<std::vector<Activation>> all(directions);
  for (size_t k = 0; k < names.size(); ++k) {
    HONE_TRY(Activation one, activation_named(names[k], alphas, betas));
    all[k / defaults.size()].push_back(one);
  }
  return all;
}

ValueId apply(StepBuilder& step, const Activation& activation, ValueId x) {
  const std::string& name = activation.name;
  auto number = [&](double value) { return step.number(step.type(x).dtype, value); };
  if (name == "tanh") return step.add(OpKind::Tanh, {x});
  if (name == "sigmoid") return step.add(OpKind::Sigmoid, {x});
  if (name == "relu") return step.add(OpKind::Relu, {x});
  if (name == "softplus") return step.add(OpKind::Softplus, {x});
  if (name == "elu") return step.add(OpKind::Elu, {x}, {{"alpha", activation.alpha}});
  if (name == "leakyrelu") return step.add(OpKind::LeakyRelu, {x}, {{"alpha", activation.alpha}});
  if (name == "hardsigmoid")
    return step.add(OpKind::HardSigmoid, {x}, {{"alpha", activation.alpha}, {"beta", activation.beta}});
  if (name == "affine")
    return step.add(OpKind::Add, {step.add(OpKind::Mul, {x, number(activation.alpha)}), number(activation.beta)});
  if (name == "scaledtanh") {
    ValueId inner = step.add(OpKind::Tanh, {step.add(OpKind::Mul, {x, number(activation.beta)})});
    return step.add(OpKind::Mul, {inner, number(activation.alpha)});
  }
  if (name == "softsign") {
    ValueId below = step.add(OpKind::Add, {step.add(OpKind::Abs, {x}), number(1)});
    return step.add(OpKind::Div, {x, below});
  }
  HONE_CHECK(name == "thresholdedrelu", "activation '{}' is in no list", name);
  ValueId above = step.add(OpKind::Greater, {x, number(activation.alpha)});
  return step.add(OpKind::Where, {above, x, number(0)});
}

}  // namespace hone::import
