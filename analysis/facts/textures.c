/*
 * textures.c - what a derivative asks of the textures that it is made through.
 *
 * The shadow of a texture is a parameter of the derivative, found by the parameter that is fetched from. So a
 * fetch that takes part, by its texels or its coordinates, must be from a parameter that the request names; and
 * such a parameter may be fetched from and compared, nothing else: from a copy of it (a choice, a member that
 * it was stored to, an argument of a call) texels would get no adjoint.
 */
#include "analysis/facts/facts.h"

#include "analysis/ir/diagnostics.h"

#include <stdlib.h>

static const gw_param *texture_of(const gw_func *f, gw_value v, uint32_t *index) {
    for (*index = 0; *index < f->params.count; ++*index)
        if (f->params.at[*index].is_texture && f->params.at[*index].value == v) return &f->params.at[*index];
    return NULL;
}

static bool check_fetch(const gw_activity *a, const gw_roles *roles, gw_op op) {
    const gw_func *f = a->f;
    const gw_op_data *o = gw_op_at(f, op);
    uint32_t index;
    const gw_param *texture = texture_of(f, gw_operand(f, op, 0), &index);
    if (!gw_active_value(a, o->first_result) || (texture && roles->independent[index])) return true;
    if (texture)
        gw_diag(f->session, GW_DIAG_TEXTURE_NOT_NAMED, o->loc, gw_cstr(f->session, texture->name),
                gw_cstr(f->session, texture->name));
    else
        gw_diag(f->session, GW_DIAG_UNSUPPORTED, o->loc,
                "a fetch by active coordinates from a texture that is no parameter (a member, an element, a "
                "choice)",
                "pass the texture as a parameter of its own, and name it in the request");
    return false;
}

static bool check_uses(const gw_activity *a, const gw_roles *roles, gw_op op) {
    const gw_func *f = a->f;
    const gw_op_data *o = gw_op_at(f, op);
    const bool compares = o->code == GW_OP_EQ || o->code == GW_OP_NE;
    const bool tests = o->code == GW_OP_CAST && gw_typeof(f, o->first_result) == GW_T_BOOL;
    bool good = true;
    for (uint32_t i = o->code == GW_OP_TEXTURE; i < o->operands && !compares && !tests; i++) {
        uint32_t index;
        const gw_param *texture = texture_of(f, gw_operand(f, op, i), &index);
        if (!texture || !roles->independent[index]) continue;
        char *what = gw_format("this use of the texture '%s', an input,", gw_cstr(f->session, texture->name));
        gw_diag(f->session, GW_DIAG_UNSUPPORTED, o->loc, what,
                "fetch from the parameter itself, in each branch where there is a choice");
        free(what);
        good = false;
    }
    return good;
}

bool gw_check_textures(const gw_activity *a, const gw_roles *roles) {
    bool good = true;
    for (gw_op op = 1; op < a->f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(a->f, op);
        if (o->dead) continue;
        if (o->code == GW_OP_TEXTURE) good &= check_fetch(a, roles, op);
        good &= check_uses(a, roles, op);
    }
    return good;
}
