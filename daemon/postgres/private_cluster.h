#pragma once
// A PostgreSQL of one's own: for the demo, for tests, for `serve --embedded`.
//
// Made of the system's own initdb and postgres, in one folder, reachable over a
// Unix socket in that folder alone. It goes when its owner goes.

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace flagman::daemon {

class PrivateCluster {
 public:
  enum class Durability {
    safe,   // fsync on: survives a power cut
    quick,  // fsync off: for tests, whose machine is not to lose power
  };

  /// Makes the cluster in `folder` where there is none yet (the folder may be absent or empty), and
  /// starts it. As root it runs as the user postgres, who then owns the folder, since PostgreSQL
  /// refuses root. Throws UsageError where PostgreSQL 15 or later is not installed, the folder
  /// holds something else, the socket's path would be too long (107 bytes), or it does not come up
  /// within 60 seconds; the message names the log.
  explicit PrivateCluster(const std::filesystem::path& folder,
                          Durability durability = Durability::safe);
  PrivateCluster(const PrivateCluster&) = delete;
  PrivateCluster& operator=(const PrivateCluster&) = delete;
  /// Stops it (fast shutdown) and waits for it.
  ~PrivateCluster();

  /// Connection string of the superuser `flagman` to the database `flagman`.
  [[nodiscard]] std::string connection_string() const;
  /// The same as another role of the cluster.
  [[nodiscard]] std::string connection_string(const std::string& role) const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// Stops and starts it again, as an operator's restart would.
  void restart();
  /// Stops it as kill -9 does; `restart` brings it back.
  void crash();

 private:
  void initialise();
  void wait_for_predecessor() const;
  void start();
  void stop(int signal);

  std::filesystem::path folder_;
  std::filesystem::path programs_;  // where initdb and postgres lie
  Durability durability_;
  pid_t server_ = -1;
};

}  // namespace flagman::daemon
