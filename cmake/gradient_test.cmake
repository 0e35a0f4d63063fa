# gw_gradient_test(GROUP SOURCE): a .cu test of tests/support, built by gwcc for the CPU device and run. Forms:
# as emitted, in the natural and in a permuted order of threads and blocks; and with ownership checked at run
# time. gw_gradient_atomic_test adds the form in which every update is atomic; a launch that breaks an
# assumption of ownership is no error there, so the contract's tests do not run in it. Each form's build is a
# test of its own: a source that does not compile fails by name and does not stop the others.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

function(gw_gradient_form test program source flags)
  add_test(NAME ${test}.build
    COMMAND gwcc --device=cpu ${flags} -Wall -Wextra -Werror ${source} -o ${program})
  set_tests_properties(${test}.build PROPERTIES FIXTURES_SETUP ${test})
  add_test(NAME ${test} COMMAND ${program} ${ARGN})
  set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED ${test})
endfunction()

function(gw_gradient_test group source)
  get_filename_component(name ${source} NAME_WE)
  set(test ${group}.${name})
  set(program ${CMAKE_CURRENT_BINARY_DIR}/${name})
  gw_gradient_form(${test} ${program} ${source} "")
  add_test(NAME ${test}.permuted COMMAND ${program})
  set_tests_properties(${test}.permuted PROPERTIES FIXTURES_REQUIRED ${test} ENVIRONMENT GW_CPU_SEED=7)
  gw_gradient_form(${test}.checked ${program}_checked ${source} --checked)
endfunction()

# Of kernels that say BOTH: the two halves of their split gradients too, also in a permuted order.
function(gw_gradient_split_test group source)
  get_filename_component(name ${source} NAME_WE)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/${name}_split)
  gw_gradient_form(${group}.${name}.split ${program} ${source} -DGW_TEST_SPLIT --quick)
  add_test(NAME ${group}.${name}.split.permuted COMMAND ${program} --quick)
  set_tests_properties(${group}.${name}.split.permuted PROPERTIES FIXTURES_REQUIRED ${group}.${name}.split ENVIRONMENT GW_CPU_SEED=7)
endfunction()

# Of kernels whose additions all have a fixed order then; in a permuted order and checked too.
function(gw_gradient_deterministic_test group source)
  get_filename_component(name ${source} NAME_WE)
  set(test ${group}.${name}.deterministic)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/${name}_deterministic)
  gw_gradient_form(${test} ${program} ${source} --gradwright-arg=--deterministic)
  add_test(NAME ${test}.permuted COMMAND ${program})
  set_tests_properties(${test}.permuted PROPERTIES FIXTURES_REQUIRED ${test} ENVIRONMENT GW_CPU_SEED=7)
  gw_gradient_form(${test}.checked ${program}_checked ${source} "--checked;--gradwright-arg=--deterministic")
endfunction()

function(gw_gradient_atomic_test group source)
  get_filename_component(name ${source} NAME_WE)
  gw_gradient_form(${group}.${name}.atomic ${CMAKE_CURRENT_BINARY_DIR}/${name}_atomic ${source}
    --gradwright-arg=--accumulate=atomic)
endfunction()
