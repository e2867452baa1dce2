#include <iostream>

#include "daemon/cli.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return flagman::daemon::run_command_line(argc, argv, std::cout, std::cerr);
}
