# Makes an import library, which MSVC links with, from a DLL's own list of exports:
#   cmake -DLIBRARY=proxel.dll -DOBJDUMP=objdump -DDLLTOOL=llvm-dlltool -DOUT=proxel.lib -P ImportLibrary.cmake
execute_process(COMMAND "${OBJDUMP}" -p "${LIBRARY}" OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
# "[   0] +base[   1] 0000 UnityPluginLoad", or without the base in older tools
string(REGEX MATCHALL "\n[ \t]*\\[ *[0-9]+\\][^\n]* (prx_[a-z0-9_]+|UnityPlugin[A-Za-z]+)" lines "${listing}")
list(TRANSFORM lines REPLACE ".* " "")
list(REMOVE_DUPLICATES lines)
list(LENGTH lines count)
if(count LESS 2)
  message(FATAL_ERROR "${LIBRARY} exports nothing")
endif()
get_filename_component(name "${LIBRARY}" NAME)
list(JOIN lines "\n" exports)
file(WRITE "${OUT}.def" "LIBRARY ${name}\nEXPORTS\n${exports}\n")
execute_process(COMMAND "${DLLTOOL}" -m i386:x86-64 -d "${OUT}.def" -D "${name}" -l "${OUT}" COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE "${OUT}.def")
