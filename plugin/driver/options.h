/*
 * options.h - what the user asked of one run; filled from the command line or from the plugin's arguments
 * by one table (options.def).
 */
#ifndef GW_OPTIONS_H
#define GW_OPTIONS_H
#include "analysis/ir/ir.h"
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
    GW_VEC(gw_given_request) requests;
    GW_VEC(const char *) checkpoints; /* "f:12=25" */
    GW_VEC(const char *) request_files;
    GW_VEC(const char *) promises; /* "f: injective list" */
    const char *const *clang_args;
    int clang_args_count;
    const char *sarif;
    const char *compile_commands;            /* file or folder */
    GW_VEC(const char *) flag_files;         /* files of Clang's flags */
    GW_VEC(char *) found_args;               /* what gw_settings_complete made clang_args of */
    bool dependencies, phony_headers;        /* -MD, -MP */
    const char *dependency_file;             /* -MF, NULL: by the output's name */
    GW_VEC(const char *) dependency_targets; /* -MT, none: the output's name */
    bool help, version, list_passes;
} gw_settings;

void gw_settings_start(gw_settings *t); /* the defaults */
void gw_settings_free(gw_settings *t);

/* Sets the option that `text` ("name" or "name=value", no dashes) names. NULL, or what is wrong with it
 * (caller frees). Texts are kept by reference. */
char *gw_settings_set(gw_settings *t, const char *text, bool is_plugin);
/* The whole command line; Clang's flags stand behind "--". NULL, or what is wrong with it. */
char *gw_settings_read(gw_settings *t, int count, const char *const *words);
/* Puts the flags that --compile-commands and --flags lead to before those of the command line
 * (compile_commands.c). NULL, or what is wrong. */
char *gw_settings_complete(gw_settings *t);
void gw_settings_help(FILE *out);

#ifdef __cplusplus
}
#endif
#endif
