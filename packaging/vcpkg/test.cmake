# Runs the port's portfile.cmake as vcpkg would, without vcpkg and without a network, and looks at what it leaves:
#
#   cmake -DWHERE=FOLDER [-DTARGET_DIR=CARGO_TARGET_DIR] [-DCARGO=CARGO] -P packaging/vcpkg/test.cmake
#
# What the portfile calls is here in short: it configures, installs and moves as vcpkg's functions do where this port can tell the
# difference. Then an engine finds the package, links with it and runs.
cmake_minimum_required(VERSION 3.21)

set(PORT proxel)
set(port_dir "${CMAKE_CURRENT_LIST_DIR}/${PORT}")
get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
get_filename_component(WHERE "${WHERE}" ABSOLUTE)
set(CURRENT_BUILDTREES_DIR "${WHERE}/buildtrees")
set(CURRENT_PACKAGES_DIR "${WHERE}/packages")
file(REMOVE_RECURSE "${WHERE}")
# What a user's environment may set: where cargo builds, and which cargo.
set(settings "")
if(DEFINED TARGET_DIR)
  list(APPEND settings "-DPROXEL_CARGO_TARGET_DIR=${TARGET_DIR}")
endif()
if(DEFINED CARGO)
  list(APPEND settings "-DCARGO=${CARGO}")
endif()

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE told ERROR_VARIABLE told)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${told}")
  endif()
  set(told "${told}" PARENT_SCOPE)
endfunction()

function(check)
  if(NOT (${ARGN}))
    list(JOIN ARGN " " what)
    message(FATAL_ERROR "the package of vcpkg is not as it should be: ${what}")
  endif()
endfunction()

# --- what vcpkg offers ------------------------------------------------------------------------------------------------

# The builds that are asked for: rel, and dbg unless VCPKG_BUILD_TYPE says release.
macro(builds_of out)
  set(${out} rel)
  if(NOT "${VCPKG_BUILD_TYPE}" STREQUAL "release")
    list(APPEND ${out} dbg)
  endif()
endmacro()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 asked "" "SOURCE_PATH" "OPTIONS;OPTIONS_DEBUG;OPTIONS_RELEASE")
  check(NOT DEFINED asked_UNPARSED_ARGUMENTS)
  set(rel -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" ${asked_OPTIONS_RELEASE})
  set(dbg -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}/debug" ${asked_OPTIONS_DEBUG})
  builds_of(builds)
  foreach(build IN LISTS builds)
    run(${CMAKE_COMMAND} -S "${asked_SOURCE_PATH}" -B "${CURRENT_BUILDTREES_DIR}/${build}" ${asked_OPTIONS} ${${build}}
      -DCMAKE_INSTALL_LIBDIR=lib ${settings})
  endforeach()
endfunction()

function(vcpkg_cmake_install)
  builds_of(builds)
  foreach(build IN LISTS builds)
    run(${CMAKE_COMMAND} --build "${CURRENT_BUILDTREES_DIR}/${build}" --target install)
  endforeach()
endfunction()

# The package's files go to share/NAME, two folders below the prefix wherever they were before; those of a debug build go.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 asked "" "PACKAGE_NAME;CONFIG_PATH" "")
  check(NOT DEFINED asked_UNPARSED_ARGUMENTS AND EXISTS "${CURRENT_PACKAGES_DIR}/${asked_CONFIG_PATH}/ProxelConfig.cmake")
  if(NOT asked_PACKAGE_NAME)
    set(asked_PACKAGE_NAME ${PORT})
  endif()
  set(share "${CURRENT_PACKAGES_DIR}/share/${asked_PACKAGE_NAME}")
  file(GLOB files "${CURRENT_PACKAGES_DIR}/${asked_CONFIG_PATH}/*")
  file(COPY ${files} DESTINATION "${share}")
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib/cmake" "${CURRENT_PACKAGES_DIR}/debug/lib/cmake")
  file(READ "${share}/ProxelConfig.cmake" text)
  set(begin "get_filename_component(PACKAGE_PREFIX_DIR \"\${CMAKE_CURRENT_LIST_DIR}/../../")
  string(FIND "${text}" "${begin}../\" ABSOLUTE)" at)
  check(at GREATER -1)
  string(REPLACE "${begin}../\"" "${begin}\"" text "${text}")
  file(WRITE "${share}/ProxelConfig.cmake" "${text}")
endfunction()

function(vcpkg_fixup_pkgconfig)
  check(EXISTS "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/proxel.pc")
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 asked "" "" "FILE_LIST")
  foreach(file IN LISTS asked_FILE_LIST)
    file(READ "${file}" text)
    file(APPEND "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright" "${text}")
  endforeach()
endfunction()

# --- the port -----------------------------------------------------------------------------------------------------------

include("${port_dir}/portfile.cmake")

# What vcpkg's own checks after a build ask for, and what the manifest needs.
check(EXISTS "${CURRENT_PACKAGES_DIR}/include/proxel.hpp" AND EXISTS "${CURRENT_PACKAGES_DIR}/share/proxel/copyright")
check(NOT EXISTS "${CURRENT_PACKAGES_DIR}/debug/include" AND NOT EXISTS "${CURRENT_PACKAGES_DIR}/debug/share")
check(NOT EXISTS "${CURRENT_PACKAGES_DIR}/lib/cmake" AND NOT EXISTS "${CURRENT_PACKAGES_DIR}/bin/proxel")
file(READ "${port_dir}/vcpkg.json" manifest)
foreach(helper vcpkg-cmake vcpkg-cmake-config)
  check(manifest MATCHES "\"name\": \"${helper}\", \"host\": true")
endforeach()

set(engine "${WHERE}/engine")
run(${CMAKE_COMMAND} -S "${root}/packaging/conan/test_package" -B "${engine}" -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_PREFIX_PATH=${CURRENT_PACKAGES_DIR}")
run(${CMAKE_COMMAND} --build "${engine}")
run("${engine}/engine")
message(STATUS "an engine has Proxel by vcpkg's port: ${told}")
