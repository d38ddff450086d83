# An overlay port, built from this tree: vcpkg install proxel --overlay-ports=packaging/vcpkg
# It needs what `scripts/setup build` installs, Rust and shaderc among it.
set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled) # both are made, and Proxel::proxel or Proxel::proxel_static chooses
# Debug builds of a program link with the same library, whose interface is C; the package's files name only that one.
set(VCPKG_BUILD_TYPE release)
set(VCPKG_POLICY_MISMATCHED_NUMBER_OF_BINARIES enabled)
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DPROXEL_BUILD_CLI=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/Proxel)
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-MIT" "${SOURCE_PATH}/LICENSE-APACHE")
