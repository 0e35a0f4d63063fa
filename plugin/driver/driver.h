/*
 * driver.h - what other rooms see of plugin/driver: options, generate.
 */
#ifndef GW_DRIVER_H
#define GW_DRIVER_H
#include "analysis/ir/ir.h"
#include "analysis/ir/run.h"
#include "analysis/ir/requests.h"
#include "plugin/request/request.h"

/* ---- options ----
 *
 * What the user asked of one run; filled from the command line or from the plugin's arguments
 * by one table (options.def).
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gw_given_request {
    gw_request_kind kind;
    const char *text; /* "f: C wrt A, B" */
} gw_given_request;

typedef struct gw_settings {
    gw_options options;
    unsigned rung_by; /* --accumulate or --prefer; 0: neither */
    const char *source;
    GW_VEC(const char *) others; /* sources of the same program */
    GW_VEC(gw_given_request) requests;
    GW_VEC(const char *) checkpoints; /* "f:12=25" */
    GW_VEC(const char *) request_files;
    GW_VEC(const char *) promises; /* "f: injective list" */
    GW_VEC(const char *) launches; /* "f: blockDim.x == 128" */
    GW_VEC(const char *) packs;    /* "f: x, y" */
    const char *const *clang_args;
    int clang_args_count;
    const char *sarif;
    const char *precompiled;                 /* a folder of precompiled headers; NULL: none are kept */
    GW_VEC(const char *) precompile;         /* headers of the user's in them */
    const char *compile_commands;            /* file or folder */
    GW_VEC(const char *) flag_files;         /* files of Clang's flags */
    GW_VEC(char *) found_args;               /* what gw_settings_complete made clang_args of */
    bool dependencies, phony_headers;        /* -MD, -MP */
    const char *dependency_file;             /* -MF, NULL: by the output's name */
    GW_VEC(const char *) dependency_targets; /* -MT, none: the output's name */
    bool help, version, list_passes;
    bool check;
    const char *const *words; /* of the command line, for --check, */
    int words_count;
    const char *text_named; /* the one of them that names the text in place of the source; NULL: none does */
    char *source_found;     /* then: the source */
} gw_settings;

void gw_settings_start(gw_settings *t); /* the defaults */
void gw_settings_free(gw_settings *t);

/* Sets the option that `text` ("name" or "name=value", no dashes) names. NULL, or what is wrong with it
 * (caller frees). Texts are kept by reference. */
char *gw_settings_set(gw_settings *t, const char *text);
/* The whole command line; Clang's flags stand behind "--". NULL, or what is wrong with it. */
char *gw_settings_read(gw_settings *t, int count, const char *const *words);
/* Puts the flags that --compile-commands and --flags lead to before those of the command line
 * (compile_commands.c). NULL, or what is wrong. */
char *gw_settings_complete(gw_settings *t);
void gw_settings_help(FILE *out);
/* The options that change the text, as a command line has them, in one order; without those that say what is so
 * anyway. */
void gw_settings_given(const gw_settings *t, gw_text *out);

#ifdef __cplusplus
}
#endif

/* ---- generate ----
 *
 * Source and requests in, text of the gradient out: what the command and the plugin share.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* Notes in s->refused the requests that errors of a pass belong to (rest.c). */
void gw_rest_refuse(gw_session *s);
/* Runs the passes as the settings say; the text is in run->output, what there is to say in the session's
 * diagnostics. `run` is zeroed before; free it with gw_generate_free. */
bool gw_generate(gw_run *run, const gw_settings *t);
/* Puts the results of a run that ended well or not where the settings want them: the SARIF log always, the rule
 * of -MD, the report and run->output after a good run. False after a bad run or a diagnostic; then an older
 * gradient is as it was. */
bool gw_generate_write(gw_run *run, const gw_settings *t, bool good);
void gw_generate_free(gw_run *run);

/* The name of a source's gradient: dir/x.cu -> dir/x.grad.cuh. The caller frees it. */
char *gw_generate_output_name(const char *source);

/* dependencies.c: the rule of -MD for make and ninja: `target` depends on the source's includes. */
void gw_dependencies_text(const gw_session *s, const gw_settings *t, const char *target, gw_text *out);
/* sarif.c: what the session said as a SARIF 2.1.0 log. */
void gw_sarif_text(const gw_session *s, gw_text *out);

/* check.c: --check. FILE may be the text, which names its source: then it becomes -o, and that the source;
 * NULL, or what is wrong (caller frees). Behind gw_generate, whether the text at `path`, and --declarations,
 * are what would be made now; false after diagnostics. */
char *gw_check_begin(gw_settings *t);
bool gw_check(gw_run *run, const gw_settings *t, const char *path);

/* compile_flags.c: of the flags of gcc, Clang or nvcc those that change what a source means, as Clang takes
 * them, one a line. NULL, or what is wrong (caller frees). */
char *gw_flags_for_clang(const char *const *flags, uint32_t count, gw_text *lines);

/* passes.c */
const char *gw_pass_name(unsigned index); /* NULL after the last */

/* request_file.c: requests of the command line and of files; false after a diagnostic at a file's line */
bool gw_requests_add(gw_session *s, const gw_settings *t);

/* output.c: the file becomes the text, whole or not at all; a file that has this text already is not
 * touched. NULL, or what went wrong (caller frees). */
char *gw_output_write(const char *path, const char *text, size_t count);
/* Both names lead to one file on disk, or would if there was one; devices and pipes are never the same. */
bool gw_output_same_file(const char *a, const char *b);

#ifdef __cplusplus
}
#endif
#endif
