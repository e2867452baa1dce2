# Writes a C++ file that holds the bytes of other files:
#   cmake -DOUT=x.cpp -DNAMES="a;b" -DFILES="a.json;b.json" -P embed.cmake
# As single characters and not as text: compilers need not take a literal of more than 64 KiB.
set(text "#include \"daemon/embedded.h\"\n\nnamespace flagman::daemon::embedded {\n")
foreach(name file IN ZIP_LISTS NAMES FILES)
  file(READ "${file}" content HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," characters "${content}")
  string(APPEND text "\nstatic constexpr char ${name}_bytes[] = {${characters}};\n"
                     "constinit const std::string_view ${name}{${name}_bytes, sizeof(${name}_bytes)};\n")
endforeach()
string(APPEND text "\n}  // namespace flagman::daemon::embedded\n")
file(WRITE "${OUT}" "${text}")
