#pragma once
// The worker's times and sizes.

#include <chrono>

namespace flagman::daemon {

struct WorkerOptions {
  std::chrono::milliseconds lease{30'000};
  std::chrono::milliseconds heartbeat{5'000};
  std::chrono::milliseconds poll{1'000};    // how often idle workers look for packages
  std::chrono::milliseconds rescue{5'000};  // how often silent workers are looked for
  std::chrono::milliseconds batch{5};       // how long an append waits for company
  // How long an author may take for a revision; then a person looks.
  std::chrono::milliseconds rebuild_wait{std::chrono::hours{24}};
  int batch_max = 500;        // journal entries an append, about
  int in_flight_max = 2'000;  // packages a process
};

}  // namespace flagman::daemon
