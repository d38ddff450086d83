# What `cmake --install` gives: headers, libraries, package files for CMake and pkg-config, licences.
set(proxel_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Proxel")

install(FILES include/proxel.h include/proxel.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/proxel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# A DLL is looked for beside the program.
if(WIN32)
  set(proxel_shared_dir ${CMAKE_INSTALL_BINDIR})
  set(proxel_names libproxel.dll.a proxel.lib)
else()
  set(proxel_shared_dir ${CMAKE_INSTALL_LIBDIR})
  set(proxel_names ${proxel_soname} libproxel.so)
endif()
install(PROGRAMS "${proxel_lib_dir}/${proxel_shared}" DESTINATION ${proxel_shared_dir})
install(FILES "${proxel_lib_dir}/${proxel_shared}.debug" DESTINATION ${proxel_shared_dir})
foreach(name ${proxel_names} libproxel.a)
  install(FILES "${proxel_lib_dir}/${name}" DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
install(FILES LICENSE-MIT LICENSE-APACHE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# For engines: sources only, scripts/package puts the library in.
install(DIRECTORY bindings/unity bindings/unreal DESTINATION ${CMAKE_INSTALL_DATADIR}/proxel)

configure_package_config_file(cmake/ProxelConfig.cmake.in ProxelConfig.cmake
  INSTALL_DESTINATION ${proxel_cmake_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_DATADIR proxel_shared_dir)
# Before 1.0 a minor version may change the API.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ProxelConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/ProxelConfig.cmake" "${PROJECT_BINARY_DIR}/ProxelConfigVersion.cmake"
  DESTINATION ${proxel_cmake_dir})

list(TRANSFORM proxel_system_libs PREPEND "-l" OUTPUT_VARIABLE proxel_pc_libs)
list(JOIN proxel_pc_libs " " proxel_pc_libs)
# Found from where the .pc file is, so that an installed tree can be moved.
file(RELATIVE_PATH proxel_pc_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
configure_file(proxel.pc.in proxel.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/proxel.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
