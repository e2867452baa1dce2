#pragma once
// The database as the daemon sees it: one connection, every statement by name.
// Synchronous; lives on a thread of its own (store_pool.h).

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "daemon/journal/time.h"
#include "daemon/store/rows.h"
#include "daemon/verify/verifier.h"

namespace flagman::daemon {

/// The connection is gone or the database refuses for a while: throw the store away and dial again.
struct StoreUnavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The database refuses an act for good; `what()` is its reason, one line.
struct StoreRefused : std::runtime_error {
  explicit StoreRefused(const std::string& reason, std::string sqlstate = {})
      : std::runtime_error(reason), state(std::move(sqlstate)) {}
  std::string state;  // the SQLSTATE, or empty
};

struct AuditedPackage {
  VerifierRows rows;
  PackageRecord record;
  std::vector<ItemRow> items;  // as people are shown them
};

class Store {
 public:
  /// Throws StoreUnavailable where nothing answers, StoreRefused where the schema is of another
  /// version or the role is refused.
  explicit Store(const std::string& connection_string);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) = delete;
  ~Store();

  // ---- the worker ----

  void register_worker(const std::string& worker, std::chrono::milliseconds lease);
  /// False: this worker was declared dead, and its packages belong to others.
  [[nodiscard]] bool heartbeat(const std::string& worker);
  [[nodiscard]] std::vector<ClaimedPackage> claim(const std::string& worker, int count,
                                                  std::int64_t after);
  /// The packages whose change was made; a missing one belongs to somebody else now.
  [[nodiscard]] std::vector<Appended> append(const std::string& worker,
                                             const std::vector<Change>& changes);
  /// After a lost reply: the packages whose change had been made all the same.
  [[nodiscard]] std::vector<std::int64_t> committed(const std::vector<Change>& changes);
  /// Tells who listens of new states and open rebuilds; after the append, `made` of which are true.
  void tell(const std::vector<Change>& changes, const std::vector<Appended>& made);
  /// Gives one package back that its holder cannot go on with; `failed`: by the package's own
  /// fault, which counts like a crash.
  void give_up(const std::string& worker, std::int64_t package, std::int64_t epoch, bool failed);
  /// The worker's packages with acts in their inbox that no chain has taken in.
  [[nodiscard]] std::vector<std::int64_t> acts_waiting(const std::string& worker);
  /// Frees the packages of workers that are silent beyond their lease. Gives how many.
  int rescue(std::chrono::milliseconds grace);
  void retire(const std::string& worker);
  /// Keeps a policy, games or prompts by their digest.
  void keep_setting(const std::string& kind, const std::string& bytes);
  [[nodiscard]] Time clock();

  // ---- the record ----

  [[nodiscard]] PackageRecord load(std::int64_t package);
  [[nodiscard]] std::vector<InboxRow> load_inbox(std::int64_t package);
  [[nodiscard]] std::vector<ItemRow> items(std::int64_t package);
  /// All that can be held against one another, as it stands at one moment.
  [[nodiscard]] AuditedPackage load_for_audit(std::int64_t package);
  /// The bytes under a digest (hexadecimal). Throws StoreRefused where there are none.
  [[nodiscard]] std::string setting(const std::string& digest);
  /// The numbers of all packages, or of those submitted since (an RFC 3339 time), rising.
  [[nodiscard]] std::vector<std::int64_t> packages(const std::optional<std::string>& since);

  // ---- generators and operators ----

  struct Submitted {
    std::int64_t id = 0;
    bool is_new = false;
  };
  [[nodiscard]] Submitted submit(const std::string& payload,
                                 const std::optional<std::string>& teacher);
  void wake();
  void cancel(std::int64_t package);
  [[nodiscard]] std::string result(std::int64_t package);
  void deliver_rebuild(std::int64_t rebuild, const std::string& item);
  void review(std::int64_t package, const std::string& item, const std::string& decision,
              const std::string& who, const std::string& why);
  /// By number, or by the generator's id.
  [[nodiscard]] std::optional<std::int64_t> find_package(const std::string& name);

  struct OpenRebuild {
    std::int64_t id = 0;
    std::string package;  // its name
    std::string item;
    int revision = 2;
    std::string brief;
  };
  [[nodiscard]] std::vector<OpenRebuild> open_rebuilds();

  struct StatusRow {
    std::int64_t id = 0;
    std::string name, teacher, status, reasons, submitted_at;
    int items = 0, accepted = 0, rebuilt = 0, flagged = 0, rejected = 0, manual_review = 0,
        open = 0;
  };
  [[nodiscard]] std::vector<StatusRow> statuses(const std::optional<std::int64_t>& package);

  struct ReviewRow {
    std::int64_t package = 0;
    std::string name, item, reasons;
    int revision = 1;
  };
  [[nodiscard]] std::vector<ReviewRow> open_reviews();

 private:
  struct Session;
  std::unique_ptr<Session> session_;
};

}  // namespace flagman::daemon
