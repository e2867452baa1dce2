#pragma once
// One line that says how far something is, where a person looks.

#include <ostream>
#include <string>

namespace flagman::daemon {

class Progress {
 public:
  /// Writes to `out`, the program's standard error, and only if that is a terminal.
  explicit Progress(std::ostream& out);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Wipes the line.
  ~Progress();

  void show(const std::string& text);

 private:
  std::ostream& out_;
  bool visible_;
  std::string shown_;
};

}  // namespace flagman::daemon
