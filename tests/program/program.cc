#include "program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>

namespace ridge::tests {
namespace {

// Nothing of the machine that runs the tests reaches the output: language, width, clock and colour are set.
std::vector<std::string> environment_of(const Call& call) {
  std::map<std::string, std::string> variables{
      {"LC_ALL", "C.UTF-8"}, {"COLUMNS", "100"}, {"TERM", "xterm-256color"}, {"SOURCE_DATE_EPOCH", "1796083200"} /* 2026-12-01 */, {"HOME", "/nonexistent"}};
  variables["PATH"] = RIDGE_PROGRAM_FOLDER ":/usr/bin:/bin";
  if (call.terminal_columns > 0) variables.erase("COLUMNS");
  for (const char* kept : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"})
    if (const char* value = std::getenv(kept)) variables[kept] = value;
  for (const auto& [name, value] : call.environment) variables[name] = value;
  std::vector<std::string> lines;
  for (const auto& [name, value] : variables) lines.push_back(name + "=" + value);
  return lines;
}

[[noreturn]] void become(const std::string& program, const std::vector<std::string>& arguments, const Call& call) {
  if (::chdir(call.folder.c_str()) != 0) ::_exit(126);
  ::signal(SIGPIPE, SIG_DFL);
  std::vector<std::string> environment = environment_of(call);
  std::vector<std::string> words = arguments;
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  for (std::string& line : environment) envp.push_back(line.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  ::execve(program.c_str(), argv.data(), envp.data());
  ::_exit(127);
}

int status_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Ran run_on_terminal(const std::string& program, const std::vector<std::string>& arguments, const Call& call) {
  struct winsize size{};
  size.ws_col = static_cast<unsigned short>(call.terminal_columns);
  size.ws_row = 50;
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) become(program, arguments, call);
  Ran ran;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t got = ::read(terminal, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;  // EIO: the other side is closed
    for (ssize_t i = 0; i < got; ++i)
      if (buffer[static_cast<std::size_t>(i)] != '\r') ran.out += buffer[static_cast<std::size_t>(i)];
  }
  ::close(terminal);
  ran.status = status_of(child);
  return ran;
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() { EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(std::size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

// Feeds the input and gathers both outputs at once, so that neither side waits for the other.
void exchange(Pipe& in, Pipe& out, Pipe& err, std::string_view input, Ran& ran) {
  ::signal(SIGPIPE, SIG_IGN);
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    std::array<pollfd, 3> watched{pollfd{in.ends[1], POLLOUT, 0}, pollfd{out.ends[0], POLLIN, 0}, pollfd{err.ends[0], POLLIN, 0}};
    if (::poll(watched.data(), watched.size(), -1) < 0) continue;
    if (watched[0].revents != 0) {
      const ssize_t put = ::write(in.ends[1], input.data(), input.size());
      if (put > 0) input.remove_prefix(static_cast<std::size_t>(put));
      if (put < 0 || input.empty()) in.close_end(1);
    }
    for (const auto& [index, text] : {std::pair<std::size_t, std::string*>{1, &ran.out}, {2, &ran.err}}) {
      if (watched[index].revents == 0) continue;
      Pipe& pipe = index == 1 ? out : err;
      std::array<char, 65536> buffer{};
      const ssize_t got = ::read(pipe.ends[0], buffer.data(), buffer.size());
      if (got > 0)
        text->append(buffer.data(), static_cast<std::size_t>(got));
      else if (got == 0 || errno != EINTR)
        pipe.close_end(0);
    }
  }
}

Ran run_piped(const std::string& program, const std::vector<std::string>& arguments, const Call& call) {
  Pipe in, out, err;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(in.ends[0], 0);
    ::dup2(out.ends[1], 1);
    ::dup2(err.ends[1], 2);
    become(program, arguments, call);
  }
  in.close_end(0);
  out.close_end(1);
  err.close_end(1);
  if (call.input.empty()) in.close_end(1);
  Ran ran;
  exchange(in, out, err, call.input, ran);
  ran.status = status_of(child);
  return ran;
}

}  // namespace

Ran run_ridge(const Call& call) {
  const std::string program = std::string(RIDGE_PROGRAM_FOLDER) + "/ridge";
  std::vector<std::string> arguments{"ridge"};
  arguments.insert(arguments.end(), call.arguments.begin(), call.arguments.end());
  return call.terminal_columns > 0 ? run_on_terminal(program, arguments, call) : run_piped(program, arguments, call);
}

Ran run_ridge(std::vector<std::string> arguments) {
  Call call;
  call.arguments = std::move(arguments);
  return run_ridge(call);
}

Ran run_shell(const std::string& line, const std::string& folder) {
  Call call;
  call.folder = folder;
  return run_piped("/bin/sh", {"sh", "-c", line}, call);
}

bool has_command(const std::string& name) { return run_shell("ridge help " + name, "/").status == 0; }

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path << " cannot be read";
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace ridge::tests
