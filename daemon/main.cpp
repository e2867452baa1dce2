#include <cstdlib>
#include <iostream>

#include "daemon/cli.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  // A database host that does not answer is not to hold anybody up; who wants another bound sets
  // it.
  ::setenv("PGCONNECT_TIMEOUT", "5", 0);  // NOLINT(concurrency-mt-unsafe): no other thread yet
  return flagman::daemon::run_command_line(argc, argv, std::cout, std::cerr);
}
