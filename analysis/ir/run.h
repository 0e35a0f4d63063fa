/* run.h - one run of the pipeline. The passes themselves, rows of passes.def, are in passes.h. */
#ifndef GRADWRIGHT_IR_RUN_H
#define GRADWRIGHT_IR_RUN_H
#include "analysis/ir/ir.h"
#ifdef __cplusplus
extern "C" {
#endif

/* What one run needs beside the session. `source_args` are Clang arguments (front end only). */
typedef struct gw_run {
    gw_session *session;
    const char *source;
    const char *const *args; /* clang arguments, count of them */
    int args_count;
    /* Other sources of the program, in which bodies of functions are looked for (front end only). */
    const char *const *others;
    uint32_t others_count;
    /* A folder for precompiled headers, NULL: none are kept; and the user's headers in them, which each source
     * includes first (front end only). */
    const char *precompiled, *const *precompile;
    uint32_t precompile_count;
    struct gw_kept_list *kept; /* for the next reading of the source (plugin/source/kept.h); NULL: nothing is */
    gw_text output; /* emitted source, or the dump that was asked for */
    gw_text declarations; /* of a standalone source, if the options want them */
    gw_text exports;      /* the same, of a source that is loaded */
} gw_run;

/* Runs the table as session->options say (--from-ir, --dump, --stop-after); false on any error. */
bool gw_run_passes(gw_run *run);
void gw_list_passes(FILE *out);
/* The decision table of --explain; remarks of the same facts are recorded by the ownership pass. */
void gw_explain(const gw_session *s, FILE *out);
/* What the reverses of a program's calls are, as remarks; of a line that is called twice, once. */
void gw_explain_calls(gw_session *s);
/* The same as a page of HTML, with the source (rewriters/report*.c); `profile` names a file of measured costs,
 * or is NULL. After a good run; false after a diagnostic. */
bool gw_report_page(gw_run *run, const char *profile, gw_text *out);

#ifdef __cplusplus
}
#endif
#endif
