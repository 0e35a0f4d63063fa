# The LLVM to build with: GW_LLVM_MAJOR, its llvm-config, its headers and its libclang.
set(gw_llvm_majors 19 20 21 22)
set(GW_LLVM_MAJOR 22 CACHE STRING "LLVM major that the front end links against")
set_property(CACHE GW_LLVM_MAJOR PROPERTY STRINGS ${gw_llvm_majors})
if(NOT GW_LLVM_MAJOR IN_LIST gw_llvm_majors)
  string(REPLACE ";" ", " gw_llvm_names "${gw_llvm_majors}")
  message(FATAL_ERROR "GW_LLVM_MAJOR=${GW_LLVM_MAJOR}: Gradwright is built with LLVM ${gw_llvm_names}")
endif()

find_program(GW_LLVM_CONFIG_${GW_LLVM_MAJOR} NAMES llvm-config-${GW_LLVM_MAJOR} llvm-config
  HINTS /usr/lib/llvm-${GW_LLVM_MAJOR}/bin)
set(gw_llvm_config ${GW_LLVM_CONFIG_${GW_LLVM_MAJOR}})
set(gw_llvm_advice
  "install llvm-${GW_LLVM_MAJOR}-dev, libclang-${GW_LLVM_MAJOR}-dev and clang-${GW_LLVM_MAJOR}")
if(NOT gw_llvm_config)
  message(FATAL_ERROR
    "no llvm-config of LLVM ${GW_LLVM_MAJOR}: ${gw_llvm_advice}, or name another with -DGW_LLVM_MAJOR=")
endif()

function(gw_ask_llvm question variable)
  execute_process(COMMAND ${gw_llvm_config} ${question}
    OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} ${answer} PARENT_SCOPE)
endfunction()
gw_ask_llvm(--version gw_llvm_version)
if(NOT gw_llvm_version MATCHES "^${GW_LLVM_MAJOR}\\.")
  message(FATAL_ERROR
    "${gw_llvm_config} is of LLVM ${gw_llvm_version}, not ${GW_LLVM_MAJOR}: ${gw_llvm_advice}")
endif()
gw_ask_llvm(--includedir gw_clang_include)
gw_ask_llvm(--libdir gw_clang_libdir)
gw_ask_llvm(--bindir gw_clang_bindir)
gw_ask_llvm(--host-target GW_HOST_TRIPLE)

find_library(GW_LIBCLANG_${GW_LLVM_MAJOR} NAMES clang-${GW_LLVM_MAJOR} clang PATHS ${gw_clang_libdir}
  NO_DEFAULT_PATH)
find_program(GW_CLANG_${GW_LLVM_MAJOR} NAMES clang++-${GW_LLVM_MAJOR} clang++ HINTS ${gw_clang_bindir})
set(GW_LIBCLANG ${GW_LIBCLANG_${GW_LLVM_MAJOR}})
set(GWCC_CLANG ${GW_CLANG_${GW_LLVM_MAJOR}})
if(NOT GW_LIBCLANG OR NOT GWCC_CLANG OR NOT EXISTS ${gw_clang_include}/clang-c/Index.h)
  message(FATAL_ERROR "no libclang, clang++ or headers of LLVM ${GW_LLVM_MAJOR}: ${gw_llvm_advice}")
endif()
