/*
 * frontend/type/type.h - shapes: what is known of a C++ type before anything is lowered.
 *
 * Ownership: shapes and their fields are the unit's (u->shapes, u->fields) and may move when one is made, so a
 * gw_shape_data is copied where others are made while it is used.
 */
#ifndef GRADWRIGHT_FRONTEND_TYPE_H
#define GRADWRIGHT_FRONTEND_TYPE_H

#include "plugin/frontend/unit/unit.h"

/* ---- captures.c ---- */
/* Makes the structs that stand for the lambdas which the template is used with. */
void gw_front_make_captures(gw_unit *u, CXCursor pattern);
/* The same for a kernel that a program launches, whatever name is free; whether its arguments hold a lambda, so
 * that no text can name it. */
bool gw_front_make_launched_captures(gw_unit *u, CXCursor kernel);
/* How a lambda whose struct's name is taken gets one, the beginning of a way out; "": that is not why. */
char *gw_front_captures_taken(gw_unit *u, CXType type, CXCursor instance);
void gw_front_forget_captures(gw_unit *u);

/* ---- class.c ---- */
void gw_front_bases(CXType type, gw_cursors *out);   /* base specifiers */
bool gw_front_has_base(const gw_unit *u, gw_shape of, gw_shape base); /* or is it */
/* Why text cannot have such an object as a parameter or result, or NULL. */
const gw_refusal *gw_front_refusal(const gw_shape_data *d);
CXCursor gw_front_deleter(CXType unique);    /* of a std::unique_ptr: its call operator, or null */
bool gw_front_deletes(CXType unique);        /* its deleter is the library's */
CXCursor gw_front_destructor(CXType type); /* its own, if that does something; else null */
void gw_front_methods(CXType type, gw_cursors *out); /* methods, constructors, destructors */
bool gw_front_has_constructor(CXType type);          /* one with a body */
CXCursor gw_front_default_constructor(CXType type);  /* one with a body, or null */
bool gw_front_is_asked_class(gw_unit *u, CXType type); /* of asked_classes.def, or a reference to one */
bool gw_front_is_asked_owner(gw_unit *u, CXType type);
/* Whether it is std::next and its like, of an iterator of such a class. */
bool gw_front_steps_aside(gw_unit *u, CXCursor callee);
/* What a sequence of std holds that is asked by an index; invalid: it is none. */
CXType gw_front_sequence_element(gw_unit *u, CXType type);
bool gw_front_is_asked_by_index(gw_unit *u, CXType type); /* text, or a sequence */
bool gw_front_is_open_class(gw_unit *u, CXCursor decl); /* of open_classes.def, or inside of one */
bool gw_front_holds_something(CXType type, uint32_t depth); /* a class, or one of its bases */
bool gw_front_is_passed_type(gw_unit *u, CXType type); /* of passed_classes.def, or what leads to one */
bool gw_front_is_passed_of_header(gw_unit *u, CXType type); /* the same, and not one of std's */
bool gw_front_has_settable_members(gw_unit *u, gw_shape shape);
bool gw_front_is_settable(gw_unit *u, gw_shape shape);
/* Whether it has a body to run: it is neither implicit nor defaulted nor deleted. */
bool gw_front_is_written_constructor(CXCursor c);

/* ---- default.c ---- */
/* What a member's declaration gives it. */
typedef struct gw_default {
    bool is_given;
    CXCursor expression; /* null: of a bit-field */
    bool is_known;       /* of a bit-field: `value` is what it says */
    int64_t value;
} gw_default;

gw_default gw_front_default(gw_unit *u, CXCursor field);

/* ---- half.c ---- */
/* The type in the IR of half precision in the headers' classes; GW_T_VOID: the type is another. */
gw_type gw_front_half_type(gw_unit *u, CXType type);
bool gw_front_is_half_pair(gw_unit *u, CXType type);
bool gw_front_holds_half(gw_unit *u, gw_shape s);

/* ---- hidden.c ---- */
bool gw_front_can_open(gw_unit *u, CXCursor field); /* text can name it though it is not public */
/* As in gw_field, of a member of the class itself, and of one of a base class or an anonymous member. */
uint32_t gw_front_hidden(gw_unit *u, const gw_shape_field *f);
uint32_t gw_front_hidden_variable(gw_unit *u, CXCursor variable); /* the same of a static member */
uint32_t gw_front_hidden_behind(gw_unit *u, const gw_shape_field *base, const gw_field *member);

/* ---- lambda.c ---- */
CXCursor gw_front_call_operator(CXCursor lambda); /* or the template of it */
/* The variables that a lambda holds copies of; refusal: why not, or NULL. */
void gw_front_captures(gw_unit *u, CXType lambda, gw_cursors *copies, const gw_refusal **refusal);

/* What may be written in a lambda's place: "struct body { float *y; ... }; and pass body{y}"; NULL: it is none,
 * takes arguments of any type, or holds nothing, an array or another lambda. */
char *gw_front_functor(gw_unit *u, CXType type, bool on_device);

/* ---- row.c ---- */
bool gw_front_is_row(CXType type);           /* a variable-length array */
CXType gw_front_row_element(CXType type);    /* of a variable-length array; any other type is its own */
bool gw_front_decays(CXType parameter);      /* written as an array, or leads to a variable-length one */
CXType gw_front_parameter_cell(CXType type); /* what such a parameter leads to */
char *gw_front_decayed_text(gw_unit *u, CXType parameter); /* the pointer that such a parameter is */

/* ---- shape.c ---- */
void gw_front_shapes_start(gw_unit *u);
void gw_front_shapes_end(gw_unit *u);
gw_shape gw_front_shape(gw_unit *u, CXType type); /* references are looked through */
/* Its type in the IR; of a pointer, what paths through memory see of it: a pointer to void where it cannot be
 * followed. */
gw_type gw_front_ir_type(gw_unit *u, gw_shape s);
gw_shape gw_front_pointee(gw_unit *u, gw_shape pointer);
gw_shape gw_front_pointer_shape(gw_unit *u, CXType pointee);
/* The shape of a parameter, which may be written as an array. */
gw_shape gw_front_parameter_shape(gw_unit *u, CXType type);
gw_shape gw_front_array_of(gw_unit *u, gw_shape element, uint32_t count);
/* Number of the field that `decl` declares; UINT32_MAX if there is none. */
uint32_t gw_front_field(const gw_unit *u, gw_shape s, CXCursor decl);
/* Why no text can name what is in memory of this type, or NULL; of what a reference of the host leads to. */
const char *gw_front_unspeakable(gw_unit *u, gw_shape s);
const char *gw_front_unspeakable_behind(gw_unit *u, gw_shape s);

/* ---- union.c ---- */
/* Finds which of the union's fields holds its cells; NULL, or why the union is refused. */
const gw_refusal *gw_front_union_holder(gw_unit *u, const gw_shape_field *fields, uint32_t count, CXType type,
                                        uint32_t *holder);
/* The number that a shape is made of, without gaps; GW_T_VOID: of none, or of several types. */
gw_shape gw_front_number_of(gw_unit *u, gw_shape shape);
/* Adds the numbers that the shape is made of; false: they are of several types, or not all are numbers. */
bool gw_front_flatten(gw_unit *u, gw_shape shape, gw_shape *number, uint64_t *count);
uint64_t gw_front_numbers_in(gw_unit *u, gw_shape shape);

#endif
