#include "quantity/result.h"

#include <cstdio>
#include <cstdlib>

namespace ridge {

std::string to_string(const Error& error) {
  std::string text;
  if (!error.where.empty()) text += error.where + ": ";
  text += error.what;
  if (!error.advice.empty()) text += "\n  " + error.advice;
  return text;
}

Error with_context(Error error, std::string_view outer) {
  error.where = error.where.empty() ? std::string(outer) : std::string(outer) + ": " + error.where;
  return error;
}

void check_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "ridge: internal fault: %s does not hold (%s:%d)\n  This is a defect of ridge; please report it with the command.\n", expression, file,
               line);
  std::abort();
}

}  // namespace ridge
