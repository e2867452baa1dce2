#include "validators/digest.h"

#include <catch2/catch.hpp>
#include <string>

using namespace flagman::validators;

TEST_CASE("SHA-256 gives the digests of FIPS 180-4", "[validators]") {
  struct Row {
    const char* why;
    std::string bytes, want;
  };
  const auto row = GENERATE(values<Row>({
      {"nothing", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"one block", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"two blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"a NUL is a byte like any other", std::string(1, '\0'),
       "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"},
  }));
  CAPTURE(row.why);
  CHECK(hex(sha256(row.bytes)) == row.want);
}
