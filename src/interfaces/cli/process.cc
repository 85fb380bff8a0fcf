#include "interfaces/cli/process.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>

#include "interfaces/cli/cli.h"

namespace ridge::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

void leave_interrupted(int) { ::_exit(kInterrupted); }
void leave_faulty(int) { ::_exit(kFault); }

void install_handlers() {
  struct sigaction action{}, before{};
  action.sa_handler = leave_interrupted;
  ::sigaction(SIGINT, &action, &before);
  if (before.sa_handler == SIG_IGN) ::sigaction(SIGINT, &before, nullptr);  // a shell's background job
  // RIDGE_CHECK and std::terminate have said what happened by the time they abort.
  action.sa_handler = leave_faulty;
  ::sigaction(SIGABRT, &action, nullptr);
}

// A file that is being written is finished before Ctrl-C takes effect, so that no temporary stays behind.
Result<void> write_file_uninterrupted(const std::string& path, std::string_view text) {
  sigset_t interrupts, before;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  ::sigprocmask(SIG_BLOCK, &interrupts, &before);
  Result<void> written = formats::write_file(path, text);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return written;
}

// SOURCE_DATE_EPOCH stands in for the clock where output must be reproducible (reproducible-builds.org).
std::string today() {
  const std::string_view fixed = variable("SOURCE_DATE_EPOCH");
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(fixed.data(), fixed.data() + fixed.size(), seconds);
  if (fixed.empty() || error != std::errc() || end != fixed.data() + fixed.size()) seconds = static_cast<std::int64_t>(std::time(nullptr));
  return date_of(seconds);
}

int terminal_columns(int descriptor) {
  struct winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(descriptor, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

double seconds_of(const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; }

std::string statistics(std::chrono::steady_clock::time_point start) {
  struct rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  return fmt::format("ridge: {} wall, {} CPU, {} peak memory\n", format_value(wall, "s", true), format_value(cpu, "s", true),
                     format_bytes(Bytes{usage.ru_maxrss * kKiB}));
}

}  // namespace

bool is_utf8_locale(std::string_view lc_all, std::string_view lc_ctype, std::string_view lang) {
  const std::string_view name = !lc_all.empty() ? lc_all : !lc_ctype.empty() ? lc_ctype : lang;
  std::string folded;
  for (const char c : name)
    if (c != '-') folded += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return folded.find("utf8") != std::string::npos;
}

std::string date_of(std::int64_t seconds) {
  const std::time_t time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  if (::gmtime_r(&time, &parts) == nullptr) return "1970-01-01";
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

int output_width(std::string_view columns_variable, int terminal_columns) {
  int columns = 0;
  const auto [end, error] = std::from_chars(columns_variable.data(), columns_variable.data() + columns_variable.size(), columns);
  if (error != std::errc() || end != columns_variable.data() + columns_variable.size() || columns <= 0) columns = terminal_columns > 0 ? terminal_columns : 80;
  return std::clamp(columns, 40, 400);
}

int run_process(int argc, char** argv) {
  const auto start = std::chrono::steady_clock::now();
  install_handlers();
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);

  const formats::DiskFileSystem disk;
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const Outside outside{disk,
                        write_file_uninterrupted,
                        today(),
                        output_width(variable("COLUMNS"), terminal ? terminal_columns(STDOUT_FILENO) : 0),
                        terminal && variable("NO_COLOR").empty() && variable("TERM") != "dumb",
                        is_utf8_locale(variable("LC_ALL"), variable("LC_CTYPE"), variable("LANG"))};
  Outcome outcome = answer(words, known_commands(), outside);

  if (!write_all(STDOUT_FILENO, outcome.out)) {
    outcome.err += fmt::format("ridge: standard output: {}\n", std::strerror(errno));
    outcome.status = kWrongRequest;
  }
  if (outcome.stats) outcome.err += statistics(start);
  write_all(STDERR_FILENO, outcome.err);
  return outcome.status;
}

}  // namespace ridge::cli
