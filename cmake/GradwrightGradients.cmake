# gradwright_target_gradients(target SOURCES FILE... [EXPLAIN] [REPORT] [STANDALONE] [COMMITTED]
#                             [DEVICE cuda|cpu] [OPTIONS OPTION...])
#
# Makes the gradients of the target's sources (x.cu -> x.grad.cuh, x.cpp -> x.grad.hpp, x.c -> x.grad.h) in the
# build tree, anew when a source, a header that it includes, or a flag changes; puts their folder on the
# target's include path, and links Gradwright::runtime. An error fails the build and leaves an older gradient as
# it was.
#   EXPLAIN  print why each adjoint update is plain or atomic
#   REPORT   write x.report.html beside each gradient: the source, and how each adjoint access in it is made
#            safe
#   STANDALONE  the gradients are sources of their own, x.grad.cu, x.grad.cpp or x.grad.c, which the target
#            compiles in place of x.cu, x.cpp or x.c and beside a header; declarations for other files are in
#            x.grad.h, .hpp, .cuh
#   COMMITTED  the gradients lie beside their sources, under version control, and the build does not make them:
#            for each a test, gradwright.TARGET.FILE, fails where it is out of date (with enable_testing());
#            building TARGET_gradients makes them anew
#   OPTIONS  for the gradwright command: --checked, --gradient=..., --accumulate=...
#   DEVICE   where .cu sources run. cuda: the project's CUDA compiler compiles them. cpu: gwcc compiles them for
#            the CPU device, and the target links it. Default: cuda if the project has the language CUDA, else
#            cpu.
# Headers that come before .cu sources are read once, in the build folder's gradwright-headers (--precompiled).
# It is called in the folder whose CMakeLists.txt made the target. Include folders, definitions, -std and the
# other flags that change what a source means are those of the target and of the source, per configuration; a
# flag that may change it and is not known is reported when the gradient is made.
include_guard(GLOBAL)

# Flags that change what a source means are handed on; of the others these say nothing to a parser, and the rest
# is named in the file behind a '#', which the command reports.
set(_gradwright_meaning
  "^(-std=|-D|-U|-I|-include|-isystem|-pthread|-fopenmp|-ffast-math|-fno-rtti|-fno-exceptions|-fsigned-char\
|-funsigned-char|-fms-extensions|-march=|-m32|-m64)")
set(_gradwright_silent
  "^(#|-W|-w$|-O|-g|-pedantic|-pipe$|-s$|-l|-L|-M[DMFTQPG]*$|-rdynamic|-save-temps|-m\
|-f(no-)?(PIC|PIE|pic|pie|plt|lto|stack|data-sections|function-sections|visibility|sanitize|omit-frame-pointer\
|diagnostics|color|profile|coverage\
|semantic-interposition|unroll|strict|wrapv|math-errno|trapping-math\
|common|cf-protection|use-ld|inline|debug|asynchronous|exceptions|rtti|tree|vect|ipa|max-errors\
|template-backtrace)|--coverage$\
|--expt|-expt|-lineinfo|--generate-line-info|-rdc|-dc$|-arch|--gpu|-gencode|--generate-code|-Xptxas|-Xcudafe\
|--ptxas|-diag|-lto|-t=|--threads|-use_fast_math|--use_fast_math|-cudart|--cudart\
|--cuda-gpu-arch|--offload-arch|-ccbin|-forward-unknown|--forward-unknown)")

# The words of a list of options, one a line: those with a meaning, then the others as comments. The value of a
# generator expression is a list too.
function(_gradwright_words options variable)
  set(shell "$<FILTER:${options},EXCLUDE,^SHELL:>")
  set(kept "$<FILTER:${shell},INCLUDE,${_gradwright_meaning}>")
  set(left "$<FILTER:$<FILTER:${shell},EXCLUDE,${_gradwright_meaning}>,EXCLUDE,${_gradwright_silent}>")
  set(wrapped "$<FILTER:${options},INCLUDE,^SHELL:>")
  set(text "$<$<BOOL:${kept}>:$<JOIN:${kept},\n>\n># $<JOIN:${left},\n# >\n# $<JOIN:${wrapped},\n# >\n")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# The same for the words of a variable as CMAKE_CXX_FLAGS, now.
function(_gradwright_plain_words value variable)
  separate_arguments(words UNIX_COMMAND "${value}")
  set(text)
  foreach(word IN LISTS words)
    if(word MATCHES "${_gradwright_meaning}")
      string(APPEND text "${word}\n")
    elseif(NOT word MATCHES "${_gradwright_silent}")
      string(APPEND text "# ${word}\n")
    endif()
  endforeach()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# The target's flags, one a line, in a file for each language and configuration; *variable is its name for
# `language`.
function(_gradwright_flags target folder language variable)
  set(${variable} "${folder}/flags-$<CONFIG>-${language}.txt" PARENT_SCOPE)
  get_target_property(written ${target} GRADWRIGHT_FLAGS)
  if(written)
    return()
  endif()
  set_target_properties(${target} PROPERTIES GRADWRIGHT_FLAGS ON)
  set(includes "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:INCLUDE_DIRECTORIES>>")
  set(definitions "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:COMPILE_DEFINITIONS>>")
  set(text "$<$<BOOL:${includes}>:-I$<JOIN:${includes},\n-I>\n>")
  string(APPEND text "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},\n-D>\n>")
  foreach(one CXX CUDA C) # with the compiler's extensions, unless they are turned off, as CMake has it
    set(spelled c++)
    set(feature cxx)
    if(one STREQUAL "C")
      set(spelled c)
      set(feature c)
    elseif(one STREQUAL "CUDA")
      set(feature cuda)
    endif()
    set(asked "$<TARGET_PROPERTY:${one}_EXTENSIONS>")
    set(gnu "gnu$<$<NOT:$<STREQUAL:${one},C>>:++>")
    set(extended "$<IF:$<OR:$<STREQUAL:${asked},>,$<BOOL:${asked}>>,${gnu},${spelled}>")
    foreach(year 90 99 11 14 17 20 23 26)
      set(featured "$<IN_LIST:${feature}_std_${year},$<TARGET_PROPERTY:COMPILE_FEATURES>>")
      set(wanted "$<OR:$<STREQUAL:$<TARGET_PROPERTY:${one}_STANDARD>,${year}>,${featured}>")
      string(APPEND text "$<$<AND:$<COMPILE_LANGUAGE:${one}>,${wanted}>:-std=${extended}${year}\n>")
    endforeach()
    _gradwright_plain_words("${CMAKE_${one}_FLAGS}" flags)
    string(APPEND text "$<$<COMPILE_LANGUAGE:${one}>:${flags}>")
    foreach(configuration ${CMAKE_CONFIGURATION_TYPES} ${CMAKE_BUILD_TYPE})
      string(TOUPPER "${configuration}" upper)
      _gradwright_plain_words("${CMAKE_${one}_FLAGS_${upper}}" flags)
      string(APPEND text "$<$<AND:$<COMPILE_LANGUAGE:${one}>,$<CONFIG:${configuration}>>:${flags}>")
    endforeach()
  endforeach()
  _gradwright_words("$<TARGET_PROPERTY:COMPILE_OPTIONS>" options)
  string(APPEND text "${options}")
  file(GENERATE OUTPUT "${folder}/flags-$<CONFIG>-$<COMPILE_LANGUAGE>.txt" CONTENT "${text}" TARGET ${target})
endfunction()

# What the source has of its own, in a file; "" if there is nothing.
function(_gradwright_source_flags source folder name variable)
  set(text)
  foreach(row "INCLUDE_DIRECTORIES -I" "COMPILE_DEFINITIONS -D")
    separate_arguments(row UNIX_COMMAND "${row}")
    list(GET row 0 property)
    list(GET row 1 flag)
    get_source_file_property(values ${source} ${property})
    if(values)
      string(APPEND text "$<$<BOOL:${values}>:${flag}$<JOIN:${values},\n${flag}>\n>")
    endif()
  endforeach()
  get_source_file_property(values ${source} COMPILE_OPTIONS)
  if(values)
    _gradwright_words("${values}" options)
    string(APPEND text "${options}")
  endif()
  get_source_file_property(values ${source} COMPILE_FLAGS)
  if(values)
    _gradwright_plain_words("${values}" options)
    string(APPEND text "${options}")
  endif()
  set(${variable} "" PARENT_SCOPE)
  if(text)
    set(${variable} "${folder}/${name}.flags-$<CONFIG>.txt" PARENT_SCOPE)
    file(GENERATE OUTPUT "${folder}/${name}.flags-$<CONFIG>.txt" CONTENT "${text}")
  endif()
endfunction()

# As target_link_libraries(target PRIVATE library) does, which could not be mixed with the form without a
# keyword.
function(_gradwright_link target library)
  get_target_property(type ${target} TYPE)
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${library})
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES $<LINK_ONLY:${library}>)
  endif()
endfunction()

# CUDA 13 has Thrust and its C++ library in a folder of their own, which nvcc knows, and Clang as the CUDA
# compiler does not.
function(_gradwright_libraries target)
  if(NOT CMAKE_CUDA_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  foreach(folder IN LISTS CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES)
    if(EXISTS ${folder}/cccl)
      target_include_directories(${target} SYSTEM PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${folder}/cccl>)
    endif()
  endforeach()
endfunction()

# Compiles a CUDA source for the CPU device into an object that the target links.
function(_gradwright_cpu_object target source object gradient flags own)
  if(own)
    set(own "--flags=${own}")
  endif()
  set(level "$<$<CONFIG:Release>:-O3;-DNDEBUG>" "$<$<CONFIG:RelWithDebInfo>:-O2;-g;-DNDEBUG>"
    "$<$<CONFIG:MinSizeRel>:-Os;-DNDEBUG>" "$<$<CONFIG:Debug>:-g>")
  add_custom_command(OUTPUT ${object}
    COMMAND Gradwright::gwcc --device=cpu --no-gradients "${level}"
      "$<$<BOOL:$<TARGET_PROPERTY:${target},POSITION_INDEPENDENT_CODE>>:-fPIC>"
      --flags=${flags} ${own} -MD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
    DEPENDS ${source} ${gradient} "${flags}"
    DEPFILE ${object}.d COMMENT "Compiling ${source} for the CPU device" VERBATIM COMMAND_EXPAND_LISTS)
  set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${target} PRIVATE ${object})
  _gradwright_link(${target} Gradwright::cpu)
  get_target_property(linker ${target} LINKER_LANGUAGE)
  if(NOT linker)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
endfunction()

# A gradient that is committed has a test, and a target that makes it.
function(_gradwright_committed target source arguments)
  cmake_path(GET source FILENAME name)
  add_test(NAME gradwright.${target}.${name} COMMAND $<TARGET_FILE:Gradwright::gradwright> ${arguments} --check)
  if(NOT TARGET ${target}_gradients)
    add_custom_target(${target}_gradients)
  endif()
  add_custom_command(TARGET ${target}_gradients POST_BUILD COMMAND Gradwright::gradwright ${arguments}
    COMMENT "Differentiating ${source}" VERBATIM)
endfunction()

# The target's other sources of the same language, which may have the bodies of functions that the source calls;
# but for those with flags of their own, since all are read with the source's.
function(_gradwright_others target source variable)
  set(others)
  set(ends "\\.(cpp|cc|cxx|C)$")
  if(source MATCHES "\\.c$")
    set(ends "\\.c$")
  endif()
  get_target_property(all ${target} SOURCES)
  foreach(other IN LISTS all)
    cmake_path(ABSOLUTE_PATH other BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    set(own)
    foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FLAGS)
      get_source_file_property(value ${other} ${property})
      if(value)
        string(APPEND own "${value}")
      endif()
    endforeach()
    if(other MATCHES "${ends}" AND EXISTS ${other} AND NOT other STREQUAL source AND NOT own)
      list(APPEND others ${other})
    endif()
  endforeach()
  set(${variable} ${others} PARENT_SCOPE)
endfunction()

function(_gradwright_gradient target folder source device standalone committed report options)
  cmake_path(GET source STEM LAST_ONLY name)
  cmake_path(GET source PARENT_PATH beside)
  set(place ${folder})
  if(committed)
    set(place ${beside})
  endif()
  if(source MATCHES "\\.cuh?$")
    set(kinds cuh cu)
    set(language CXX)
    if(CMAKE_CUDA_COMPILER)
      set(language CUDA)
    endif()
  elseif(source MATCHES "\\.c$")
    set(kinds h c)
    set(language C)
  elseif(source MATCHES "\\.(cpp|cc|cxx|C|hpp|h)$")
    set(kinds hpp cpp)
    set(language CXX)
  else()
    message(FATAL_ERROR "gradwright_target_gradients: '${source}' is no CUDA, C++ or C source")
  endif()
  list(TRANSFORM kinds PREPEND ${place}/${name}.grad. OUTPUT_VARIABLE texts)
  list(GET texts 0 header)
  list(GET kinds 0 kind)
  if(NOT committed AND NOT standalone AND EXISTS ${beside}/${name}.grad.${kind})
    message(FATAL_ERROR "gradwright_target_gradients: '${beside}/${name}.grad.${kind}' lies beside its source, "
      "which would include it in place of the gradient that is made: remove it, or say COMMITTED")
  endif()
  get_property(made TARGET ${target} PROPERTY GRADWRIGHT_GRADIENTS)
  if(header IN_LIST made)
    message(FATAL_ERROR
      "gradwright_target_gradients: '${target}' has two sources whose gradient would be ${header}")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY GRADWRIGHT_GRADIENTS ${header})
  _gradwright_flags(${target} ${folder} ${language} flags)
  set(outputs ${header})
  set(gradient ${header})
  set(compiled ${source})
  if(standalone)
    list(APPEND options --standalone --declarations ${header})
    set(outputs ${texts})
    list(GET texts 1 gradient)
    set(compiled ${gradient})
    if(NOT source MATCHES "\\.(cuh|hpp|h)$")
      set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON)
    endif()
  endif()
  if(report)
    list(APPEND options --report=${folder}/${name}.report.html)
    list(APPEND outputs ${folder}/${name}.report.html)
  endif()
  _gradwright_source_flags(${source} ${folder} ${name} own)
  if(own)
    list(APPEND options "--flags=${own}")
    set_property(TARGET ${target} PROPERTY GRADWRIGHT_OWN_${name} "${own}") # for gradwright_add_check
  endif()
  _gradwright_others(${target} ${source} others)
  set(arguments ${source} ${others} -o ${gradient} "--flags=${flags}" ${options})
  if(committed)
    _gradwright_committed(${target} ${source} "${arguments}")
    set(outputs ${gradient})
  else()
    if(kind STREQUAL "cuh")
      list(APPEND arguments --precompiled=${CMAKE_BINARY_DIR}/gradwright-headers)
    endif()
    add_custom_command(OUTPUT ${outputs}
      COMMAND Gradwright::gradwright ${arguments} -MD -MF ${header}.d -MT ${header}
      COMMAND ${CMAKE_COMMAND} -E touch ${outputs}
      DEPENDS ${source} "${flags}" ${own}
      DEPFILE ${header}.d COMMENT "Differentiating ${source}" VERBATIM)
  endif()
  set_source_files_properties(${outputs} PROPERTIES GENERATED ON)
  set_source_files_properties(${header} PROPERTIES HEADER_FILE_ONLY ON)
  target_sources(${target} PRIVATE ${outputs})
  if(compiled MATCHES "\\.cu$" AND device STREQUAL "cpu")
    _gradwright_cpu_object(${target} ${compiled} ${folder}/${name}.o ${gradient} "${flags}" "${own}")
  endif()
endfunction()

function(gradwright_target_gradients target)
  cmake_policy(PUSH)
  cmake_policy(SET CMP0116 NEW) # the paths in a DEPFILE
  cmake_parse_arguments(PARSE_ARGV 1 arg "EXPLAIN;REPORT;STANDALONE;COMMITTED" "DEVICE" "SOURCES;OPTIONS")
  set(me "gradwright_target_gradients(${target})")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${me}: there is no such target")
  elseif(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${me}: unknown argument '${arg_UNPARSED_ARGUMENTS}'")
  elseif(NOT arg_SOURCES)
    message(FATAL_ERROR "${me}: SOURCES names no file")
  endif()
  get_target_property(home ${target} SOURCE_DIR)
  if(NOT home STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "${me}: call it where the target is made, in ${home}")
  endif()
  if(NOT arg_DEVICE)
    if(CMAKE_CUDA_COMPILER)
      set(arg_DEVICE cuda)
    else()
      set(arg_DEVICE cpu)
    endif()
  elseif(NOT arg_DEVICE MATCHES "^(cuda|cpu)$")
    message(FATAL_ERROR "${me}: DEVICE is cuda or cpu, not '${arg_DEVICE}'")
  elseif(arg_DEVICE STREQUAL "cuda" AND NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "${me}: DEVICE cuda needs the language CUDA: enable_language(CUDA)")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/gradients/${target})
  target_include_directories(${target} PRIVATE ${folder})
  _gradwright_libraries(${target})
  _gradwright_link(${target} Gradwright::runtime)
  if(arg_EXPLAIN)
    list(APPEND arg_OPTIONS --explain)
  endif()
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    set_property(TARGET ${target} APPEND PROPERTY GRADWRIGHT_SOURCES ${source}) # for gradwright_add_check
    if(NOT EXISTS ${source})
      get_source_file_property(generated ${source} GENERATED)
      if(NOT generated)
        message(FATAL_ERROR "${me}: there is no file '${source}'")
      endif()
    endif()
    _gradwright_gradient(${target} ${folder} ${source} ${arg_DEVICE} ${arg_STANDALONE} ${arg_COMMITTED}
      ${arg_REPORT} "${arg_OPTIONS}")
  endforeach()
  cmake_policy(POP)
endfunction()
