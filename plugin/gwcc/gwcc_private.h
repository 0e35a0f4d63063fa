/* gwcc: the compiler driver. What its parts share. */
#ifndef GWCC_PRIVATE_H
#define GWCC_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* --- gwcc/text.c: strings that live until the process ends, and vectors of them --- */

typedef struct gwcc_words {
    const char **items; /* null-terminated once a word was pushed */
    size_t count;
    size_t room;
} gwcc_words;

__attribute__((format(printf, 1, 2))) const char *gwcc_text(const char *format, ...);
void gwcc_push(gwcc_words *words, const char *word);
void gwcc_words_free(gwcc_words *words);
void gwcc_push_all(gwcc_words *words, const gwcc_words *more);
/* Pushes the words of a null-terminated list. */
void gwcc_push_list(gwcc_words *words, const char *const *list);
bool gwcc_starts(const char *text, const char *prefix);
bool gwcc_ends(const char *text, const char *suffix);
/* "dir/x.cu" -> "x"; "dir/x.cu" -> "dir" (or "."). */
const char *gwcc_stem(const char *path);
const char *gwcc_directory(const char *path);
/* Sixteen hexadecimal digits that tell lists of words apart. */
const char *gwcc_hash(const gwcc_words *words);
/* Prints "gwcc: error: ..." and returns false. */
__attribute__((format(printf, 1, 2))) bool gwcc_error(const char *format, ...);

/* --- gwcc/process.c: child processes --- */

extern bool gwcc_verbose;

/* Starts argv; its standard error goes to the file if one is named. 0 if it could not be started. */
pid_t gwcc_start(const gwcc_words *argv, const char *errors_to);
bool gwcc_wait(pid_t child);
/* Runs argv, empties it, and says whether the program ended well. */
bool gwcc_run(gwcc_words *argv);
/* The same without the program's output. */
bool gwcc_run_silently(gwcc_words *argv);
/* A program by path, or found in PATH; null if there is none. */
const char *gwcc_find_program(const char *name);

/* --- gwcc/files.c: temporary and output files --- */

/* Before the first of them is named: the directory of equal commands has one name, so that a compiler cache
 * (ccache, by GW_CLANG, CC and CXX) finds what it knows. */
void gwcc_name_temporaries(int argc, char **argv);
/* A path in this run's private directory; null if it cannot be made. */
const char *gwcc_temporary(const char *name);
/* Removes everything temporary; safe to call twice. */
void gwcc_clean_up(void);
void gwcc_catch_signals(void);
/* A name beside the output to write to, then to be moved over it by gwcc_publish. */
const char *gwcc_staging(const char *output);
bool gwcc_publish(const char *staged, const char *output);
bool gwcc_same_file(const char *a, const char *b); /* both are there, and one */
bool gwcc_exists(const char *path);
bool gwcc_write_file(const char *path, const char *bytes, size_t size);
/* The whole file, with a null byte after it; null with a message if it cannot be read. */
char *gwcc_read_file(const char *path, size_t *size);
void gwcc_copy_to_stderr(const char *path);

/* --- gwcc/options.c: the command line --- */

typedef enum gwcc_device { GWCC_DEVICE_CHOOSE, GWCC_DEVICE_CPU, GWCC_DEVICE_CUDA } gwcc_device;

typedef enum gwcc_flag_kind {
    GWCC_FLAG_PARSE = 1,   /* changes what a source means: -I -D -std ... */
    GWCC_FLAG_COMPILE = 2, /* code generation and warnings */
    GWCC_FLAG_LINK = 4,
    GWCC_FLAG_HOST = 8, /* dependency files: once for each source, not for each pass */
    GWCC_FLAG_NVCC = 16 /* no meaning for the CPU device */
} gwcc_flag_kind;

typedef struct gwcc_flag {
    const char *text;
    const char *value; /* null if it is one word */
    unsigned int kinds;
} gwcc_flag;

/* A file to compile, or an object, archive or library that goes to the linker as it is. */
typedef struct gwcc_input {
    const char *text;
    bool is_source;
} gwcc_input;

typedef struct gwcc_options {
    gwcc_input *inputs;
    size_t input_count;
    gwcc_flag *flags;
    size_t flag_count;
    gwcc_words requests; /* --gradient or --derivative, and what stands behind it, in turn */
    gwcc_words gradwright_arguments;
    gwcc_words precompile;   /* headers that all sources begin with */
    const char *precompiled; /* the folder of precompiled headers, or null */
    gwcc_words report; /* --report and --profile, likewise */
    const char *output;
    const char *save_directory; /* "" means beside the source */
    gwcc_device device;
    bool compile_only, checked, save_emitted, has_standard, has_architecture, print_parse_flags, no_gradients;
    bool own_thrust, help, version, verbose;
} gwcc_options;

bool gwcc_options_parse(gwcc_options *options, int argc, char **argv);
void gwcc_options_help(FILE *out); /* the rows of options.def */
void gwcc_push_flags(gwcc_words *words, const gwcc_options *options, unsigned int kinds);
/* The same for a source, with its language's standard; a C source does not get a C++ standard, nor the
   reverse. */
void gwcc_push_source_flags(gwcc_words *words, const gwcc_options *options, const char *source,
                            unsigned int kinds);

/* --- gwcc/paths.c: where things lie, in the build tree and when installed --- */

bool gwcc_paths_find(void);
const char *gwcc_path_include(void);
const char *gwcc_path_library(const char *file);
const char *gwcc_path_program(const char *name);
/* Clang, from GW_CLANG or as configured. */
const char *gwcc_path_clang(void);
/* The compiler of a host source: $CC or $CXX with its words, else Clang. */
void gwcc_push_compiler(gwcc_words *words, bool is_c);

/* --- gwcc/gradient.c --- */

/* After the compiler refused a source: that it includes a toolkit's headers, and there is no toolkit. */
void gwcc_toolkit_advise(const char *source);

/* After the compiler refused a source for which no gradient was made: that there could have been one. */
void gwcc_gradient_advise(const gwcc_options *options, const char *source);
/* Emits the gradient of a source that asks for one; *directory is then what to add with -I, or
   null. */
bool gwcc_gradient(const gwcc_options *options, const char *source, size_t index, const char **directory);

/* --- the compilation of one source --- */

typedef struct gwcc_job {
    const char *source;
    const char *object;
    const char *output;             /* what the object is renamed to in the end */
    const char *gradient_directory; /* or null */
    const char *overlay;            /* of files that Clang reads in another spelling, or null */
    size_t index;
} gwcc_job;

/* --- gwcc/dependencies.c: the rules of -MD and -MMD --- */

/* The flags that have the compiler write the rule to a temporary file. */
void gwcc_dependencies_push(gwcc_words *argv, const gwcc_options *options, const gwcc_job *job);
/* Puts the rule, without the temporary gradient, where it was asked for. */
bool gwcc_dependencies_finish(const gwcc_options *options, const gwcc_job *job);

/* --- gwcc/respelled.c --- */

/* Makes the job's overlay where it needs one. */
bool gwcc_respelled_make(gwcc_job *job);

/* --- gwcc/precompiled.c --- */

/* Adds the precompiled header of a pass over a .cu file whose compiler and flags, but for those of the one
 * source, are in argv. Nothing where none are kept. */
void gwcc_precompiled_push(gwcc_words *argv, const gwcc_options *options);
/* The same for gradwright, which makes its own: options that name the folder and the headers. */
void gwcc_precompiled_hand_on(gwcc_words *argv, const gwcc_options *options);

/* --- gwcc/cpu.c, gwcc/image.c, gwcc/cuda.c: the two devices --- */

/* The flags of a libclang parse of a source of this suffix. */
void gwcc_cpu_parse_flags(gwcc_words *words, const gwcc_options *options, const char *source);
bool gwcc_cpu_compile(const gwcc_options *options, gwcc_job *job);
bool gwcc_cpu_link(const gwcc_options *options, const gwcc_words *objects, const char *output);
/* Writes the C source of the table for a device object; *any says whether there is an entry. */
bool gwcc_image_write_table(const char *object, const char *id, const char *table, bool *any);
/* The folders of a toolkit's headers, if there is one. */
void gwcc_push_toolkit(gwcc_words *words);
bool gwcc_cuda_is_available(void);
/* The flags of gradwright for a source that nvcc compiles: it finds the toolkit's headers itself. */
void gwcc_cuda_parse_flags(gwcc_words *words, const gwcc_options *options, const char *source);
bool gwcc_cuda_compile(const gwcc_options *options, const gwcc_job *job);
bool gwcc_cuda_link(const gwcc_options *options, const gwcc_words *objects, const char *output);

#endif
