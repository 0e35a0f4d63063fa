# The solver of the ownership proofs: GW_SMT, Z3's C library. Without it fewer updates are proved to be plain,
# nothing else.
option(GW_SMT "Use the solver Z3 for ownership proofs, where it is installed" ON)
set(GW_Z3_FOUND OFF)
if(GW_SMT)
  find_path(GW_Z3_INCLUDE z3.h PATH_SUFFIXES z3)
  find_library(GW_Z3_LIBRARY z3)
  if(GW_Z3_INCLUDE AND GW_Z3_LIBRARY)
    set(GW_Z3_FOUND ON)
  else()
    message(STATUS "Z3 (libz3-dev) was not found: ownership proofs do without a solver")
  endif()
endif()
