# Emits a file of IR and compares: -DTOOL -DINPUT -DGOLDEN -DOUTPUT -DOPTION.
execute_process(COMMAND ${TOOL} ${INPUT} ${OPTION} OUTPUT_FILE ${OUTPUT} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${INPUT} was refused")
endif()
execute_process(COMMAND diff -u ${GOLDEN} ${OUTPUT} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${OUTPUT} differs from ${GOLDEN}")
endif()
