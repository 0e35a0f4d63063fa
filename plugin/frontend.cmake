# gwfrontend: a translation unit through libclang's C API to IR.
set(GW_SOURCE_INCLUDE ${CMAKE_CURRENT_LIST_DIR}/../include)
cmake_path(NORMAL_PATH GW_SOURCE_INCLUDE)
configure_file(${CMAKE_CURRENT_LIST_DIR}/frontend_config.h.in
  ${CMAKE_CURRENT_BINARY_DIR}/generated/frontend_config.h @ONLY)

add_library(gwfrontend STATIC)
foreach(part frontend frontend_access frontend_branch frontend_call frontend_clause frontend_construct frontend_counter
    frontend_cursor frontend_discover frontend_exit frontend_expression frontend_extent frontend_find frontend_flags frontend_function
    frontend_inline frontend_instance frontend_intrinsic frontend_loop frontend_lvalue frontend_name frontend_operator frontend_parse frontend_place
    frontend_pointer frontend_recursion frontend_refusal frontend_request frontend_row frontend_rule frontend_scope frontend_shape frontend_slot frontend_special
    frontend_statement frontend_stub frontend_stub_text frontend_switch language launches promise request
    spelling toolkit)
  target_sources(gwfrontend PRIVATE ${CMAKE_CURRENT_LIST_DIR}/${part}.c)
endforeach()
foreach(part annotation argument asked atomic
    builtin callable choice class closure complex copy default global growth half library list mark memory
    parallel promise shared split suggest union use vector warp)
  target_sources(gwfrontend PRIVATE ${CMAKE_CURRENT_LIST_DIR}/frontend_${part}.c)
endforeach()
target_sources(gwfrontend PRIVATE ${CMAKE_CURRENT_LIST_DIR}/frontend_coarsen.c)
target_include_directories(gwfrontend PRIVATE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_BINARY_DIR}/generated)
target_include_directories(gwfrontend SYSTEM PRIVATE ${gw_clang_include})
target_link_libraries(gwfrontend PUBLIC gwanalysis ${GW_LIBCLANG} ${CMAKE_DL_LIBS})
gw_warnings(gwfrontend)
