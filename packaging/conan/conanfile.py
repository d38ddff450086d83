"""Proxel as a Conan 2 package, built from this tree: conan create packaging/conan

It needs what `scripts/setup build` installs, Rust and shaderc among it.
"""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")


class Proxel(ConanFile):
    name = "proxel"
    description = "Vulkan-native collision and proximity queries for deforming meshes"
    license = "MIT OR Apache-2.0"
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"

    def set_version(self):
        manifest = load(self, os.path.join(ROOT, "Cargo.toml"))
        self.version = re.search(r'^version = "(.*)"', manifest, re.MULTILINE).group(1)

    def export_sources(self):
        # All that the build reads; not target/, and not the tool, which has dependencies of its own.
        for part in ("src/*", "build/*", "shaders/*", "include/*", "cmake/*", "bindings/*", "tests/fixtures/*", ".cargo/*", "Cargo.*",
                     "CMakeLists.txt", "proxel.pc.in", "LICENSE-*"):
            copy(self, part, ROOT, self.export_sources_folder)

    def validate(self):
        if self.settings.arch != "x86_64" or self.settings.os not in ("Linux", "Windows"):
            raise ConanInvalidConfiguration("Proxel is packaged for x86_64, Linux and Windows")
        if self.settings.compiler == "msvc":
            raise ConanInvalidConfiguration("the package for Windows is built by MinGW; its proxel.lib serves MSVC")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["PROXEL_BUILD_CLI"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # The package's own files for CMake are the better ones.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "Proxel")]
        self.cpp_info.libs = ["proxel"]
