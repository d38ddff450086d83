# A toolchain file: Windows programs from Linux, by MinGW.
#   cmake -S . -B target/cmake-windows -DCMAKE_TOOLCHAIN_FILE=cmake/MinGW.cmake
# Packages are looked for in PROXEL_MINGW_ROOT, which `scripts/setup windows` fills, and in CMAKE_PREFIX_PATH.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
# With POSIX threads: the other variant has no std::mutex.
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PROXEL_MINGW_ROOT)
if(NOT PROXEL_MINGW_ROOT)
  set(PROXEL_MINGW_ROOT "${CMAKE_CURRENT_LIST_DIR}/../target/mingw-root")
endif()
set(CMAKE_FIND_ROOT_PATH "${PROXEL_MINGW_ROOT}" /usr/x86_64-w64-mingw32 ${CMAKE_PREFIX_PATH})
# What is compiled for Linux does not fit.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
