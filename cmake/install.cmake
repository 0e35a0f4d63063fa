# Installed: the commands, the runtime, the CPU device, the plugins, the headers that emitted code includes, the
# manual pages, and the package that find_package(Gradwright CONFIG) reads. All of it can be moved as a whole.
include(CMakePackageConfigHelpers)
set(gw_package ${CMAKE_INSTALL_LIBDIR}/cmake/Gradwright)

install(TARGETS gradwright gwcc gwcheck gwcheck_runs gwcompile gwruntime gwcpu ClangGradwright gwthunks
  EXPORT GradwrightTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/gradwright DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(header IN LISTS gw_written) # stand_ins.cmake
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${GW_INCLUDE}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
# For source trees that Python writes: they link no library of ours.
file(GLOB gw_runtime_sources CONFIGURE_DEPENDS runtime/*.c)
install(FILES ${gw_runtime_sources} DESTINATION ${CMAKE_INSTALL_DATADIR}/gradwright/runtime)
install(FILES ${gw_manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# What users read: the README, the guide and the reference, with links that lead somewhere here, too.
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gradwright)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gradwright)
install(DIRECTORY docs/guide docs/reference DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gradwright/docs
  FILES_MATCHING PATTERN "*.md")
install(EXPORT GradwrightTargets NAMESPACE Gradwright:: DESTINATION ${gw_package})

configure_package_config_file(cmake/GradwrightConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/GradwrightConfig.cmake
  INSTALL_DESTINATION ${gw_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/GradwrightConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/GradwrightConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/GradwrightConfigVersion.cmake cmake/GradwrightGradients.cmake
  cmake/GradwrightCheck.cmake
  DESTINATION ${gw_package})
include(cmake/package.cmake)
