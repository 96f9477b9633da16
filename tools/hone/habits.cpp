#include "hone/habits.h"

#include <map>

namespace hone::tools {
namespace {

const std::map<std::string, std::string> kSpellings = {
    {"-niter", "--iterations"}, {"-nthreads", "--threads"}, {"-shape", "--shape"},
    {"-i", "--input"},          {"-json", "--json"},
};

bool ends_with_json(const std::string& text) {
  return text.size() > 5 && text.compare(text.size() - 5, 5, ".json") == 0;
}

}  // namespace

std::vector<std::string> in_our_spelling(std::vector<std::string> arguments) {
  std::vector<std::string> result;
  for (size_t k = 0; k < arguments.size(); ++k) {
    const std::string& argument = arguments[k];
    size_t equals = argument.find('=');
    auto found = kSpellings.find(argument.substr(0, equals));
    if (found != kSpellings.end())
      result.push_back(found->second + (equals == std::string::npos ? "" : argument.substr(equals)));
    // What follows --profile is its file only if it looks like one: it may as well be the model.
    else if (argument == "--profile" && k + 1 < arguments.size() && ends_with_json(arguments[k + 1]))
      result.push_back("--profile=" + arguments[++k]);
    else
      result.push_back(argument);
  }
  return result;
}

}  // namespace hone::tools
