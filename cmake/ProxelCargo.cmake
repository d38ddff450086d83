# The library by cargo, as imported targets that the tool in this tree links with.
find_program(CARGO cargo HINTS "$ENV{HOME}/.cargo/bin" REQUIRED)
find_package(Threads REQUIRED)

if(PROXEL_CARGO_PROFILE STREQUAL "dev")
  set(proxel_cargo_out "${PROXEL_CARGO_TARGET_DIR}/debug")
else()
  set(proxel_cargo_out "${PROXEL_CARGO_TARGET_DIR}/${PROXEL_CARGO_PROFILE}")
endif()

# The file has the full version and the links have the soname's and the linker's names, as an installed library has, so
# that programs run from the build tree too.
set(proxel_lib_dir "${PROJECT_BINARY_DIR}/lib")
set(proxel_shared "libproxel.so.${PROJECT_VERSION}")
set(proxel_soname "libproxel.so.${proxel_abi}")
file(MAKE_DIRECTORY "${proxel_lib_dir}")

# cargo knows best whether something changed, so it is always asked.
add_custom_target(proxel_cargo ALL
  COMMAND ${CMAKE_COMMAND} -E env "CARGO_TARGET_DIR=${PROXEL_CARGO_TARGET_DIR}"
          ${CARGO} build --lib --profile ${PROXEL_CARGO_PROFILE}
  COMMAND ${CMAKE_COMMAND} -E copy_if_different "${proxel_cargo_out}/libproxel.so" "${proxel_lib_dir}/${proxel_shared}"
  COMMAND ${CMAKE_COMMAND} -E create_symlink ${proxel_shared} "${proxel_lib_dir}/${proxel_soname}"
  COMMAND ${CMAKE_COMMAND} -E create_symlink ${proxel_soname} "${proxel_lib_dir}/libproxel.so"
  COMMAND ${CMAKE_COMMAND} -E copy_if_different "${proxel_cargo_out}/libproxel.a" "${proxel_lib_dir}/libproxel.a"
  BYPRODUCTS "${proxel_lib_dir}/${proxel_shared}" "${proxel_lib_dir}/libproxel.a"
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
  COMMENT "cargo build --profile ${PROXEL_CARGO_PROFILE}"
  USES_TERMINAL VERBATIM)

# What Rust's standard library needs of the system: rustc --print native-static-libs.
set(proxel_system_libs gcc_s rt m dl)

add_library(proxel SHARED IMPORTED GLOBAL)
set_target_properties(proxel PROPERTIES
  IMPORTED_LOCATION "${proxel_lib_dir}/${proxel_shared}"
  IMPORTED_SONAME "${proxel_soname}"
  INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/include")
add_dependencies(proxel proxel_cargo)
add_library(Proxel::proxel ALIAS proxel)

add_library(proxel_static STATIC IMPORTED GLOBAL)
set_target_properties(proxel_static PROPERTIES
  IMPORTED_LOCATION "${proxel_lib_dir}/libproxel.a"
  INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/include"
  INTERFACE_LINK_LIBRARIES "Threads::Threads;${proxel_system_libs}")
add_dependencies(proxel_static proxel_cargo)
add_library(Proxel::proxel_static ALIAS proxel_static)
