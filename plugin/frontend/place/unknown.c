/*
 * frontend/place/unknown.c - values that nobody knows: what calls give that are passed over (call/passed.c),
 * text, and objects that hold text or files (passed_classes.def).
 *
 * Each is read from an object of its own, which nothing writes, and which says of which kind it is. The
 * lowering goes on with them. When the function is complete, what nobody needs is removed, and if
 * anything still reads such an object, the function is refused at the call that gave it.
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/clean/clean.h"
#include "analysis/ir/diagnostics.h"


/* Kinds of such objects: their names, what is refused where one is read; NULL: what its giver gives. */
typedef enum kind { NONE, UNKNOWN, TEXT, STATIC, ADDRESS, KINDS } kind;
static const struct {
    const char *name, *what, *way_out;
} kinds[KINDS] = {
    [UNKNOWN] = {"(unknown)", NULL, "call it outside of the function, and pass what it gives"},
    [TEXT] = {"(text)", "a string", "keep text out of the function"},
    [STATIC] = {"(static)", "a static local variable", "pass it as a parameter"},
    [ADDRESS] = {"(address)", "a pointer used as a number", "use the difference of two pointers"},
};

static kind kind_of(const gw_lowering *L, gw_object o) {
    return (kind)(o ? gw_object_at(L->f, o)->unknown : NONE);
}

bool gw_front_is_unknown(const gw_lowering *L, const gw_place *p) {
    return p->kind == GW_PLACE_MEMORY && kind_of(L, p->object) != NONE;
}

bool gw_front_may_be_null_text(const gw_lowering *L, const gw_place *p) {
    return p->kind == GW_PLACE_MEMORY && kind_of(L, p->object) == UNKNOWN;
}

/* `by`: the function that gives it. */
static gw_object object(gw_lowering *L, gw_type cell, kind k, const char *by) {
    const gw_str name = gw_intern(L->session, kinds[k].name);
    gw_object o = gw_object_new(L->f, GW_OBJECT_LOCAL, name, cell == GW_T_VOID ? GW_T_I8 : cell);
    gw_object_at(L->f, o)->type_text = gw_intern(L->session, by);
    gw_object_at(L->f, o)->loc = L->b.loc;
    gw_object_at(L->f, o)->unknown = (uint8_t)k;
    return o;
}

static const char *giver(const gw_lowering *L, const gw_place *p) {
    return GW_FRONT_TEXT(L, gw_object_at(L->f, p->object)->type_text);
}

gw_value gw_front_unknown(gw_lowering *L, gw_type type, const char *by) {
    return gw_load(&L->b, object(L, type, UNKNOWN, by), 0, NULL, 0);
}

gw_value gw_front_unknown_static(gw_lowering *L, gw_type type) {
    return gw_load(&L->b, object(L, type, STATIC, ""), 0, NULL, 0);
}

gw_value gw_front_unknown_address(gw_lowering *L, gw_type type) {
    return gw_load(&L->b, object(L, type, ADDRESS, ""), 0, NULL, 0);
}

gw_value gw_front_unknown_like(gw_lowering *L, gw_type type, const gw_place *p) {
    return gw_front_unknown(L, type, giver(L, p));
}

static gw_place somewhere(gw_lowering *L, gw_shape shape, kind k, const char *by) {
    gw_place p = {.kind = GW_PLACE_MEMORY, .shape = shape, .count = 1, .path = gw_intern(L->session, "[]")};
    p.object = object(L, gw_front_shape_at(L->u, shape)->type, k, by);
    gw_object_at(L->f, p.object)->sized = true;
    p.index[0] = gw_int(&L->b, GW_T_I32, 0);
    return p;
}

gw_place gw_front_unknown_place(gw_lowering *L, gw_shape shape, const char *by) {
    return somewhere(L, shape, UNKNOWN, by);
}

gw_place gw_front_text_place(gw_lowering *L, gw_shape shape, const char *by) {
    return somewhere(L, shape, TEXT, by);
}

/* ---- classes ---- */
bool gw_front_is_passed_class(gw_lowering *L, gw_shape shape) {
    const gw_shape_data *d = gw_front_shape_at(L->u, shape);
    return d->kind == GW_SHAPE_OPAQUE && d->refusal && gw_front_is_passed_type(L->u, d->clang);
}

/* ---- at the end ---- */
static bool depends(const gw_lowering *L, gw_value v, uint32_t depth) {
    enum { DEEPEST = 12 };
    const gw_op op = gw_value_at(L->f, v)->op;
    if (!op || depth == DEEPEST) return false;
    const gw_op_data *o = gw_op_at(L->f, op);
    const gw_place p = {.kind = GW_PLACE_MEMORY, .object = o->object};
    if (o->code == GW_OP_LOAD && gw_front_is_unknown(L, &p)) return true;
    bool found = false;
    for (uint32_t i = 0; gw_op_rows[o->code].effect == GW_EFFECT_PURE && i < o->operands && !found; i++)
        found = depends(L, gw_operand(L->f, op, i), depth + 1);
    return found;
}

bool gw_front_depends_on_unknown(const gw_lowering *L, gw_value v) { return depends(L, v, 0); }

static void refuse_unknown(gw_lowering *L, const gw_place *p) {
    const kind k = kind_of(L, p->object);
    char *what = kinds[k].what ? gw_strdup(kinds[k].what)
                               : gw_format("what %s gives, which the result depends on,", giver(L, p));
    gw_diag(L->session, GW_DIAG_UNSUPPORTED, gw_object_at(L->f, p->object)->loc, what, kinds[k].way_out);
    free(what);
}

bool gw_front_settle_unknown(gw_lowering *L) {
    gw_func *f = L->f;
    bool any = false;
    for (gw_object o = 1; o < f->objects.count && !any; o++)
        any = kind_of(L, o) != NONE;
    if (!any) return true;
    gw_dce(f);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || !o->object) continue;
        const gw_place p = {.kind = GW_PLACE_MEMORY, .object = o->object};
        if (!gw_front_is_unknown(L, &p)) continue;
        refuse_unknown(L, &p);
        return false;
    }
    return true;
}
