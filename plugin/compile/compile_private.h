/*
 * compile_private.h - one call of gw_compile: what is asked (compile.c), found or kept (cache.c), written
 * (unit.c) and run (build.c).
 */
#ifndef GW_COMPILE_PRIVATE_H
#define GW_COMPILE_PRIVATE_H
#include "analysis/ir/support.h"
#include "gradwright/compile.h"

typedef GW_VEC(char *) gw_list;

typedef enum gw_job_kind { GW_JOB_C, GW_JOB_CXX, GW_JOB_CPU, GW_JOB_CUDA } gw_job_kind;

typedef struct gw_job {
    const char *source; /* as given */
    const char *const *requests;
    gw_compile_options options;
    gw_job_kind kind;
    char *path;    /* of the file; of a text, in `work` */
    char *text;    /* of the source */
    gw_text key;   /* all that the result depends on, but for what the source includes */
    char *cache;   /* folder; NULL: none can be made */
    char *work;    /* folder of this call */
    char *include; /* folder of the headers */
    gw_list included;
    gw_text messages;
    char *error;
} gw_job;

/* Records what went wrong, in the words of a format; false. */
bool gw_job_fail(gw_job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gw_list_free(gw_list *words);

/* place.c: where things are */
bool gw_place_exists(const char *path);
char *gw_place_include(void);
char *gw_place_library(const char *file); /* "libgwruntime.a" */
char *gw_place_program(const char *file); /* "gwcc" */
/* Changes when the file does; a name without a folder is found through PATH; NULL: of this library. */
void gw_place_identity(const char *path, gw_text *out);
bool gw_place_folder(const char *path);   /* makes it and those above it */
void gw_place_remove(const char *folder); /* with the files in it */

/* cache.c */
void gw_cache_key(gw_job *j);
char *gw_cache_find(gw_job *j); /* the library that was made before, or NULL */
/* Puts the library there for later calls: where it is then, `made` itself if it cannot be kept. */
char *gw_cache_keep(gw_job *j, const char *made);

/* unit.c: generates, and writes what is compiled: its name, or NULL */
char *gw_unit_write(gw_job *j);

/* build.c */
const char *gw_build_compiler(const gw_job *j, gw_list *out); /* its words; the first one */
const char *gw_build_clang(void);                             /* that was configured */
bool gw_build(gw_job *j, const char *unit, const char *library);
/* Runs it: its exit status is 0; what it says on either stream goes to `said`. */
bool gw_build_run(gw_job *j, const gw_list *words, gw_text *said);
#endif
