# GW_BUILD: what --version says: the version, the commit as of the last configuration ("unknown" without git, or
# in a tree that is not the root of its own repository, as an archive inside of another project), and the LLVM.
# It is given to the two files that print it alone, so a new commit compiles nothing else again.
set(gw_commit "unknown")
find_program(GW_GIT git)
mark_as_advanced(GW_GIT)
if(GW_GIT)
  execute_process(COMMAND ${GW_GIT} -C ${PROJECT_SOURCE_DIR} rev-parse --show-prefix --short=12 HEAD
    OUTPUT_VARIABLE gw_git_said ERROR_QUIET RESULT_VARIABLE gw_git_failed)
  if(NOT gw_git_failed AND gw_git_said MATCHES "^\n([0-9a-f]+)\n$") # no prefix: this is the root
    set(gw_commit ${CMAKE_MATCH_1})
  endif()
endif()
set(GW_BUILD "${PROJECT_VERSION} (commit ${gw_commit}, LLVM ${gw_llvm_version})")
