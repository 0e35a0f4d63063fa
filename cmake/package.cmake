# cpack: a Debian package. Its dependencies are those of the libraries, and what the commands run: Clang with
# its headers (gwcc compiles with it, libclang reads with them), ld and objcopy, and the C++ library's headers.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gradwright)
set(CPACK_PACKAGE_VENDOR "Gradwright")
set(CPACK_PACKAGE_CONTACT "The Gradwright developers <gradwright@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "clang-${GW_LLVM_MAJOR}, libclang-common-${GW_LLVM_MAJOR}-dev, binutils, libc6-dev, libstdc++-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, nvidia-cuda-toolkit")
include(CPack)
