#pragma once
// A file that a test writes and that goes with it.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace flagman::tests {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    auto pattern = (std::filesystem::temp_directory_path() / "flagman-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;  // a folder that stays behind is no fault of the product
    std::filesystem::remove_all(path_, ignored);
  }

  std::string write(const std::string& name, std::string_view bytes) const {
    const auto file = path_ / name;
    std::ofstream{file, std::ios::binary} << bytes;
    return file.string();
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace flagman::tests
