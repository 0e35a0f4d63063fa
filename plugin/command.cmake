# The library call from source to gradient, the command over it, and Clang's plugin over it.
add_library(gwdriver STATIC compile_commands.c compile_flags.c dependencies.c
  generate.c json.c options.c output.c request_file.c passes.c sarif.c)
target_link_libraries(gwdriver PUBLIC gwfrontend gwrewriters gwanalysis)
target_include_directories(gwdriver PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
gw_warnings(gwdriver)

add_executable(gradwright gradwright.c)
target_link_libraries(gradwright PRIVATE gwdriver)
target_compile_definitions(gradwright PRIVATE GW_VERSION="${PROJECT_VERSION}" GW_LLVM_MAJOR=${GW_LLVM_MAJOR})
target_compile_definitions(gwdriver PRIVATE _XOPEN_SOURCE=700 GW_VERSION="${PROJECT_VERSION}")
gw_warnings(gradwright)

# What is loaded into Clang is never sanitised with the rest of the tree: then it gets plain copies.
set(gw_plugin_libraries gwdriver)
if(GW_SANITIZE)
  set(gw_plain_option -fno-sanitize=all)
  set(gw_plugin_libraries)
  foreach(library gwdriver gwfrontend gwrewriters gwanalysis)
    get_target_property(sources ${library} SOURCES)
    get_target_property(folder ${library} SOURCE_DIR)
    list(TRANSFORM sources PREPEND ${folder}/ REGEX "^[^/]")
    add_library(${library}_plain STATIC ${sources})
    target_include_directories(${library}_plain PRIVATE $<TARGET_PROPERTY:${library},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${library}_plain PRIVATE
      GW_VERSION="${PROJECT_VERSION}" $<TARGET_PROPERTY:${library},COMPILE_DEFINITIONS>)
    target_compile_options(${library}_plain PRIVATE ${gw_plain_option})
    list(APPEND gw_plugin_libraries ${library}_plain)
  endforeach()
  list(APPEND gw_plugin_libraries ${GW_LIBCLANG} ${CMAKE_DL_LIBS} m)
endif()

# Loaded by Clang of that major only: Clang's own C++ symbols come from the process that loads it.
add_library(ClangGradwright MODULE plugin.cpp)
set_target_properties(ClangGradwright PROPERTIES PREFIX "" OUTPUT_NAME ClangGradwright-${GW_LLVM_MAJOR})
target_include_directories(ClangGradwright PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_include_directories(ClangGradwright SYSTEM PRIVATE ${gw_clang_include})
target_link_libraries(ClangGradwright PRIVATE ${gw_plugin_libraries})
target_compile_options(ClangGradwright PRIVATE -fno-rtti -fvisibility=hidden ${gw_plain_option})
target_compile_definitions(ClangGradwright PRIVATE GW_LLVM_MAJOR=${GW_LLVM_MAJOR})
target_link_options(ClangGradwright PRIVATE -Wl,--exclude-libs,ALL ${gw_plain_option})
gw_warnings(ClangGradwright)
set_target_properties(ClangGradwright PROPERTIES EXPORT_NAME plugin)
add_executable(Gradwright::gradwright ALIAS gradwright)
