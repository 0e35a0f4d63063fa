/*
 * tangent/type.c - of which type tangents are: of that of the number, or, of a pattern, 64 bits in its place
 * (pattern.c).
 */
#include "rewriters/tangent/tangent_private.h"

#include <stdlib.h>
#include <string.h>

gw_type gw_tangent_type(const gw_tangent *t, gw_type primal) {
    return t->pattern && gw_type_is_float(primal) ? GW_T_U64 : primal;
}

gw_value gw_tangent_zero(gw_tangent *t, gw_type primal) {
    return t->pattern ? gw_int(&t->b, GW_T_U64, 0) : gw_real(&t->b, primal, 0);
}

/* Dimensions stay. */
gw_str gw_tangent_value_text(const gw_tangent *t, gw_str type_text) {
    gw_session *s = t->f->session;
    const char *dimensions = strchr(gw_cstr(s, type_text), '[');
    char *text = gw_format("%s%s", gw_cstr(s, s->types.at[GW_T_U64].name), dimensions ? dimensions : "");
    gw_str made = gw_intern(s, text);
    free(text);
    return made;
}
