/*
 * frontend/object/library.h - the actions of frontend/call/library.def.
 */
#ifndef GRADWRIGHT_FRONTEND_LIBRARY_H
#define GRADWRIGHT_FRONTEND_LIBRARY_H

#include "plugin/frontend/state/state.h"

/* A call of a function that has a row. */
typedef struct gw_library_call {
    gw_lowering *L;
    CXCursor call, callee;
    const char *name;
    gw_place self; /* of a member function */
    gw_cursors *arguments;
    gw_call_result result;
} gw_library_call;
typedef void gw_library_action(gw_library_call *c);

gw_library_action gw_front_complex_part, gw_front_complex_set_part, gw_front_complex_compound,
    gw_front_complex_binary, gw_front_complex_equal, gw_front_complex_unary, gw_front_complex_real,
    gw_front_complex_polar;
gw_library_action gw_front_optional_has, gw_front_optional_value, gw_front_optional_or,
    gw_front_optional_reset, gw_front_optional_emplace, gw_front_optional_assign, gw_front_optional_swap;
gw_library_action gw_front_span_first, gw_front_span_last, gw_front_span_part;
gw_library_action gw_front_vector_resize, gw_front_vector_assign, gw_front_vector_reserve,
    gw_front_vector_pop_back, gw_front_vector_push_back, gw_front_vector_emplace_back, gw_front_vector_clear,
    gw_front_vector_swap, gw_front_vector_erase, gw_front_vector_insert, gw_front_vector_pop_front;
gw_library_action gw_front_unique_get, gw_front_unique_element, gw_front_unique_is_set, gw_front_unique_release,
    gw_front_unique_reset, gw_front_unique_assign, gw_front_unique_swap, gw_front_unique_swap_two,
    gw_front_unique_make, gw_front_unique_equal, gw_front_unique_differ;

#endif
