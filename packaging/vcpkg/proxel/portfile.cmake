# An overlay port, built from this tree: vcpkg install proxel --overlay-ports=packaging/vcpkg
# It needs what `scripts/setup build` installs, Rust and shaderc among it.
set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled) # both are made, and Proxel::proxel or Proxel::proxel_static chooses
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DPROXEL_BUILD_CLI=OFF
  OPTIONS_DEBUG -DPROXEL_CARGO_PROFILE=dev)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME Proxel CONFIG_PATH lib/cmake/Proxel)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-MIT" "${SOURCE_PATH}/LICENSE-APACHE")
