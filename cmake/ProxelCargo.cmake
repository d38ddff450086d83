# The library by cargo, as imported targets that the tool in this tree links with.
find_program(CARGO cargo HINTS "$ENV{HOME}/.cargo/bin" REQUIRED)
find_package(Threads REQUIRED)

set(proxel_lib_dir "${PROJECT_BINARY_DIR}/lib")
file(MAKE_DIRECTORY "${proxel_lib_dir}")
set(proxel_cargo_out "${PROXEL_CARGO_TARGET_DIR}")
if(WIN32)
  set(proxel_triple x86_64-pc-windows-gnu)
  string(APPEND proxel_cargo_out "/${proxel_triple}")
  set(proxel_cargo_args --target ${proxel_triple})
  set(proxel_cargo_env "CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=${CMAKE_C_COMPILER}" "WINDRES=${CMAKE_RC_COMPILER}")
  set(proxel_cargo_shared proxel.dll)
  set(proxel_shared proxel.dll)
else()
  set(proxel_cargo_args "")
  set(proxel_cargo_env "")
  set(proxel_cargo_shared libproxel.so)
  # The file has the full version and the links have the soname's and the linker's names, as an installed library has, so
  # that programs run from the build tree too.
  set(proxel_shared "libproxel.so.${PROJECT_VERSION}")
  set(proxel_soname "libproxel.so.${proxel_abi}")
endif()
if(PROXEL_CARGO_PROFILE STREQUAL "dev")
  string(APPEND proxel_cargo_out "/debug")
else()
  string(APPEND proxel_cargo_out "/${PROXEL_CARGO_PROFILE}")
endif()

# No path of this machine goes into the library: messages of panics name their files from here on. cargo takes flags with
# spaces in them only if the unit separator stands between them.
if(DEFINED ENV{CARGO_HOME})
  set(proxel_cargo_home "$ENV{CARGO_HOME}")
else()
  set(proxel_cargo_home "$ENV{HOME}/.cargo")
endif()
string(ASCII 31 proxel_separator)
string(REPLACE " " "${proxel_separator}" proxel_rustflags "$ENV{RUSTFLAGS}")
foreach(pair "${PROXEL_CARGO_TARGET_DIR}=target" "${proxel_cargo_home}=cargo" "${PROJECT_SOURCE_DIR}=proxel")
  string(APPEND proxel_rustflags "${proxel_separator}--remap-path-prefix=${pair}")
endforeach()
string(REGEX REPLACE "^${proxel_separator}" "" proxel_rustflags "${proxel_rustflags}")
list(APPEND proxel_cargo_env "CARGO_TARGET_DIR=${PROXEL_CARGO_TARGET_DIR}" "CARGO_ENCODED_RUSTFLAGS=${proxel_rustflags}")

# GNU's tools refuse an archive with empty members, as Rust's archives for Windows have them, and make no import library that
# MSVC takes; LLVM's do both.
set(proxel_archive_objcopy ${CMAKE_OBJCOPY})
if(WIN32)
  find_program(PROXEL_LLVM_OBJCOPY NAMES llvm-objcopy llvm-objcopy-19 llvm-objcopy-16 llvm-objcopy-14 REQUIRED)
  find_program(PROXEL_DLLTOOL NAMES llvm-dlltool llvm-dlltool-19 llvm-dlltool-16 llvm-dlltool-14 REQUIRED)
  set(proxel_archive_objcopy ${PROXEL_LLVM_OBJCOPY})
endif()

# Symbols and lines for a debugger go to a file beside the library, which names it. Files that are the same as before keep
# their times.
set(proxel_split
  COMMAND ${CMAKE_OBJCOPY} --only-keep-debug "${proxel_cargo_out}/${proxel_cargo_shared}" "${proxel_shared}.debug"
  COMMAND ${CMAKE_OBJCOPY} --strip-unneeded "--add-gnu-debuglink=${proxel_shared}.debug"
          "${proxel_cargo_out}/${proxel_cargo_shared}" "${proxel_shared}.stripped"
  COMMAND ${proxel_archive_objcopy} --strip-debug "${proxel_cargo_out}/libproxel.a" libproxel.a.stripped
  COMMAND ${CMAKE_COMMAND} -E copy_if_different "${proxel_shared}.stripped" "${proxel_shared}"
  COMMAND ${CMAKE_COMMAND} -E copy_if_different libproxel.a.stripped libproxel.a
  COMMAND ${CMAKE_COMMAND} -E rm "${proxel_shared}.stripped" libproxel.a.stripped)
set(proxel_made "${proxel_lib_dir}/${proxel_shared}" "${proxel_lib_dir}/libproxel.a")
if(WIN32)
  # One import library for MinGW, by the linker, and one for MSVC, from the list of what is exported.
  set(proxel_link
    COMMAND ${CMAKE_COMMAND} -E copy_if_different "${proxel_cargo_out}/libproxel.dll.a" libproxel.dll.a
    COMMAND ${CMAKE_COMMAND} -DLIBRARY=${proxel_shared} -DOBJDUMP=${CMAKE_OBJDUMP} -DDLLTOOL=${PROXEL_DLLTOOL} -DOUT=proxel.lib
            -P "${PROJECT_SOURCE_DIR}/cmake/ImportLibrary.cmake")
  list(APPEND proxel_made "${proxel_lib_dir}/libproxel.dll.a" "${proxel_lib_dir}/proxel.lib")
else()
  set(proxel_link
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${proxel_shared} ${proxel_soname}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ${proxel_soname} libproxel.so)
endif()

# cargo knows best whether something changed, so it is always asked.
add_custom_target(proxel_cargo ALL
  COMMAND ${CMAKE_COMMAND} -E chdir "${PROJECT_SOURCE_DIR}" ${CMAKE_COMMAND} -E env ${proxel_cargo_env}
          ${CARGO} build --lib --profile ${PROXEL_CARGO_PROFILE} ${proxel_cargo_args}
  ${proxel_split}
  ${proxel_link}
  BYPRODUCTS ${proxel_made}
  WORKING_DIRECTORY "${proxel_lib_dir}"
  COMMENT "cargo build --profile ${PROXEL_CARGO_PROFILE} ${proxel_cargo_args}"
  USES_TERMINAL VERBATIM)

# What Rust's standard library needs of the system: rustc --print native-static-libs.
if(WIN32)
  set(proxel_system_libs kernel32 ntdll userenv ws2_32 dbghelp)
else()
  set(proxel_system_libs pthread gcc_s rt m dl)
endif()

add_library(proxel SHARED IMPORTED GLOBAL)
set_target_properties(proxel PROPERTIES
  IMPORTED_LOCATION "${proxel_lib_dir}/${proxel_shared}"
  INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/include")
if(WIN32)
  set_target_properties(proxel PROPERTIES IMPORTED_IMPLIB "${proxel_lib_dir}/libproxel.dll.a")
else()
  set_target_properties(proxel PROPERTIES IMPORTED_SONAME "${proxel_soname}")
endif()
add_dependencies(proxel proxel_cargo)
add_library(Proxel::proxel ALIAS proxel)

add_library(proxel_static STATIC IMPORTED GLOBAL)
set_target_properties(proxel_static PROPERTIES
  IMPORTED_LOCATION "${proxel_lib_dir}/libproxel.a"
  INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/include"
  INTERFACE_LINK_LIBRARIES "Threads::Threads;${proxel_system_libs}")
add_dependencies(proxel_static proxel_cargo)
add_library(Proxel::proxel_static ALIAS proxel_static)
