/*
 * frontend/parse/parse.h - one parse of the source, with declarations of gradients that are not there yet.
 *
 * Ownership: what a function fills (`out`) is the caller's; u->clang is the unit's.
 */
#ifndef GRADWRIGHT_FRONTEND_PARSE_H
#define GRADWRIGHT_FRONTEND_PARSE_H

#include "plugin/frontend/unit/unit.h"

/* ---- flags.c ---- */
typedef struct gw_arguments {
    char **at;
    uint32_t count, room;
} gw_arguments;

/* Headers that are read in the place of others: include/gradwright/groups in that of a toolkit's cooperative
 * groups, and include/gradwright/algorithms in that of Thrust's. */
typedef enum gw_stand_ins { GW_STAND_INS_NONE, GW_STAND_INS_GROUPS, GW_STAND_INS_ALL } gw_stand_ins;

/* The Clang arguments of a run. */
void gw_front_arguments(const gw_run *run, gw_stand_ins with, gw_arguments *out);
void gw_front_arguments_free(gw_arguments *a);
/* A header that the user's flags include first, which may be one that cannot be read twice. */
bool gw_front_has_first_header(const gw_run *run);
bool gw_front_has_openmp(const gw_run *run);

/* ---- precompiled.c ---- */
/* Adds the precompiled header of these arguments, which is made where there is none; false: there is none. */
bool gw_front_precompiled(gw_unit *u, gw_arguments *arguments);
/* Without it again, before Clang's own words: Clang did not take it. */
void gw_front_precompiled_drop(gw_unit *u, gw_arguments *arguments);
/* Clang lists no file that is in the header, so they are added to those that the source was made of. */
void gw_front_precompiled_included(gw_unit *u);

/* ---- unknown_mark.c ---- */
/* Says what words like GW_GRADIENT are not known, of those that errors of the parse stand at; false: none. */
bool gw_front_say_unknown_marks(gw_unit *u);

/* ---- stub_text.c ---- */
/* What a matrix or a bound is made of: f_jacobian_rows of f_jacobian. */
typedef struct gw_part_row {
    uint32_t of, kind; /* each a gw_request_kind */
    const char *suffix;
    bool is_pattern;
} gw_part_row;

enum { GW_FRONT_PARTS = 5 };
extern const gw_part_row gw_front_parts[GW_FRONT_PARTS];

/* The declaration of a gradient that is not there yet. */
typedef struct gw_stub {
    gw_str name;     /* what names of its derivatives begin with: "f", "S_f" */
    gw_str function; /* "f" */
    gw_str space;    /* namespace, "" for the global one */
    gw_str head;     /* of a function template: "class T, int N"; else 0 */
    gw_str request;  /* the request's own name, or 0 */
    gw_str params;   /* as the source's text has them, "float *y, int n"; 0: not known */
    gw_str result;   /* what its forward derivative returns, where that is a struct; else 0 */
    gw_func_kind kind;
    uint32_t asks; /* a gw_request_kind */
    bool is_guess; /* of a function that the source's text does not declare: the parser knows better */
} gw_stub;

typedef struct gw_stubs {
    gw_stub *at;
    uint32_t count, room;
} gw_stubs;

/* Source text that declares their gradients; the caller frees it. */
char *gw_front_stub_text(const gw_unit *u, const gw_stubs *stubs, bool plain_c);
void gw_front_stub_add(gw_stubs *stubs, gw_stub stub); /* once */

/* ---- stub.c ---- */
/* Functions that `text` (the main source) annotates with GW_GRADIENT, found without a parser. */
void gw_front_stub_scan(gw_unit *u, const char *text, gw_stubs *out);

/* What stands between "template" and ";" in the namespace. */
typedef struct gw_explicit {
    gw_str space, text;
} gw_explicit;

typedef struct gw_explicits {
    gw_explicit *at;
    uint32_t count, room;
} gw_explicits;

void gw_front_explicit_scan(gw_unit *u, const char *text, gw_explicits *out);
/* Adds those of the parsed unit; whether it says more than `out` did. */
bool gw_front_stub_known(gw_unit *u, gw_stubs *out);
/* The first name in the text that a gradient of its functions declares, and its place; 0: there is none. */
gw_str gw_front_stub_use(gw_unit *u, const char *text, gw_loc *at);

/* File names of `#include "*.grad.*"` lines. */

typedef struct gw_includes {
    char **at;
    uint32_t count, room;
} gw_includes;

void gw_front_stub_includes(const char *source, const char *text, gw_includes *out);

/* ---- meaning.c ---- */
typedef struct gw_meaning {
    uint64_t place, what;
    CXCursor decl;
} gw_meaning;

typedef struct gw_meanings {
    gw_meaning *at;
    uint32_t count, room;
} gw_meanings;

/* All declarations of the unit outside of the library. */
void gw_front_meanings(CXTranslationUnit unit, gw_meanings *out);
/* A declaration of `alone` that is not in `joined`, or means something else there; null: there is none. */
CXCursor gw_front_other_meaning(const gw_meanings *alone, const gw_meanings *joined);

/* ---- joined.c ---- */
/* A source that is parsed by itself, with a session of its own; false with its errors in u's session. */
bool gw_front_read_alone(gw_unit *u, const char *path, gw_unit *out);
void gw_front_alone_free(gw_unit *alone);
/* How Clang names an other source of the run that is included at the end of the source; the caller frees it. */
char *gw_front_joined_path(const gw_unit *u, uint32_t other);
/* Parses the source with the others of session->joined behind it; false after a diagnostic. */
bool gw_front_parse_joined(gw_unit *u);

/* ---- parse.c ---- */
char *gw_front_source_text(gw_unit *u); /* 0-terminated, the caller's; NULL after a diagnostic */
void gw_front_index(gw_unit *u);     /* before the first parse */
void gw_front_parse_end(gw_unit *u); /* the unit has no parse any more: it goes to the next reading, or ends */
/* The parse of `text`, that of run->source; `joined`: with what is to be read behind it. */
bool gw_front_parse_text(gw_unit *u, char *text, const char *joined);
/* Parses run->source into u->clang and records what Clang says; false after an error. */
bool gw_front_parse(gw_unit *u);
/* ---- mistake.c ---- */
typedef bool gw_front_place_test(CXSourceLocation at);
/* And not one of a library's stand-ins, which lie where the test says. */
bool gw_front_is_own_mistake(gw_unit *u, gw_front_place_test *is_library);
/* A library's name of the header for which that of this path stands in; NULL: for none. */
const char *gw_front_stand_in(const char *path);
bool gw_front_is_of_toolkit(CXSourceLocation at); /* of what stands in for libcu++'s headers, or groups' */
bool gw_front_is_stand_in(const gw_unit *u, CXSourceLocation at);  /* of Thrust's */
bool gw_front_is_of_mpi(CXSourceLocation at); /* read in the place of <mpi.h> */
bool gw_front_is_primitive(const gw_unit *u, CXSourceLocation at); /* which those call */

/* ---- use.c ---- */
/* Lines that, behind the source `text`, use the instantiations that requests name, and explicit ones; some are
 * empty. */
typedef struct gw_uses {
    char **at;
    uint32_t count, room;
} gw_uses;

#define GW_USE "gw_use_" /* names of the functions in them */
bool gw_front_uses(gw_unit *u, const char *text, gw_uses *out); /* whether there are any */

#endif
