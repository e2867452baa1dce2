#include "daemon/commands/progress.h"

#include <unistd.h>

#include <iostream>

namespace flagman::daemon {

Progress::Progress(std::ostream& out)
    : out_(out), visible_(&out == &std::cerr && ::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { show(""); }

void Progress::show(const std::string& text) {
  if (!visible_ || text == shown_) return;
  out_ << "\r\x1b[K" << text << std::flush;
  shown_ = text;
}

}  // namespace flagman::daemon
