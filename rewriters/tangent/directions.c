/*
 * tangent/directions.c - tangents in several directions at once, f_jvps of GW_DERIVATIVES.
 *
 * Each value has a tangent for each direction (tangent/region.c), each number in memory a block of them: behind
 * the indices of an array's element stands that of the direction, t_x[i][2]. A struct that is an element is
 * there once for each direction, t_p[i][2].mass: its members keep their places. What is one thing - a value, a
 * reference, a variable at file scope - has one block, t_k[2]. So what one vector access reads of a number's
 * tangents lies side by side.
 *
 * The two directions of a screen, f_screen of GW_SCREEN_DERIVATIVES, have no blocks: each has its parameters,
 * x_dx and x_dy, of the types that those of f_jvp have. A device function is called with numbers that are in
 * registers; blocks would be memory.
 */
#include "rewriters/tangent/tangent_private.h"

#include "analysis/ir/diagnostics.h"

#include <stdlib.h>
#include <string.h>

gw_str gw_tangent_name(const gw_tangent *t, gw_str primal, uint32_t memory) {
    gw_session *s = t->f->session;
    if (!t->screen) return gw_signature_prefixed(s, t->primal->second_of ? "s_" : "t_", primal);
    char *text = gw_format("%s_d%c", gw_cstr(s, primal), "xy"[memory]);
    gw_str name = gw_intern(s, text);
    free(text);
    return name;
}

gw_str gw_tangent_lane_name(const gw_tangent *t, gw_str primal, uint32_t lane) {
    gw_session *s = t->f->session;
    if (!t->directions) return gw_tangent_name(t, primal, lane);
    char *text = gw_format("t_%s_%u", gw_cstr(s, primal), lane);
    gw_str name = gw_intern(s, text);
    free(text);
    return name;
}

gw_type gw_tangent_block_type(const gw_tangent *t, gw_type type) {
    gw_session *s = t->f->session;
    const gw_type_data d = s->types.at[type];
    if (!t->directions && !t->pattern) return type;
    if (d.kind == GW_TYPE_ARRAY) return gw_type_array(s, gw_tangent_block_type(t, d.element), d.count);
    if (t->pattern) return gw_tangent_type(t, type);
    return gw_type_array(s, type, t->directions);
}

gw_str gw_tangent_block_text(const gw_tangent *t, gw_str text, gw_type type) {
    gw_session *s = t->f->session;
    gw_text made = {0};
    if (!t->directions && !t->pattern) return text;
    if (t->pattern) text = gw_tangent_value_text(t, text);
    gw_text_addf(&made, "%.*s", (int)strcspn(gw_cstr(s, text), "["), gw_cstr(s, text));
    for (; s->types.at[type].kind == GW_TYPE_ARRAY; type = s->types.at[type].element)
        gw_text_addf(&made, "[%u]", s->types.at[type].count);
    gw_str block = gw_intern(s, made.at);
    gw_text_free(&made);
    return block;
}

static bool is_one(const gw_object_data *o) {
    return o->kind == GW_OBJECT_STRUCT || o->kind == GW_OBJECT_GLOBAL || o->is_reference;
}

gw_type gw_tangent_pointed_type(const gw_tangent *t, const gw_object_data *primal) {
    gw_session *s = t->f->session;
    const gw_type type = gw_signature_mirror_type(s, primal->type);
    const gw_type_data d = s->types.at[type];
    if (!is_one(primal)) return gw_tangent_block_type(t, type);
    return d.kind == GW_TYPE_ARRAY ? gw_tangent_block_type(t, d.element) : type;
}

gw_value *gw_tangent_lane_index(gw_tangent *t, gw_op op, uint32_t lane, gw_str *path, uint32_t *count) {
    gw_session *s = t->f->session;
    const gw_op_data *op_data = gw_op_at(t->primal, op);
    const gw_object_data *o = gw_object_at(t->primal, op_data->object);
    const uint32_t n = gw_index_count(t->primal, op);
    const bool pointer = o->kind == GW_OBJECT_POINTER || o->sized, referred = pointer && is_one(o);
    uint32_t place = pointer && !referred;
    for (gw_type type = o->type; s->types.at[type].kind == GW_TYPE_ARRAY; type = s->types.at[type].element)
        place++;
    gw_value *index = gw_alloc((n + 1) * sizeof *index);
    *count = 0;
    for (uint32_t i = referred; i <= n; i++) {
        if (*count == place) index[(*count)++] = gw_int(&t->b, GW_T_I32, lane);
        if (i < n) index[(*count)++] = gw_clone_value(&t->c, gw_operand(t->primal, op, i));
    }
    *path = gw_signature_prefixed(s, "[]", op_data->path);
    if (referred) *path = op_data->path; /* the direction's in the place of its 0 */
    return index;
}

gw_str gw_tangent_directions_text(const gw_tangent *t, gw_str type_text) {
    gw_session *s = t->f->session;
    char *text = gw_format("const %s *__restrict__", gw_cstr(s, type_text));
    gw_str made = gw_intern(s, text);
    free(text);
    return made;
}

/* What of a parameter has no blocks; NULL if all is well. */
static const char *refused(const gw_tangent *t, const gw_param *x, const char **way_out) {
    const gw_session *s = t->f->session;
    const gw_object_data *o = x->object ? gw_object_at(t->primal, x->object) : NULL;
    *way_out = "ask for GW_DERIVATIVE, and run it for each direction";
    if (x->is_texture) return "the texels of a texture, in several directions at once,";
    if (o && o->is_container) {
        *way_out = "take a pointer to the elements";
        return "a std::vector, in several directions at once,";
    }
    if (o && s->types.at[o->type].kind == GW_TYPE_POINTER)
        return "a pointer to pointers, in several directions at once,";
    const bool is_array = o && s->types.at[o->type].kind == GW_TYPE_ARRAY;
    if (t->primal->template_head && is_array)
        return "a template's parameter of arrays, in several directions at once,";
    return NULL;
}

bool gw_tangent_check_directions(const gw_tangent *t, const gw_request *q) {
    bool good = true;
    for (uint32_t i = 0; t->lanes > 1 && i < t->primal->params.count; i++) {
        const gw_param *x = &t->primal->params.at[i];
        const char *way_out, *what = refused(t, x, &way_out);
        if (!what || !(t->roles.independent[i] || t->roles.dependent[i])) continue;
        gw_diag(t->f->session, GW_DIAG_UNSUPPORTED, x->loc.line ? x->loc : q->loc, what, way_out);
        good = false;
    }
    return good;
}
