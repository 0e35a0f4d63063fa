# libgradwright: gw_compile, for programs, interpreters and the Python package. It shows the functions of
# gradwright/compile.h and those of the runtime's errors, and keeps the rest to itself.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/compile/*.c)
add_library(gwcompile SHARED ${sources})
set_target_properties(gwcompile PROPERTIES OUTPUT_NAME gradwright EXPORT_NAME compile
  C_VISIBILITY_PRESET hidden)
find_package(Threads REQUIRED)
target_link_libraries(gwcompile PRIVATE gwdriver Threads::Threads)
target_include_directories(gwcompile PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated ${PROJECT_SOURCE_DIR})
target_include_directories(gwcompile INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_definitions(gwcompile PRIVATE _XOPEN_SOURCE=700)
target_link_options(gwcompile PRIVATE -Wl,--exclude-libs,ALL)
gw_warnings(gwcompile)
add_dependencies(gwcompile gwcc gwruntime)
add_library(Gradwright::compile ALIAS gwcompile)
