/*
 * frontend/object/object.h - objects of classes: how they are constructed, copied, moved and destroyed.
 *
 * Ownership: an object whose destructor does something stands in L->owned from its construction on, and is
 * destroyed by the statement or expression that made it (object/destroy.c).
 */
#ifndef GRADWRIGHT_FRONTEND_OBJECT_H
#define GRADWRIGHT_FRONTEND_OBJECT_H

#include "plugin/frontend/place/place.h"

/* ---- category.c ---- */
typedef enum gw_category { GW_MADE, GW_LVALUE, GW_EXPIRING } gw_category;
gw_category gw_front_category(gw_lowering *L, CXCursor e);
/* How an argument that is a reference parameter is copied: moved, where it is an rvalue. */
gw_copying gw_front_argument_copying(gw_lowering *L, CXCursor e);

/* ---- complex.c ---- */
bool gw_front_is_complex(gw_lowering *L, CXCursor e); /* of one of C's complex types */
void gw_front_complex_initialize(gw_lowering *L, gw_place to, CXCursor e);
gw_value gw_front_complex_to_real(gw_lowering *L, CXCursor cast, CXCursor e);
gw_value gw_front_complex_compare(gw_lowering *L, CXCursor left, CXCursor right, bool differ);
gw_place gw_front_complex_assign(gw_lowering *L, CXCursor e, CXCursor left, CXCursor right); /* compound */
bool gw_front_complex_call(gw_lowering *L, CXCursor call, CXCursor callee, gw_cursors *arguments,
                           gw_call_result *result);

/* ---- construct.c ---- */
void gw_front_construct_members(gw_lowering *L, gw_place to, CXCursor definition);
void gw_front_construct(gw_lowering *L, gw_place to, CXCursor call);
/* By a constructor of a base that `using base::base` took over; false if it is not known which. */
bool gw_front_construct_inherited(gw_lowering *L, gw_place to, CXCursor inherited, CXCursor call,
                                  const gw_cursors *arguments);
void gw_front_return_value(gw_lowering *L, gw_place result, CXCursor e); /* of a return statement */
gw_element_action gw_front_default_element; /* constructs it as its declaration, without an initialiser, does */
/* Constructs a member as its declaration in the class says; `to` is in `object`. */
void gw_front_default_member(gw_lowering *L, gw_place object, gw_place to, gw_shape_field field);
bool gw_front_constructs(gw_unit *u, gw_shape shape); /* whether that may be more than nothing */

/* ---- copy.c ---- */
/* Whether code of the user's does it, of the class or of what it holds, that does more than to copy. */
bool gw_front_copies_by_code(gw_unit *u, gw_shape shape, gw_copying how);
gw_element_action *gw_front_copy_action(gw_copying how);
void gw_front_copy_value(gw_lowering *L, gw_place to, CXCursor e); /* from what the expression names or makes */
void gw_front_copy_argument(gw_lowering *L, gw_place to, CXCursor e); /* by way of a reference parameter */
/* `count` elements from the first on become copies of the value. */
void gw_front_fill(gw_lowering *L, gw_place first, gw_place value, gw_value count, gw_copying how, CXCursor at);

/* ---- destroy.c ---- */
/* A whole expression, or statement, ends: destroys the objects without names that were made since. */
void gw_front_destroy_nameless(gw_lowering *L, uint32_t first);
/* Objects without names that were made since, and of which `to` is a part, live as long as the variable; where
 * `to` is null, any of them may. `listed`: it is declared in a list of statements. */
void gw_front_extend(gw_lowering *L, uint32_t first, CXCursor variable, const gw_place *to, bool listed);
/* Runs the destructors of the variables from that one on, last first, whichever exit the path took. */
void gw_front_destroy_from(gw_lowering *L, uint32_t first);

/* ---- extent.c ---- */
void gw_front_declare_rows(gw_lowering *L, CXCursor variable);
void gw_front_note_extents(gw_lowering *L, CXCursor variable); /* of a parameter or pointer, if it has any */
gw_value gw_front_row_size(gw_lowering *L, CXCursor e);        /* elements of an expression of such a type */
bool gw_front_is_allocation(gw_lowering *L, CXCursor e);
gw_place gw_front_allocation(gw_lowering *L, CXCursor call, CXType pointer);
gw_place gw_front_raw_allocation(gw_lowering *L, CXCursor call); /* of a program: bytes without a type */
gw_place gw_front_new(gw_lowering *L, CXCursor e);
bool gw_front_is_free(gw_lowering *L, CXCursor call);
void gw_front_free(gw_lowering *L, CXCursor at, CXCursor pointer);

/* ---- half.c ---- */
/* Whether a pair is made of another one, which CUDA's headers do by bits. */
bool gw_front_is_half_copy(gw_lowering *L, gw_shape pair, CXCursor argument);
bool gw_front_half_call(gw_lowering *L, CXCursor call, CXCursor callee, const gw_cursors *arguments,
                        gw_call_result *r);

/* ---- list.c ---- */
void gw_front_initializer_list(gw_lowering *L, gw_place to, CXCursor list);
bool gw_front_is_text(gw_lowering *L, gw_place to, CXCursor e); /* a string for an array of characters */
void gw_front_text(gw_lowering *L, gw_place to, CXCursor e);

/* ---- overload.c ---- */
/* Whether a constructor takes just these arguments, or may do so. */
bool gw_front_takes(gw_lowering *L, CXType type, const gw_cursors *arguments);
CXCursor gw_front_list_constructor(gw_lowering *L, CXType type, const gw_cursors *arguments, CXCursor at);

/* ---- optional.c ---- */
void gw_front_optional_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at);

/* ---- span.c ---- */
void gw_front_span_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at);

/* ---- unique.c ---- */
void gw_front_unique_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at);
/* What it holds goes to the deleter. */
void gw_front_unique_end(gw_lowering *L, gw_place unique, CXCursor at);
/* `ends`: what `to` held goes to the deleter. */
void gw_front_unique_move(gw_lowering *L, gw_place to, gw_place from, bool ends, CXCursor at);

/* ---- rows.c ---- */
/* Whether a place, or one of those that it may be, lies in the rows of a local vector of vectors. */
bool gw_front_is_rows(const gw_lowering *L, const gw_place *first);
bool gw_front_has_rows(gw_lowering *L, gw_place vector); /* it is such a vector, and has been made */
gw_place gw_front_row(gw_lowering *L, gw_place vector, gw_value index);
void gw_front_rows_fill(gw_lowering *L, gw_place to, CXCursor rows, CXCursor row, CXCursor at); /* (n, row) */
void gw_front_rows_copy(gw_lowering *L, gw_place to, gw_place from);

void gw_front_refuse_size(gw_lowering *L);
bool gw_front_same_size(const gw_lowering *L, gw_value a, gw_value b); /* the two are one, as is plain to see */

/* ---- vector.c ---- */
/* One element, by its number; of an array too. */
gw_place gw_front_vector_element(gw_lowering *L, gw_place vector, gw_value index);
void gw_front_vector_param(gw_lowering *L, CXCursor decl, CXType type, gw_param *param);
void gw_front_vector_size(gw_lowering *L, uint32_t param); /* adds the parameter that stands for its size */
/* The same of the vectors in what a reference leads to. */
void gw_front_vector_member_sizes(gw_lowering *L, uint32_t param, gw_shape shape);
gw_place gw_front_vector_place(gw_lowering *L, gw_shape shape, const gw_param *param);
gw_place gw_front_vector_first(gw_lowering *L, gw_place vector);
gw_value gw_front_vector_count(gw_lowering *L, gw_place vector);
void gw_front_vector_copy(gw_lowering *L, gw_place to, gw_place from, gw_copying how, CXCursor at);
/* Constructs one. */
void gw_front_vector_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at);

#endif
