# Every test notes the processor time that it takes (tests/budget/spent.c): add_test puts `spent` in front of
# the command. All else is CMake's add_test(NAME ... COMMAND ...).
set(GW_SPENT ${PROJECT_BINARY_DIR}/spent)

# Those that took long when the budget was written begin first where CTest has no times of its own, as in a
# fresh clone.
set(GW_BUDGET ${PROJECT_SOURCE_DIR}/tests/budget.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${GW_BUDGET})
file(STRINGS ${GW_BUDGET} lines REGEX "^  ")
foreach(line IN LISTS lines)
  separate_arguments(words UNIX_COMMAND "${line}")
  list(GET words 0 name)
  list(GET words 1 gw_cost_${name})
endforeach()

function(add_test)
  cmake_parse_arguments(PARSE_ARGV 0 of "" "NAME;WORKING_DIRECTORY" "COMMAND;CONFIGURATIONS")
  list(POP_FRONT of_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  set(others "")
  if(of_CONFIGURATIONS)
    list(APPEND others CONFIGURATIONS ${of_CONFIGURATIONS})
  else()
    set_property(GLOBAL APPEND PROPERTY gw_default_tests ${of_NAME})
  endif()
  if(of_WORKING_DIRECTORY)
    list(APPEND others WORKING_DIRECTORY ${of_WORKING_DIRECTORY})
  endif()
  _add_test(NAME ${of_NAME} COMMAND $<TARGET_FILE:spent> ${GW_SPENT} ${of_NAME} ${program} ${of_COMMAND}
    ${others})
  if(DEFINED gw_cost_${of_NAME})
    set_tests_properties(${of_NAME} PROPERTIES COST ${gw_cost_${of_NAME}})
  endif()
endfunction()

# What test programs load: where it has changed, stamps (tests/support/stamped.py) are none.
set(GW_STAMP_TOOLS ${PROJECT_BINARY_DIR}/tests/stamp_tools.txt)
file(GENERATE OUTPUT ${GW_STAMP_TOOLS} CONTENT "$<TARGET_FILE:gwcpu>\n")

# budget.groups: tests/budget.txt against the notes of this run, when all other tests have ended.
function(gw_budget_test)
  get_property(tests GLOBAL PROPERTY gw_default_tests)
  list(JOIN tests "\n" text)
  file(WRITE ${PROJECT_BINARY_DIR}/tests/default_tests.txt "${text}\n")
  _add_test(NAME budget.groups COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/budget/budget.py check
    ${GW_SPENT} ${PROJECT_BINARY_DIR}/tests/default_tests.txt ${GW_BUDGET})
  set_tests_properties(budget.groups PROPERTIES DEPENDS "${tests}" SKIP_RETURN_CODE 77)
endfunction()
