# Makes programs, compiles them with one compiler and runs them: -DTOOL -DKIND -DSEED -DCOUNT -DLANGUAGE
# -DCOMPILER -DFLAGS -DINCLUDE -DFOLDER.
file(MAKE_DIRECTORY ${FOLDER})
separate_arguments(FLAGS)
execute_process(COMMAND ${TOOL} ${FOLDER} ${LANGUAGE} ${KIND} ${SEED} ${COUNT} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "no programs")
endif()
# Signed overflow wraps and nothing is contracted, as in the interpreter.
execute_process(
  COMMAND ${COMPILER} -O1 -Wall -Wextra -Werror ${FLAGS} -ffp-contract=off -fwrapv -I${INCLUDE}
          ${FOLDER}/main.${LANGUAGE} -lm -o ${FOLDER}/programs
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${FOLDER}/programs.h does not compile")
endif()
execute_process(COMMAND ${FOLDER}/programs RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${FOLDER}/programs disagrees with the interpreter")
endif()
