/*
 * requests.h - the kinds of requests, the rows of requests.def, and what follows from a kind. Only who asks for
 * one includes it.
 */
#ifndef GRADWRIGHT_IR_REQUESTS_H
#define GRADWRIGHT_IR_REQUESTS_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked for; the words of a kind stand in requests.def. */
typedef enum gw_request_kind {
#define GW_REQUEST(KIND, word, macro, made, suffix, is_reverse) GW_REQUEST_##KIND,
#include "analysis/ir/requests.def"
#undef GW_REQUEST
    GW_REQUEST_COUNT
} gw_request_kind;
typedef struct gw_request_row {
    const char *word, *macro, *made, *suffix;
    bool is_reverse;
} gw_request_row;
extern const gw_request_row gw_request_rows[GW_REQUEST_COUNT];

static inline bool gw_request_is_matrix(const gw_request *r) {
    return r->kind == GW_REQUEST_HESSIAN || r->kind == GW_REQUEST_JACOBIAN;
}
static inline bool gw_request_is_forward(const gw_request *r) {
    return r->kind == GW_REQUEST_DERIVATIVE || r->kind == GW_REQUEST_DERIVATIVES ||
           r->kind == GW_REQUEST_SCREEN;
}
/* Made of two halves, with a tape between them. */
static inline bool gw_request_is_split(const gw_request *r) { return r->kind == GW_REQUEST_SPLIT || r->halves; }
/* A gradient is made of the function with its tangents, or with tangents of these (tangent/second.c). */
static inline bool gw_request_has_tangents(const gw_request *r) {
    return r->kind == GW_REQUEST_HVP || r->kind == GW_REQUEST_THIRD;
}
/* Nothing is made of its function itself: it calls its parts. */
static inline bool gw_request_is_whole(const gw_request *r) {
    return gw_request_is_matrix(r) || (r->kind == GW_REQUEST_ERROR && !r->part_of);
}
/* A reverse sweep is made of it. */
static inline bool gw_request_is_swept(const gw_request *r) {
    return gw_request_rows[r->kind].is_reverse && !gw_request_is_whole(r);
}
/* Both name the same outputs and inputs, in whichever order. */
bool gw_request_asks_same(const gw_request *a, const gw_request *b);
bool gw_names_are_same(const gw_names *a, const gw_names *b);
void gw_names_copy(gw_names *to, const gw_names *from);

#ifdef __cplusplus
}
#endif
#endif
