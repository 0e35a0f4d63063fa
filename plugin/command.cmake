# The library call from source to gradient, the command over it, and Clang's plugin over it.
add_library(gwdriver STATIC generate.c options.c output.c passes.c)
target_link_libraries(gwdriver PUBLIC gwfrontend gwrewriters gwanalysis)
target_include_directories(gwdriver PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
gw_warnings(gwdriver)

add_executable(gradwright gradwright.c)
target_link_libraries(gradwright PRIVATE gwdriver)
target_compile_definitions(gradwright PRIVATE GW_VERSION="${PROJECT_VERSION}" GW_LLVM_MAJOR=${GW_LLVM_MAJOR})
target_compile_definitions(gwdriver PRIVATE _XOPEN_SOURCE=700)
gw_warnings(gradwright)
