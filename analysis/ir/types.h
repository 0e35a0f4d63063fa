/* types.h - a part of ir.h: questions about types, and about the cells that paths reach (types.c). */
#ifndef GW_TYPES_H
#define GW_TYPES_H
#include "analysis/ir/ir.h"
#ifdef __cplusplus
extern "C" {
#endif

/* finds or makes */
gw_type gw_type_struct(gw_session *s, gw_str name, const gw_field *fields, uint32_t count, gw_layout layout);
/* Their definitions in C++, nothing if there are none. */
void gw_capture_structs_text(const gw_session *s, gw_text *out);
gw_type gw_type_array(gw_session *s, gw_type element, uint32_t count);
gw_type gw_type_pointer(gw_session *s, gw_type element, bool is_const);
const char *gw_type_text(const gw_session *s, gw_type t);  /* IR text; points to static storage or session */
const char *gw_type_c(const gw_session *s, gw_type t);     /* C spelling of a scalar or struct */
uint32_t gw_type_bytes(gw_type t);                         /* scalars only */
gw_layout gw_type_layout(const gw_session *s, gw_type t);
/* NULL: no struct with such a field */
const gw_field *gw_type_field(const gw_session *s, gw_type t, const char *name, size_t length);
static inline bool gw_type_is_half(gw_type t) { return t == GW_T_F16 || t == GW_T_BF16; }
/* The type of what is loaded from a cell of the type, and stored to it. */
static inline gw_type gw_type_of_value(gw_type t) { return gw_type_is_half(t) ? (gw_type)GW_T_F32 : t; }
bool gw_type_holds_half(const gw_session *s, gw_type t);
static inline bool gw_type_is_float(gw_type t) { return t >= GW_T_F32 && t <= GW_T_F80; }
static inline bool gw_type_is_four(gw_type t) { return t == GW_T_F32X4 || t == GW_T_F64X4; }
/* The type of one of four seeds' numbers, and that of the four; 0: there is none. */
static inline gw_type gw_type_one_of_four(gw_type t) { return t == GW_T_F32X4 ? GW_T_F32 : GW_T_F64; }
static inline gw_type gw_type_four_of(gw_type t) {
    if (t == GW_T_F32) return GW_T_F32X4;
    return t == GW_T_F64 ? GW_T_F64X4 : GW_T_VOID;
}
static inline bool gw_type_is_integer(gw_type t) { return t >= GW_T_I8 && t <= GW_T_U64; }
bool gw_type_is_signed(gw_type t);
void gw_type_range(gw_type t, int64_t *low, int64_t *high); /* of an integer; INT64_MIN, INT64_MAX: no end */
uint32_t gw_type_bits(gw_type t);
gw_type gw_type_named(const gw_session *s, const char *name, size_t n); /* the struct; GW_T_VOID: none */
/* Type of the cell that `path` reaches from a value of type t (path after the leading "[]" of a pointer);
 * GW_T_VOID if the path does not fit. */
gw_type gw_type_at_path(const gw_session *s, gw_type t, const char *path);
/* "gridDim.y == 1 (it does not appear in the index of 'x')" (decision.c) */
void gw_assumption_text(const gw_session *s, const gw_assumption *a, gw_text *out);
/* Result type of a memory op on `object` with `path`. */
gw_type gw_cell_type(const gw_func *f, gw_object object, gw_str path); /* of its value */
gw_type gw_stored_type(const gw_func *f, gw_object object, gw_str path);
/* Whether the array that index number `index` of the path is of has an element `at`; a pointer's has any. */
bool gw_cell_has_index(const gw_func *f, gw_object object, gw_str path, uint32_t index, int64_t at);
/* as the text has the cell; 0: a number */
gw_str gw_cell_enumeration(const gw_func *f, gw_object object, gw_str path);
/* Whether the cell lies behind a pointer that is in the object, and whether its owner declared it const. */
/* A path may end in this behind a pointer: whether it is not null, a bool that can be loaded;
 * what is stored to it is false: the pointer is null from there on. */
#define GW_PATH_PRESENT ".?"
#define GW_PATH_SIZE ".#"
#define GW_PATH_AS ".@" /* and a class's name: the object as one of that class */
#define GW_PATH_OF ".!" /* and a class's name: whether it is one of exactly that class */
#define GW_PATH_IS ".=" /* and a function's name: whether the pointer leads to it */
#define GW_PATH_ASKED ".~" /* and a type and an expression: what the object says (question.h) */
const char *gw_question_in(const char *path); /* the step that asks a GW_PATH_ASKED; NULL: there is none */
gw_type gw_question_type(const gw_session *s, const char *step); /* void: an object */
bool gw_path_asks(const char *path); /* it ends as one of these */
bool gw_path_asks_null(const char *path); /* as the first of them */
bool gw_path_sees_class(const char *path); /* a step of it is GW_PATH_AS or GW_PATH_OF */
bool gw_path_through_pointer(const gw_session *s, gw_type t, const char *path);
bool gw_cell_behind_pointer(const gw_func *f, gw_object object, gw_str path);
bool gw_cell_is_const(const gw_func *f, gw_object object, gw_str path);
bool gw_type_has_pointer(const gw_session *s, gw_type t); /* in itself, not behind one */
/* The last const member on the way that no pointer leads on from; NULL: none. */
const gw_field *gw_path_const_member(const gw_session *s, gw_type t, const char *path);
/* Whether the member (".a.b", "" for all) of a request has the cell: its fields come first in the path. */
bool gw_path_in_member(const char *path, const char *member);

#ifdef __cplusplus
}
#endif
#endif
