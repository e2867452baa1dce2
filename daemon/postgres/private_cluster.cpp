#include "daemon/postgres/private_cluster.h"

#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/configuration.h"

namespace flagman::daemon {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int oldest_version = 15;
constexpr auto start_budget = 60s;
constexpr auto predecessor_budget = 10s;

std::string reason_of(int error) { return std::generic_category().message(error); }

// Debian keeps each major version in a folder of its own.
fs::path find_programs() {
  const fs::path all{"/usr/lib/postgresql"};
  int newest = 0;
  fs::path found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator{all, error}) {
    const auto name = entry.path().filename().string();
    int version = 0;
    const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), version);
    if (bad != std::errc{} || end != name.data() + name.size()) continue;
    if (version > newest && fs::exists(entry.path() / "bin" / "postgres")) {
      newest = version;
      found = entry.path() / "bin";
    }
  }
  if (newest < oldest_version) {
    throw UsageError{"PostgreSQL 15 or later is not installed: " + all.string() +
                     ": install the package postgresql"};
  }
  return found;
}

struct User {
  uid_t uid;
  gid_t gid;
};

// What the log says last: the folder may be gone by the time somebody wants to read it.
std::string last_line(const fs::path& log) {
  std::ifstream file{log};
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  return log.string() + " ends with: " + (last.empty() ? "(nothing)" : last);
}

// PostgreSQL refuses to run as root.
std::optional<User> user_to_become() {
  if (::geteuid() != 0) return std::nullopt;
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> buffer(16384);
  for (const auto* name : {"postgres", "nobody"}) {
    if (::getpwnam_r(name, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr) {
      return User{entry.pw_uid, entry.pw_gid};
    }
  }
  throw UsageError{
      "there is no user to run PostgreSQL as: /etc/passwd: install the package postgresql"};
}

struct Child {
  fs::path program;
  std::vector<std::string> arguments;
  fs::path log;
  std::optional<User> user;
};

[[noreturn]] void become(const Child& child, char* const* argv, int log, pid_t parent) {
  // After fork: system calls alone. An exit code of 127 says that the program could not be run.
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(null, STDIN_FILENO);
  ::setsid();
  if (child.user) {
    if (::setgroups(0, nullptr) != 0 || ::setgid(child.user->gid) != 0 ||
        ::setuid(child.user->uid) != 0) {
      ::_exit(127);
    }
  }
  // Goes when its owner goes, however that happens. (A change of user clears it: so it stands
  // here.)
  ::prctl(PR_SET_PDEATHSIG, SIGINT);
  if (::getppid() != parent) ::_exit(127);
  if (::chdir("/") != 0) ::_exit(127);
  ::execv(argv[0], argv);
  ::_exit(127);
}

pid_t spawn(const Child& child) {
  std::vector<std::string> words{child.program.string()};
  words.insert(words.end(), child.arguments.begin(), child.arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int log = ::open(child.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0) {
    throw UsageError{"the log cannot be written: " + child.log.string() + ": " + reason_of(errno)};
  }
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) become(child, argv.data(), log, parent);
  const int error = errno;
  ::close(log);
  if (pid < 0) throw std::system_error{error, std::generic_category(), "fork"};
  return pid;
}

void make_database(const std::string& server, const fs::path& log) {
  const std::unique_ptr<PGconn, decltype(&::PQfinish)> connection{::PQconnectdb(server.c_str()),
                                                                  &::PQfinish};
  const std::unique_ptr<PGresult, decltype(&::PQclear)> made{
      ::PQexec(connection.get(), "create database flagman"), &::PQclear};
  const auto* state = ::PQresultErrorField(made.get(), PG_DIAG_SQLSTATE);
  const bool exists = state != nullptr && std::string_view{state} == "42P04";
  if (::PQresultStatus(made.get()) != PGRES_COMMAND_OK && !exists) {
    throw UsageError{"the database cannot be made: " + last_line(log)};
  }
}

// True where the child is gone; its status then.
bool reap(pid_t pid, int& status, int options) {
  pid_t gone = 0;
  do {
    gone = ::waitpid(pid, &status, options);
  } while (gone < 0 && errno == EINTR);
  return gone == pid;
}

}  // namespace

PrivateCluster::PrivateCluster(const fs::path& folder, Durability durability)
    : folder_(fs::absolute(folder)), programs_(find_programs()), durability_(durability) {
  const auto socket = folder_ / "socket" / ".s.PGSQL.5432.lock";
  if (socket.string().size() >= sizeof(sockaddr_un::sun_path)) {
    throw UsageError{"the folder's name is too long for a Unix socket: " + folder_.string() +
                     ": use a shorter one"};
  }
  if (!fs::exists(folder_ / "data" / "PG_VERSION")) initialise();
  start();
}

PrivateCluster::~PrivateCluster() { stop(SIGINT); }

void PrivateCluster::initialise() {
  if (fs::exists(folder_) && !fs::is_empty(folder_)) {
    throw UsageError{"the folder holds something else: " + folder_.string() +
                     ": give an empty or a new one"};
  }
  std::error_code error;
  fs::create_directories(folder_ / "socket", error);
  if (error) {
    throw UsageError{"the folder cannot be made: " + folder_.string() + ": " + error.message()};
  }
  const auto user = user_to_become();
  if (user) {
    for (const auto& path : {folder_, folder_ / "socket"}) {
      if (::chown(path.c_str(), user->uid, user->gid) != 0) {
        throw UsageError{"the folder's owner cannot be set: " + path.string() + ": " +
                         reason_of(errno)};
      }
    }
  }
  fs::permissions(folder_, fs::perms::owner_all);
  const auto log = folder_ / "initdb.log";
  std::vector<std::string> arguments{
      "-D",   (folder_ / "data").string(), "-U", "flagman", "--auth=trust", "-E",
      "UTF8", "--locale=C.UTF-8"};
  if (durability_ == Durability::quick) arguments.emplace_back("--no-sync");
  const pid_t pid = spawn({programs_ / "initdb", std::move(arguments), log, user});
  int status = 0;
  reap(pid, status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw UsageError{"PostgreSQL's initdb failed: " + last_line(log)};
  }
}

std::string PrivateCluster::connection_string() const { return connection_string("flagman"); }

std::string PrivateCluster::connection_string(const std::string& role) const {
  std::string path;
  for (const char c : (folder_ / "socket").string()) {
    if (c == '\'' || c == '\\') path += '\\';
    path += c;
  }
  return "host='" + path + "' user='" + role + "' dbname='flagman'";
}

// The server of a process that was killed ends by itself, but takes a moment.
void PrivateCluster::wait_for_predecessor() const {
  const auto deadline = std::chrono::steady_clock::now() + predecessor_budget;
  for (;;) {
    pid_t pid = 0;
    std::ifstream{folder_ / "data" / "postmaster.pid"} >> pid;
    if (pid <= 0 || (::kill(pid, 0) != 0 && errno == ESRCH)) return;
    if (std::chrono::steady_clock::now() > deadline) {
      throw UsageError{"another PostgreSQL runs in the folder: " + folder_.string() +
                       ": stop process " + std::to_string(pid) + " or give another folder"};
    }
    std::this_thread::sleep_for(20ms);
  }
}

void PrivateCluster::start() {
  wait_for_predecessor();
  const auto log = folder_ / "postgres.log";
  std::vector<std::string> arguments{
      "-D", (folder_ / "data").string(), "-k", (folder_ / "socket").string(),
      "-c", "listen_addresses=",         "-c", "unix_socket_permissions=0700"};
  if (durability_ == Durability::quick) arguments.insert(arguments.end(), {"-c", "fsync=off"});
  server_ = spawn({programs_ / "postgres", std::move(arguments), log, user_to_become()});
  std::string server = connection_string();
  server.replace(server.rfind("'flagman'"), 9, "'postgres'");
  const auto deadline = std::chrono::steady_clock::now() + start_budget;
  while (::PQping(server.c_str()) != PQPING_OK) {
    int status = 0;
    if (reap(server_, status, WNOHANG)) {
      server_ = -1;
      throw UsageError{"PostgreSQL did not start: " + last_line(log)};
    }
    if (std::chrono::steady_clock::now() > deadline) {
      stop(SIGQUIT);
      throw UsageError{"PostgreSQL did not start within 60 seconds: " + last_line(log)};
    }
    std::this_thread::sleep_for(20ms);
  }
  make_database(server, log);
}

void PrivateCluster::stop(int signal) {
  if (server_ < 0) return;
  ::kill(server_, signal);
  int status = 0;
  reap(server_, status, 0);
  server_ = -1;
}

void PrivateCluster::restart() {
  stop(SIGINT);
  start();
}

void PrivateCluster::crash() { stop(SIGQUIT); }

}  // namespace flagman::daemon
