# gwfrontend: a translation unit through libclang's C API to IR.
if(NOT DEFINED GW_LLVM_MAJOR)
  set(GW_LLVM_MAJOR 22)
endif()
find_program(GW_LLVM_CONFIG NAMES llvm-config-${GW_LLVM_MAJOR}
  HINTS /usr/lib/llvm-${GW_LLVM_MAJOR}/bin REQUIRED)
execute_process(COMMAND ${GW_LLVM_CONFIG} --includedir
  OUTPUT_VARIABLE gw_clang_include OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${GW_LLVM_CONFIG} --libdir
  OUTPUT_VARIABLE gw_clang_libdir OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${GW_LLVM_CONFIG} --host-target
  OUTPUT_VARIABLE GW_HOST_TRIPLE OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_library(GW_LIBCLANG NAMES clang-${GW_LLVM_MAJOR} clang PATHS ${gw_clang_libdir} NO_DEFAULT_PATH REQUIRED)

set(GW_SOURCE_INCLUDE ${CMAKE_CURRENT_LIST_DIR}/../include)
cmake_path(NORMAL_PATH GW_SOURCE_INCLUDE)
configure_file(${CMAKE_CURRENT_LIST_DIR}/frontend_config.h.in
  ${CMAKE_CURRENT_BINARY_DIR}/generated/frontend_config.h @ONLY)

add_library(gwfrontend STATIC)
foreach(part frontend frontend_branch frontend_call frontend_clause frontend_construct frontend_counter
    frontend_cursor frontend_discover frontend_exit frontend_expression frontend_flags frontend_function
    frontend_inline frontend_intrinsic frontend_loop frontend_lvalue frontend_operator frontend_parse frontend_place
    frontend_pointer frontend_request frontend_scope frontend_shape frontend_slot frontend_special
    frontend_statement frontend_stub frontend_switch)
  target_sources(gwfrontend PRIVATE ${CMAKE_CURRENT_LIST_DIR}/${part}.c)
endforeach()
foreach(part callable class closure split)
  target_sources(gwfrontend PRIVATE ${CMAKE_CURRENT_LIST_DIR}/frontend_${part}.c)
endforeach()
target_include_directories(gwfrontend PRIVATE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_BINARY_DIR}/generated)
target_include_directories(gwfrontend SYSTEM PRIVATE ${gw_clang_include})
target_link_libraries(gwfrontend PUBLIC gwanalysis ${GW_LIBCLANG} ${CMAKE_DL_LIBS})
gw_warnings(gwfrontend)
