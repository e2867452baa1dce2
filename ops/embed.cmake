# Writes a C++ file that holds the text of other files:
#   cmake -DOUT=x.cpp -DNAMES="a;b" -DFILES="a.json;b.json" -P embed.cmake
set(text "#include \"daemon/embedded.h\"\n\nnamespace flagman::daemon::embedded {\n\n")
foreach(name file IN ZIP_LISTS NAMES FILES)
  file(READ "${file}" content)
  string(APPEND text "const std::string_view ${name} = R\"embedded(${content})embedded\";\n\n")
endforeach()
string(APPEND text "}  // namespace flagman::daemon::embedded\n")
file(WRITE "${OUT}" "${text}")
