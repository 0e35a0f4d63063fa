/* gwcheck - checks the gradients of a source: what its parts share. */
#ifndef GWCHECK_PRIVATE_H
#define GWCHECK_PRIVATE_H

#include "gradwright/emitted/check.h"
#include "plugin/driver/driver.h"

#include <stdbool.h>

/* "gwcheck: error: ..." on standard error; false. */
__attribute__((format(printf, 1, 2))) bool gwcheck_error(const char *format, ...);

/* ---- options.c ---- */
/* "f: x=3*n": for the parameter x of f, or of each function that has one. */
typedef struct gwcheck_given {
    const char *option; /* "--size" */
    const char *text;
    char *function; /* NULL: of each */
    char *param;    /* "x", "p.w"; of --set all before the '=': "a.extent[0]" */
    char *value;
    bool used;
} gwcheck_given;
typedef GW_VEC(gwcheck_given) gwcheck_givens;
typedef GW_VEC(const char *) gwcheck_words;

typedef struct gwcheck_options {
    const char *source;
    gwcheck_words requests; /* "--gradient", "f: wrt x", ... as gradwright takes them */
    gwcheck_words handed;   /* more for it */
    gwcheck_words flags;    /* of the compiler */
    GW_VEC(char *) texts;   /* of files of flags, which they point into */
    gwcheck_givens launches, sets, sizes, ranges;
    const char *inputs, *json, *junit, *keep;
    unsigned long long seed;
    bool cuda, help, version, verbose;
} gwcheck_options;

bool gwcheck_options_read(gwcheck_options *o, int count, char **words);
void gwcheck_options_free(gwcheck_options *o);
void gwcheck_help(FILE *out);
/* The part behind "name=" of a launch, "grid=8, block=(8, 4)"; caller frees; NULL: it is not said. */
char *gwcheck_launch_part(const char *launch, const char *name);

/* ---- collect.c ---- */
/* What the harness makes memory for: a parameter, what a pointer in a struct leads to, or what comes back. */
typedef struct gwcheck_param {
    char *name; /* "x", "p.w", "return" */
    gw_check_role role;
    char *type;      /* as C spells what it is made of */
    gw_type cell;    /* the same to the IR; GW_T_ADDRESS: only its spelling is known, a pointer's */
    uint32_t primal; /* the parameter's index; UINT32_MAX: what the function returns */
    char *member;    /* ".w": of the struct; NULL */
    bool named;
    gw_check_content content;
} gwcheck_param;

typedef struct gwcheck_function {
    const gw_request *request;
    const gw_func *primal, *gradient, *forward; /* forward: NULL, there is none */
    bool seed_is_one;
    char *name;    /* as the source calls it */
    char *asks;    /* "y wrt x" */
    char *refused; /* why it is not checked; NULL: it is */
    GW_VEC(gwcheck_param) params;
    const char *launch; /* NULL: the usual one */
} gwcheck_function;
typedef GW_VEC(gwcheck_function) gwcheck_functions;

/* The functions of a run that ended well. */
bool gwcheck_collect(gw_session *s, gwcheck_options *o, gwcheck_functions *out);
void gwcheck_functions_free(gwcheck_functions *functions);
/* "C wrt A, B" of its names. */
char *gwcheck_asks(const gw_session *s, const gw_request *q);
/* Whether the adjoints of a cell, "p.x", are what the request is about. */
bool gwcheck_is_named(const gw_session *s, const gw_request *q, const char *cell);
/* Whether what was differentiated by is the parameter, or what a pointer in a struct leads to. */
bool gwcheck_is_fresh(const gw_session *s, const gw_request *q, const char *param);
bool gwcheck_is_input(const gw_session *s, const gw_request *q, const char *param);
bool gwcheck_is_output(const gw_session *s, const gw_request *q, const char *param);
/* Whether what was given is for the function. */
bool gwcheck_is_for(const gwcheck_given *g, const gwcheck_function *f);
/* The name of a forward derivative that gwcheck asks for beside a gradient. */
char *gwcheck_forward_name(const char *function, const char *asks);

/* ---- harness.c, call.c ---- */
void gwcheck_harness(gw_session *s, const gwcheck_options *o, const gwcheck_functions *functions,
                     const char *source, const char *gradient, gw_text *out);
void gwcheck_calls(gw_session *s, const gwcheck_function *f, uint32_t number, gw_text *out);
bool gwcheck_is_device(const gw_func *f); /* a kernel */

/* ---- build.c ---- */
bool gwcheck_folder(const gwcheck_options *o); /* makes the one for all that is temporary */
const char *gwcheck_path(const char *name);    /* of a file in it; lives until the end */
void gwcheck_clean(const gwcheck_options *o);
const char *gwcheck_tool(const char *name); /* beside gwcheck itself */
const char *gwcheck_library(void);
/* Runs the words, ended by NULL; standard output and error go to the files (NULL: stay). The exit status, 128 +
 * a signal, or -1. */
int gwcheck_run(const gwcheck_options *o, const char *const *words, const char *output, const char *errors);
char *gwcheck_read(const char *path, size_t *count); /* NULL behind an error */
/* The first line with an error, or the first, of what a program said behind the mark, up to the next
 * function's. */
void gwcheck_first_words(const char *path, const char *mark, gw_text *out);
void gwcheck_show(const char *path); /* the file on standard error, not all of a long one */
bool gwcheck_write(const char *path, const char *text, size_t count);

/* ---- npz.c ---- */
typedef GW_VEC(char *) gwcheck_given_names;
/* Puts the arrays of a .npz file into the folder, each as a count and doubles. NULL, or what is wrong (caller
 * frees). */
char *gwcheck_npz(const char *path, const char *folder, gwcheck_given_names *names);

/* ---- report.c ---- */
/* With what the harness ends where there is no GPU to run it. */
enum { GWCHECK_NO_DEVICE = 77 };

/* As files of results spell them, in this order. */
typedef enum gwcheck_result {
    GWCHECK_OK,
    GWCHECK_FAIL,
    GWCHECK_KINK,
    GWCHECK_NOTE,
    GWCHECK_SKIP,
    GWCHECK_BEGINS, /* of what is about to run */
    GWCHECK_RESULTS
} gwcheck_result;
typedef struct gwcheck_row {
    char *function, *request, *check, *cell, *got, *expected, *error, *words;
    gwcheck_result result;
} gwcheck_row;
typedef struct gwcheck_report {
    GW_VEC(gwcheck_row) rows;
    bool ended;
    char *function, *last; /* what was running: of which function, and what */
} gwcheck_report;

/* Adds the lines of a file of results. */
bool gwcheck_report_read(gwcheck_report *r, const char *path);
void gwcheck_report_add(gwcheck_report *r, const char *function, const char *request, const char *check,
                        gwcheck_result result, const char *words);
void gwcheck_report_free(gwcheck_report *r);
bool gwcheck_report_fails(const gwcheck_report *r);
void gwcheck_report_table(const gwcheck_report *r, const char *source, FILE *out);
bool gwcheck_report_json(const gwcheck_report *r, const char *source, const char *path);
bool gwcheck_report_junit(const gwcheck_report *r, const char *source, const char *path);

#endif
