#include "daemon/worker/random.h"

#include <openssl/rand.h>

#include <stdexcept>
#include <string_view>

namespace flagman::daemon {

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1) {
    throw std::runtime_error{"the system has no randomness to give"};
  }
  return bytes;
}

std::string random_uuid() {
  constexpr std::string_view digits = "0123456789abcdef";
  auto bytes = random_bytes(16);
  const auto set = [&](std::size_t at, unsigned keep, unsigned put) {
    bytes[at] = static_cast<char>((static_cast<unsigned char>(bytes[at]) & keep) | put);
  };
  set(6, 0x0FU, 0x40U);
  set(8, 0x3FU, 0x80U);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text += digits[byte >> 4U];
    text += digits[byte & 0xFU];
  }
  return text;
}

}  // namespace flagman::daemon
