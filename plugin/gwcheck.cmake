# gwcheck: checks the gradients of a source by a harness that it writes; libgwcheck.a is what the harness calls.
find_package(ZLIB) # for packed arrays of NumPy's
configure_file(${CMAKE_CURRENT_LIST_DIR}/gwcheck/config.h.in
  ${CMAKE_CURRENT_BINARY_DIR}/generated/gwcheck_config.h @ONLY)

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/gwcheck/*.c)
add_executable(gwcheck ${sources})
target_include_directories(gwcheck PRIVATE ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/generated)
target_link_libraries(gwcheck PRIVATE gwdriver)
if(ZLIB_FOUND)
  target_link_libraries(gwcheck PRIVATE ZLIB::ZLIB)
  target_compile_definitions(gwcheck PRIVATE GWCHECK_ZLIB)
endif()
target_compile_definitions(gwcheck PRIVATE _XOPEN_SOURCE=700)
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/gwcheck/gwcheck.c
  PROPERTIES COMPILE_DEFINITIONS "GW_BUILD=\"${GW_BUILD}\"")
gw_warnings(gwcheck)
add_dependencies(gwcheck gwcc gwcheck_runs)
add_executable(Gradwright::gwcheck ALIAS gwcheck)
