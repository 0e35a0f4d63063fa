/*
 * frontend/lower.h - the entries of the recursion: an expression holds expressions, statements (in a lambda, a
 * body that is inlined, ({ ... })) and objects that are made by code of their class.
 *
 * Functions that are declared here may be called from every folder above this header (plugin/README.md),
 * whichever folder defines them; all other functions of the front end only from folders of a higher level. So
 * an entry here is one that the matter has: each of them reaches all others. All do nothing once L->failed is
 * set.
 */
#ifndef GRADWRIGHT_FRONTEND_LOWER_H
#define GRADWRIGHT_FRONTEND_LOWER_H

#include "plugin/frontend/state/state.h"

/* ---- expressions: each evaluates `e` once ---- */
gw_value gw_front_scalar(gw_lowering *L, CXCursor e);
gw_value gw_front_condition(gw_lowering *L, CXCursor e); /* a bool; of a pointer, that it is not null */
gw_place gw_front_place(gw_lowering *L, CXCursor e);     /* lvalue; of an rvalue, a temporary */
gw_place gw_front_pointer(gw_lowering *L, CXCursor e);   /* what it leads to */
void gw_front_effect(gw_lowering *L, CXCursor e);
void gw_front_initialize(gw_lowering *L, gw_place to, CXCursor e); /* null cursor: default-initialises */
void gw_front_choose(gw_lowering *L, CXCursor e, gw_place to);     /* ?: into a temporary */

/* ---- calls ---- */
gw_call_result gw_front_call(gw_lowering *L, CXCursor e);
gw_call_result gw_front_inline(gw_lowering *L, CXCursor call, CXCursor definition, const gw_place *self,
                               const gw_cursors *arguments);
/* The same with places as the first arguments, as of a constructor or operator that copies. */
void gw_front_inline_with(gw_lowering *L, CXCursor at, CXCursor function, const gw_place *self,
                          const gw_place *arguments, uint32_t count, bool moved);

/* ---- objects ---- */
/* As C++ does it, by constructors and operators; gw_front_copy is for what is made in its place. */
void gw_front_copy_object(gw_lowering *L, gw_place to, gw_place from, gw_copying how, CXCursor at);
void gw_front_default_construct(gw_lowering *L, gw_place to, CXCursor at);
/* T(arguments) of a class. */
void gw_front_construct_from(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at);
/* The same of a class of the standard library that has rows in frontend/call/library.def. */
void gw_front_library_fill(gw_lowering *L, gw_place to, const gw_cursors *arguments, CXCursor at);
void gw_front_vector_move(gw_lowering *L, gw_place to, gw_place from); /* its elements, as they are */

/* ---- statements ---- */
void gw_front_statement(gw_lowering *L, CXCursor statement);
void gw_front_statement_value(gw_lowering *L, gw_place to, CXCursor e); /* ({ ...; value; }) */
/* Lowers a definition into a new function, which is the session's; NULL after a diagnostic. */
gw_func *gw_front_function(gw_unit *u, CXCursor definition);

#endif
