// Result<T>: how an expected failure travels. Invariant: an Error always says what is wrong; `where` names the file and
// the place in it (byte, line, key path) or the option, and `advice` is the next step of the person who reads it.
// A broken invariant of the program itself is RIDGE_CHECK, which aborts; nothing here throws.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace ridge {

struct Error {
  std::string where;   // "config.json: key num_hidden_layers", "--rate", "" where there is no place
  std::string what;    // found and expected, one sentence without a full stop
  std::string advice;  // what to do; may be empty

  friend bool operator==(const Error&, const Error&) = default;
};

// One line, or two with advice: "WHERE: WHAT\n  ADVICE".
std::string to_string(const Error& error);

// Adds the outer place in front: with_context(e, "config.json") → "config.json: key hidden_size".
Error with_context(Error error, std::string_view outer);

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(std::string where, std::string what, std::string advice = {}) {
  return tl::unexpected<Error>(Error{std::move(where), std::move(what), std::move(advice)});
}

[[noreturn]] void check_failed(const char* expression, const char* file, int line);

}  // namespace ridge

#define RIDGE_CHECK(expression)                                                \
  do {                                                                         \
    if (!(expression)) ::ridge::check_failed(#expression, __FILE__, __LINE__); \
  } while (false)

#define RIDGE_CONCAT_INNER(a, b) a##b
#define RIDGE_CONCAT(a, b) RIDGE_CONCAT_INNER(a, b)

// RIDGE_TRY(auto x, f()); — x, or return f's error from this function.
#define RIDGE_TRY(declaration, ...) RIDGE_TRY_IMPL(RIDGE_CONCAT(ridge_try_, __LINE__), declaration, __VA_ARGS__)
#define RIDGE_TRY_IMPL(temporary, declaration, ...)                                    \
  auto temporary = (__VA_ARGS__);                                                      \
  if (!temporary) return tl::unexpected<::ridge::Error>(std::move(temporary).error()); \
  declaration = std::move(*temporary)

// RIDGE_TRY_VOID(f()); — for Result<void>, or to drop the value.
#define RIDGE_TRY_VOID(...)                                                                        \
  do {                                                                                             \
    auto ridge_try_void = (__VA_ARGS__);                                                           \
    if (!ridge_try_void) return tl::unexpected<::ridge::Error>(std::move(ridge_try_void).error()); \
  } while (false)
