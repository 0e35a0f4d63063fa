/*
 * request.h - what other rooms see of plugin/request: request, language, promise, spelling.
 */
#ifndef GW_REQUEST_H
#define GW_REQUEST_H
#include "analysis/ir/ir.h"
#include <stdbool.h>

/* ---- request ----
 *
 * * request.h - requests as text: "C wrt A, B", "both = C wrt A, B", and before a colon the function that one
 * is about: "ns::f", "render<3>", "S::f(float, const float *) const". No libclang.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* Splits request->text into its name and those of outputs and inputs; what is wrong with it, or NULL. */
const char *gw_request_read(gw_session *s, gw_request *request);
/* Gives it the name that its kind makes of the function's ("f_hvp"), if it has none of its own. */
void gw_request_name(gw_session *s, gw_request *request, gw_str function);
void gw_request_free(gw_request *request); /* the names that it read */
/* The ':' of "f: C wrt A" that ends the function's name ("::" does not); NULL if it is no request. */
const char *gw_request_split(const char *text);
/* Whether two requests that were read ask for the same: the order of names says nothing. */
bool gw_request_equal(const gw_request *a, const gw_request *b);
gw_str gw_request_key(gw_session *s, const gw_request *r); /* what tells it from all others */

/* The function that is meant. Texts of types have no blank that C does not need: "const float*". */
typedef struct gw_request_target {
    gw_str qualified;  /* "ns::render" */
    gw_str scope;      /* "ns"; of a member of a class, "ns::S<3>" */
    gw_str name;       /* "render", "operator*", "operator double" */
    gw_str arguments;  /* of a template: "3,float"; 0: none are given */
    gw_str parameters; /* of an overload: "float,const float*"; 0: none are given */
    bool has_parameters, is_const;
    bool is_whole; /* "::ns::render": nothing stands around it */
} gw_request_target;
const char *gw_request_read_target(gw_session *s, gw_str function, gw_request_target *out);
/* A type's text as a target has it. */
gw_str gw_request_tight(gw_session *s, const char *from, const char *to);

#ifdef __cplusplus
}
#endif

/* ---- language ----
 *
 * The language that a source is read as: what the flags say last, else its name. No libclang.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gw_language { GW_LANGUAGE_OTHER, GW_LANGUAGE_C, GW_LANGUAGE_CUDA } gw_language;

gw_language gw_language_of(const char *source, const char *const *flags, int count);
bool gw_language_is_given(const char *const *flags, int count); /* -x, in any of its spellings */

#ifdef __cplusplus
}
#endif

/* ---- promise ----
 *
 * Statements about index lists as text: "f: injective list".
 */

/* "injective list", from text to end. */
bool gw_promise_read(gw_session *s, const char *text, const char *end, gw_promise *out);
/* Notes "f: injective list" in the session; false with a diagnostic if it is no promise. */
bool gw_promise_add(gw_session *s, const char *text, gw_loc loc);

/* ---- spelling ----
 *
 * The name that a misspelt one is likely to mean. No libclang.
 */

/* The nearer to the text of the candidate and the best one so far (NULL: none); NULL if both are far. */
const char *gw_nearer(const char *text, const char *best, const char *candidate);
#endif
