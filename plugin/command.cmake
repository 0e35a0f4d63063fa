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

# Loaded by Clang of that major only: Clang's own C++ symbols come from the process that loads it.
find_path(GW_CLANG_INCLUDE_DIR clang/Frontend/FrontendAction.h
  PATHS /usr/lib/llvm-${GW_LLVM_MAJOR}/include NO_DEFAULT_PATH REQUIRED)
add_library(ClangGradwright MODULE plugin.cpp)
set_target_properties(ClangGradwright PROPERTIES PREFIX "" OUTPUT_NAME ClangGradwright-${GW_LLVM_MAJOR})
target_include_directories(ClangGradwright SYSTEM PRIVATE ${GW_CLANG_INCLUDE_DIR})
target_link_libraries(ClangGradwright PRIVATE gwdriver)
target_compile_options(ClangGradwright PRIVATE -fno-rtti -fvisibility=hidden)
target_compile_definitions(ClangGradwright PRIVATE GW_LLVM_MAJOR=${GW_LLVM_MAJOR})
target_link_options(ClangGradwright PRIVATE -Wl,--exclude-libs,ALL)
gw_warnings(ClangGradwright)
