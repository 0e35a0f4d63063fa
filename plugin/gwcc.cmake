# gwcc, the compiler driver, and the thunk plugin of the CPU device's second pass.
execute_process(COMMAND ${GWCC_CLANG} -print-target-triple
  OUTPUT_VARIABLE GWCC_TRIPLE OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(GWCC_THUNKS GradwrightThunks-${GW_LLVM_MAJOR}.so)
set(GWCC_RUNTIME libgwruntime.a)

# What is loaded into Clang or linked into programs is never sanitised with the rest of the tree:
# lib/libgwruntime.a is the plain one, also for tests that link it by its name.
if(GW_SANITIZE)
  set(gwcc_plain -fno-sanitize=all)
  file(GLOB gwcc_runtime_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../runtime/*.c)
  add_library(gwruntime_plain STATIC ${gwcc_runtime_sources})
  target_include_directories(gwruntime_plain PRIVATE ${GW_INCLUDE})
  target_compile_options(gwruntime_plain PRIVATE ${gwcc_plain})
  set_target_properties(gwruntime PROPERTIES OUTPUT_NAME gwruntime-sanitized)
  set_target_properties(gwruntime_plain PROPERTIES OUTPUT_NAME gwruntime
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
endif()

configure_file(${CMAKE_CURRENT_LIST_DIR}/gwcc/config.h.in
  ${CMAKE_CURRENT_BINARY_DIR}/generated/gwcc_config.h @ONLY)

add_executable(gwcc)
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/gwcc/*.c ${CMAKE_CURRENT_LIST_DIR}/source/*.c
  ${CMAKE_CURRENT_LIST_DIR}/options/*.c ${CMAKE_CURRENT_LIST_DIR}/request/spelling.c)
target_sources(gwcc PRIVATE ${sources})
target_link_libraries(gwcc PRIVATE gwanalysis)
target_link_options(gwcc PRIVATE -Wl,--as-needed) # not the solver
target_include_directories(gwcc PRIVATE
  ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/generated)
target_compile_definitions(gwcc PRIVATE _GNU_SOURCE)
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/gwcc/gwcc.c
  PROPERTIES COMPILE_DEFINITIONS "GW_BUILD=\"${GW_BUILD}\"")
gw_warnings(gwcc)
set_target_properties(gwcc PROPERTIES
  C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# Clang's own classes have no run-time type information, so the plugin cannot have any either. It
# finds Clang's symbols in the process that loads it.
add_library(gwthunks MODULE ${CMAKE_CURRENT_LIST_DIR}/clang_plugin/thunks.cpp
  ${CMAKE_CURRENT_LIST_DIR}/clang_plugin/shared_checks.cpp
  ${CMAKE_CURRENT_LIST_DIR}/clang_plugin/shared_memory.cpp ${CMAKE_CURRENT_LIST_DIR}/clang_plugin/managed.cpp
  ${CMAKE_CURRENT_LIST_DIR}/clang_plugin/ptx.cpp
  ${CMAKE_CURRENT_LIST_DIR}/clang_plugin/in_step.cpp)
target_include_directories(gwthunks PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(gwthunks SYSTEM PRIVATE ${gw_clang_include})
target_compile_options(gwthunks PRIVATE -Wall -Wextra -fno-rtti ${gwcc_plain})
target_link_options(gwthunks PRIVATE ${gwcc_plain})
set_target_properties(gwthunks PROPERTIES
  CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
  PREFIX "" OUTPUT_NAME GradwrightThunks-${GW_LLVM_MAJOR}
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
add_dependencies(gwcc gwthunks)
if(TARGET gwcpu)
  add_dependencies(gwcc gwcpu)
endif()
add_executable(Gradwright::gwcc ALIAS gwcc)
