# gwfrontend: a translation unit through libclang's C API to IR.
configure_file(${CMAKE_CURRENT_LIST_DIR}/frontend/config.h.in
  ${CMAKE_CURRENT_BINARY_DIR}/generated/frontend_config.h @ONLY)

add_library(gwfrontend STATIC)
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/request/*.c
  ${CMAKE_CURRENT_LIST_DIR}/source/*.c ${CMAKE_CURRENT_LIST_DIR}/frontend/*.c)

target_sources(gwfrontend PRIVATE ${sources})
target_include_directories(gwfrontend PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
target_include_directories(gwfrontend SYSTEM PRIVATE ${gw_clang_include})
target_link_libraries(gwfrontend PUBLIC gwanalysis ${GW_LIBCLANG} ${CMAKE_DL_LIBS})
gw_warnings(gwfrontend)
