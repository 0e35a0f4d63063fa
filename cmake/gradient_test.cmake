# gw_gradient_test(GROUP SOURCE [QUICK] [DEFAULT form...] [FULL form...]): a .cu test of tests/support, built by
# gwcc for the CPU device and run, in several forms:
#   plain          as emitted
#   own            by Gradwright's small Thrust and CUB alone: the installed ones, which plain tries first, take
#                  three to four times as long
#   checked        with ownership checked at run time
#   atomic         every update is atomic; a launch that breaks an assumption of ownership is no error there
#   without        without the steps of optional.def, but for proofs and measured tapes, without which many
#                  gradients are refused; the source sees GW_TEST_WITHOUT
#   split          of kernels that say BOTH: the two halves of their gradients too
#   second         of kernels that say BOTH: the Hessians times vectors too
#   directions     of kernels that say BOTH: several directions at once too
#   deterministic, deterministic_checked   of kernels whose additions all have a fixed order then; the source
#                  sees IN_ORDER
#
# Configurations. Plain `ctest` takes the forms of DEFAULT (if nothing is said: plain). The first of them is run
# against difference quotients; the others, and the first in a permuted order of threads and blocks, with
# --quick: reverse against forward mode by the dot product, which an adjoint that is wrong anywhere breaks, the
# primal's bytes, a second launch. QUICK: the first one too.
# Plain and checked differ in what the checked one asks while it runs: the default run has checked of the two.
# `ctest -C full` has everything against differences, in both orders, and the forms of FULL too.
#
# Each form's build is a test of its own: a source that does not compile fails by name and does not stop the
# others.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(gw_form_plain "")
set(gw_form_own --own-thrust)
set(gw_form_checked --checked)
set(gw_form_atomic --gradwright-arg=--accumulate=atomic)
set(gw_form_without -DGW_TEST_WITHOUT)
file(STRINGS ${PROJECT_SOURCE_DIR}/analysis/ir/optional.def gw_optional_rows REGEX "^GW_OPTIONAL")
foreach(row ${gw_optional_rows})
  string(REGEX REPLACE "^[^\"]*\"([^\"]+)\".*" "\\1" step "${row}")
  if(NOT step MATCHES "^(premise|suppose|measure)$")
    list(APPEND gw_form_without --gradwright-arg=--without=${step})
  endif()
endforeach()
set(gw_form_split -DGW_TEST_SPLIT)
set(gw_form_second -DGW_TEST_SECOND)
set(gw_form_directions -DGW_TEST_DIRECTIONS)
set(gw_form_deterministic --gradwright-arg=--deterministic -DIN_ORDER)
set(gw_form_deterministic_checked --checked --gradwright-arg=--deterministic -DIN_ORDER)
# Also run in another order of threads and blocks, as what stands in for plain is.
set(gw_forms_permuted plain split deterministic)

# The harness that the source includes first, if it is one: precompiled where GW_PRECOMPILED names a folder
# (gwcc).
function(gw_harness source result)
  set(${result} "" PARENT_SCOPE)
  if(NOT EXISTS ${source}) # generated when the suite is built
    set(${result} --precompile=${PROJECT_SOURCE_DIR}/tests/support/check.cuh PARENT_SCOPE)
    return()
  endif()
  file(STRINGS ${source} first REGEX "^#" LIMIT_COUNT 1)
  if(first MATCHES "^#include \"../support/(check|expect).cuh\"")
    set(${result} --precompile=${PROJECT_SOURCE_DIR}/tests/support/${CMAKE_MATCH_1}.cuh PARENT_SCOPE)
  endif()
endfunction()

# gw_gradient_build(TEST PROGRAM SOURCE FLAGS CONFIGURATIONS): the fixture TEST.
function(gw_gradient_build test program source flags configurations)
  gw_harness(${source} harness)
  add_test(NAME ${test}.build
    COMMAND gwcc --device=cpu ${harness} ${flags} -Wall -Wextra -Werror ${source} $<TARGET_FILE:gwcheck_runs>
      -o ${program}
    ${configurations})
  set_tests_properties(${test}.build PROPERTIES FIXTURES_SETUP ${test})
endfunction()

# gw_gradient_run(FIXTURE NAME ENVIRONMENT CONFIGURATIONS PROGRAM ARGUMENT...): not run again while the program
# is the same.
function(gw_gradient_run fixture name environment configurations)
  list(GET ARGN 0 program)
  get_filename_component(folder ${program} DIRECTORY)
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} -S ${PROJECT_SOURCE_DIR}/tests/support/stamped.py
    ${folder}/${name}.stamp ${GW_STAMP_TOOLS} -- ${ARGN} ${configurations})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${fixture} ENVIRONMENT "${environment}")
endfunction()

# One form of a test; rank: first, default or full.
function(gw_gradient_rank test form rank source program)
  if(NOT form STREQUAL "plain")
    string(REPLACE "_" "." suffix .${form})
    set(program ${program}_${form})
  endif()
  set(name ${test}${suffix})
  set(full CONFIGURATIONS full)
  set(default "")
  if(rank STREQUAL "full")
    set(default ${full})
  endif()
  gw_gradient_build(${name} ${program} ${source} "${gw_form_${form}}" "${default}")
  if(rank STREQUAL "default")
    gw_gradient_run(${name} ${name} "" "" ${program} --quick)
    gw_gradient_run(${name} ${name}.whole "" "${full}" ${program})
  else()
    gw_gradient_run(${name} ${name} "" "${default}" ${program})
  endif()
  set(stands_in OFF) # for plain
  if(rank STREQUAL "first" AND form MATCHES "^(checked|own)$")
    set(stands_in ON)
  endif()
  if(stands_in OR form IN_LIST gw_forms_permuted)
    if(NOT rank STREQUAL "full")
      gw_gradient_run(${name} ${name}.permuted GW_CPU_SEED=7 "" ${program} --quick)
    endif()
    gw_gradient_run(${name} ${name}.permuted.whole GW_CPU_SEED=7 "${full}" ${program})
  endif()
endfunction()

function(gw_gradient_test group source)
  cmake_parse_arguments(of "QUICK" "" "DEFAULT;FULL" ${ARGN})
  get_filename_component(name ${source} NAME_WE)
  if(NOT of_DEFAULT)
    set(of_DEFAULT plain)
  endif()
  if("plain" IN_LIST of_DEFAULT AND "checked" IN_LIST of_DEFAULT)
    list(REMOVE_ITEM of_DEFAULT plain)
    list(APPEND of_FULL plain)
    list(REMOVE_DUPLICATES of_FULL)
  endif()
  set(rank first)
  if(of_QUICK)
    set(rank default)
  endif()
  foreach(form ${of_DEFAULT})
    gw_gradient_rank(${group}.${name} ${form} ${rank} ${source} ${CMAKE_CURRENT_BINARY_DIR}/${name})
    set(rank default)
  endforeach()
  foreach(form ${of_FULL})
    if(NOT form IN_LIST of_DEFAULT)
      gw_gradient_rank(${group}.${name} ${form} full ${source} ${CMAKE_CURRENT_BINARY_DIR}/${name})
    endif()
  endforeach()
endfunction()
