// Failure has two kinds, never mixed. What a model file, a flag or a machine can cause is a Result<T> whose Error is
// written for the user: what is wrong, where, what would work. What only a fault in Hone can cause is HONE_CHECK, which
// throws InternalError with place and condition; nobody but the outermost face (capi, tools) catches it.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace hone {

struct Error {
  std::string message;
};

template <typename... Args>
Error error(fmt::format_string<Args...> format, Args&&... args) {
  return Error{fmt::format(format, std::forward<Args>(args)...)};
}

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error problem) : state_(std::move(problem)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& problem() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

struct Done {};
using Status = Result<Done>;

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void fail_check(const char* file, int line, const char* condition, const std::string& detail) {
  throw InternalError(fmt::format("internal error at {}:{}: {} does not hold: {}", file, line, condition, detail));
}

}  // namespace hone

#define HONE_CHECK(condition, ...) \
  ((condition) ? (void)0 : ::hone::fail_check(__FILE__, __LINE__, #condition, ::fmt::format(__VA_ARGS__)))

#define HONE_CONCAT_INNER(a, b) a##b
#define HONE_CONCAT(a, b) HONE_CONCAT_INNER(a, b)

// HONE_TRY(auto x, may_fail()): x is the value, or this function returns the error.
#define HONE_TRY(declaration, expression) HONE_TRY_NAMED(HONE_CONCAT(attempt_, __COUNTER__), declaration, expression)
#define HONE_TRY_NAMED(name, declaration, expression) \
  auto name = (expression);                           \
  if (!name.ok()) return name.problem();              \
  declaration = std::move(name).value()

// HONE_PASS(may_fail()): goes on, or returns the error.
#define HONE_PASS(expression) \
  if (auto passed = (expression); !passed.ok()) return passed.problem()
